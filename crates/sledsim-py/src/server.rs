//! The class `DeviceServer`: a simulated device under real programs.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::error::{unknown_name, Error, Result};
use sledsim::record::{select, Record};
use sledsim::simulation::Simulation;
use sledsim::station::Station;
use sledsim::system::System;
use sledsim_emulator::client::{floor, Closer, Probe};
use sledsim_emulator::emulator::{Contents, Durability, Emulator, PowerCut, Served, Torn};
use sledsim_emulator::nbd::{Export, Kind};
use sledsim_emulator::server::{Address, PowerPlan, PowerSwitch, Realtime, ServeError, Server, Status};
use sledsim_emulator::store::{
    list_beside, ImageFile, ListError, Memory, OpenError, Store, Unreadable, SECTOR_BYTES,
};
use sledsim_emulator::timing::TimeScale;

use crate::convert::fault;
use crate::python_names;
use crate::raised::raised_by_python;
use crate::run::{columns, totals};
use crate::text::Text;
use crate::volume::Target;
use crate::ParameterError;

const NANOS_PER_US: f64 = 1e3;
const NANOS_PER_S: f64 = 1e9;
const IN_PYTHON: &str = "written in Python: it would hold up the clock at each decision";
const ENDED: &str = "the server has ended";
const IN_USE: &str = "the server is in use by another thread";

/// A server, until it has ended.
#[pyclass(frozen, module = "sledsim._native")]
pub(crate) struct DeviceServer {
    owned: Mutex<Option<Owned>>,
    power: PowerSwitch,
}

/// A server, and what it was made of.
struct Owned {
    server: Server,
    system: System,
    scheduler: [String; 2],
    /// Until it runs.
    probe: Option<Probe>,
}

/// What a user says, but for the device.
#[derive(FromPyObject)]
struct Settings {
    name: String,
    description: String,
    socket: Option<PathBuf>,
    tcp: Option<String>,
    bytes: u64,
    image: Option<PathBuf>,
    is_read_only: bool,
    durability: String,
    time_scale: String,
    spin_us: f64,
    lead_us: f64,
    history: Option<PathBuf>,
    device: String,
    probe_seed: Option<u64>,
    power: Power,
}

/// When power is lost, if it is, and how.
#[derive(FromPyObject)]
struct Power {
    at_s: Option<f64>,
    after: Option<u64>,
    seed: u64,
    torn: String,
}

impl Power {
    fn plan(&self) -> PyResult<PowerPlan> {
        let torn = one_of("torn", &self.torn, &Torn::ALL)?;
        let at_ns = self.at_s.map(|at_s| (at_s * NANOS_PER_S) as u64);
        Ok(PowerPlan { at_ns, after: self.after, cut: PowerCut { seed: self.seed, torn } })
    }

    fn is_planned(&self) -> bool {
        self.at_s.is_some() || self.after.is_some()
    }
}

impl Settings {
    fn address(&self) -> Result<Address> {
        match (&self.socket, &self.tcp) {
            (Some(path), _) => Ok(Address::Unix(path.clone())),
            (_, Some(text)) => text.parse().map(Address::Tcp).map_err(|_| {
                Error::Parameter(format!(
                    "tcp: expected an address and a port such as 127.0.0.1:10809, found {text:?}"
                ))
            }),
            _ => Err(Error::Parameter("expected a socket or an address, found neither".into())),
        }
    }

    /// What clients are told of the device, that they order requests for it where it has a mechanism.
    fn export(&self, simulation: &Simulation) -> Result<Export> {
        let is_moving = |station: &Station| !station.device().location().is_empty();
        let is_rotational = simulation.stations().iter().any(|(_, station)| is_moving(station));
        let export = Export::new(&*self.name, &*self.description, self.bytes);
        let export = export.map_err(|error| Error::Parameter(error.to_string()))?;
        Ok(export.read_only(self.is_read_only).rotational(is_rotational).multi_conn(true))
    }

    fn contents(&self) -> PyResult<Contents> {
        let store: Box<dyn Store + Send> = match &self.image {
            None => Box::new(Memory::new(self.bytes)),
            Some(path) if self.is_read_only => {
                Box::new(ImageFile::open_read_only(path, self.bytes).map_err(opening)?)
            }
            Some(path) => Box::new(ImageFile::open(path, self.bytes).map_err(opening)?),
        };
        let durability = one_of("cache", &self.durability, &Durability::ALL)?;
        let Some(list) = self.image.as_deref().map(list_beside) else {
            return Ok(Contents::new(store, Unreadable::default(), durability));
        };
        let unreadable = Unreadable::load(&list, self.bytes / SECTOR_BYTES).map_err(listing)?;
        let contents = Contents::new(store, unreadable, durability);
        Ok(if self.is_read_only { contents } else { contents.with_list(list) })
    }
}

fn opening(error: OpenError) -> PyErr {
    match error {
        OpenError::Io { path, source } => fault(Error::Io { path: path.display().to_string(), source }),
        other => ParameterError::new_err(other.to_string()),
    }
}

fn listing(error: ListError) -> PyErr {
    match error {
        ListError::Io { path, source } => fault(Error::Io { path: path.display().to_string(), source }),
        other => ParameterError::new_err(other.to_string()),
    }
}

/// The row of that name.
fn one_of<T: Copy>(key: &str, found: &str, all: &[(&'static str, T, &'static str)]) -> PyResult<T> {
    let row = all.iter().find(|(name, _, _)| *name == found);
    row.map(|(_, value, _)| *value)
        .ok_or_else(|| fault(unknown_name(key, found, all.iter().map(|(name, _, _)| *name))))
}

impl DeviceServer {
    fn lock(&self) -> PyResult<MutexGuard<'_, Option<Owned>>> {
        self.owned.try_lock().map_err(|_| ParameterError::new_err(IN_USE))
    }
}

fn ended() -> PyErr {
    ParameterError::new_err(ENDED)
}

#[pymethods]
impl DeviceServer {
    /// Opens the door; nobody is served yet.
    #[new]
    fn new(
        py: Python<'_>,
        target: Target<'_>,
        scheduler: Option<Text>,
        settings: Settings,
    ) -> PyResult<Self> {
        let policy = target.policy(scheduler.as_deref()).map_err(fault)?;
        let system = target.system(&policy);
        python_names::refuse(&system, &policy, IN_PYTHON).map_err(fault)?;
        let made = || Simulation::new(&system, 1, Record::new(select("all")?, 0));
        let simulation = py.detach(|| raised_by_python(made))?.map_err(fault)?;
        let address = settings.address().map_err(fault)?;
        let export = settings.export(&simulation).map_err(fault)?;
        let scale: TimeScale = settings.time_scale.parse().map_err(ParameterError::new_err)?;
        let [spin_ns, lead_ns] = [settings.spin_us, settings.lead_us].map(|us| (us * NANOS_PER_US) as u64);
        let mut emulator = Emulator::new(simulation, settings.contents()?, scale, lead_ns);
        if let Some(path) = &settings.history {
            let begun = py.detach(|| emulator.keep_history(path, &settings.device));
            begun.map_err(|source| fault(Error::Io { path: path.display().to_string(), source }))?;
        }
        let path = address.to_string();
        let failed = |source| fault(Error::Io { path: path.clone(), source });
        let mut server = Server::bind(&address, export, emulator, spin_ns).map_err(failed)?;
        let probe = settings.probe_seed.map(|seed| Probe::connect(server.address(), seed));
        let probe = probe.transpose().map_err(failed)?;
        if let Some(probe) = &probe {
            server.expect(probe.peer().clone());
        }
        // Who plans nothing may still cut the power of a device, but not that of a volume.
        if settings.power.is_planned() || matches!(system, System::Device(_)) {
            server.plan_power(settings.power.plan()?).map_err(fault)?;
        }
        let (power, scheduler) = (server.power_switch(), [policy.name(), policy.name_in_full()]);
        Ok(Self { owned: Mutex::new(Some(Owned { server, system, scheduler, probe })), power })
    }

    /// Answers are sent so much earlier, where they are certain, from now on.
    fn lead(&self, lead_us: f64) -> PyResult<()> {
        let mut served = self.lock()?;
        served.as_mut().ok_or_else(ended)?.server.lead((lead_us * NANOS_PER_US) as u64);
        Ok(())
    }

    fn uri(&self) -> PyResult<String> {
        self.lock()?.as_ref().map(|served| served.server.address().to_string()).ok_or_else(ended)
    }

    /// Serves until `observe` returns false, which is told some times a second how it goes, if it was told nothing since;
    /// `sink` is given rows as requests are over. Whether the thread that serves had real-time priority, and of a probe
    /// its connection and how long its answers took, in nanoseconds.
    fn serve<'py>(
        &self,
        py: Python<'py>,
        realtime: Text,
        once: bool,
        observe: Py<PyAny>,
        sink: Py<PyAny>,
    ) -> PyResult<(bool, Option<Probed<'py>>)> {
        let realtime = one_of("realtime", &realtime, &Realtime::ALL)?;
        let mut served = self.lock()?;
        let Owned { server, probe, .. } = served.as_mut().ok_or_else(ended)?;
        let probe = probe.take();
        let closer = probe.as_ref().map(Probe::closer);
        let names = server.emulator().devices();
        let (told, heard) = channel();
        let rows = told.clone();
        server.hand_rows_to(Box::new(move |record, served| {
            drop(rows.send(Told::Rows(Box::new(record), served)))
        }));
        let (waker, breaks) = (server.waker(), AtomicBool::new(false));
        // The thread that serves has nothing to do with the interpreter, whose lock may take long.
        let (observe, sink, names) = (&observe, &sink, &names);
        let observing = move || {
            let ran = thread::scope(|scope| {
                let probing = probe.map(|probe| scope.spawn(|| probe.run()));
                let serving = scope.spawn(|| {
                    let is_preferred = realtime.apply().map_err(|error| failed(error.into()))?;
                    let mut tell = |status: &Status| {
                        let _ = told.send(Told::Status(status.clone()));
                        if breaks.swap(false, Ordering::Relaxed) {
                            ControlFlow::Break(())
                        } else {
                            ControlFlow::Continue(())
                        }
                    };
                    let ran = server.run(once, &mut tell).map_err(failed);
                    ran.map(|()| (is_preferred, server.own_connection()))
                });
                let mut raised = Ok(());
                while !serving.is_finished() {
                    let message = heard.recv_timeout(LISTENED_EVERY).ok();
                    let said = Python::attach(|py| hear(py, message, observe, sink, names));
                    if !matches!(said, Ok(true)) {
                        raised = raised.and(said.map(drop));
                        breaks.store(true, Ordering::Relaxed);
                        waker.wake();
                    }
                }
                let result = serving.join().unwrap_or_else(|panic| resume_unwind(panic));
                // Nobody answers it any more.
                closer.iter().for_each(Closer::close);
                let seen = probing.map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
                (result, seen, raised)
            });
            (ran, heard)
        };
        let ((result, seen_ns, raised), heard) = py.detach(observing);
        for message in heard.try_iter() {
            hear(py, Some(message), observe, sink, names)?;
        }
        raised?;
        let (is_preferred, connection) = result.map_err(fault)?;
        let probed =
            connection.zip(seen_ns).map(|(connection, seen_ns)| (connection, seen_ns.into_pyarray(py)));
        Ok((is_preferred, probed))
    }

    /// How long answers take that cost the device nothing, in nanoseconds: a client asks a server at a socket of that path,
    /// or at a port.
    #[staticmethod]
    fn floor<'py>(
        py: Python<'py>,
        socket: Option<PathBuf>,
        realtime: Text,
        spin_us: f64,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let realtime = one_of("realtime", &realtime, &Realtime::ALL)?;
        let address = socket.map_or(Address::Tcp(([127, 0, 0, 1], 0).into()), Address::Unix);
        let measured = || floor(&address, realtime, (spin_us * NANOS_PER_US) as u64);
        Ok(py.detach(measured).map_err(|error| fault(failed(error)))?.into_pyarray(py))
    }

    /// Cuts the power, if the device is one that can lose it; from any thread.
    fn cut_power(&self) {
        self.power.cut();
    }

    /// What a loss of power has taken, if there was one.
    fn loss<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let owned = self.lock()?;
        let Some(loss) = owned.as_ref().ok_or_else(ended)?.server.loss() else { return Ok(None) };
        let all = PyDict::new(py);
        for (name, value) in [
            ("at_ns", loss.at_ns),
            ("unanswered", loss.unanswered),
            ("unflushed_sectors", loss.unflushed_sectors),
            ("lost_sectors", loss.lost_sectors),
            ("written_sectors", loss.written_sectors),
            ("torn_sectors", loss.torn_sectors),
        ] {
            all.set_item(name, value)?;
        }
        Ok(Some(all))
    }

    /// Ends it, whatever it has served.
    fn close(&self) -> PyResult<()> {
        self.lock()?.take();
        Ok(())
    }

    /// The sectors of 512 bytes that the whole device has.
    #[staticmethod]
    fn sectors(target: Target<'_>) -> u64 {
        target.sectors()
    }

    /// Closes the history, if there is one: whether it is whole.
    fn close_history(&self, py: Python<'_>) -> PyResult<Option<bool>> {
        let mut served = self.lock()?;
        let server = &mut served.as_mut().ok_or_else(ended)?.server;
        let closed = py.detach(|| server.close_history()).transpose();
        closed.map_err(|source| fault(Error::Io { path: "the history".into(), source }))
    }

    /// Ends it: columns and totals of the simulation, and what became of each request.
    #[allow(clippy::type_complexity)]
    fn finish<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let Owned { server, system, scheduler, .. } = self.lock()?.take().ok_or_else(ended)?;
        let finish = || server.into_emulator().finish();
        let (mut outcome, rows) = py.detach(finish).map_err(|error| PyOSError::new_err(error.to_string()))?;
        let record = std::mem::take(&mut outcome.record);
        let totals = totals(py, &outcome, &system, &scheduler)?;
        Ok((columns(py, record)?, served_columns(py, &rows)?, totals))
    }
}

/// The connection of a probe, and what it has seen.
type Probed<'py> = (u64, Bound<'py, PyArray1<u64>>);

/// What the thread that serves has to say.
enum Told {
    Status(Status),
    Rows(Box<Record>, Vec<Served>),
}

/// How often signals are listened to.
const LISTENED_EVERY: Duration = Duration::from_millis(100);

/// Tells Python; whether it is to go on.
fn hear(
    py: Python<'_>,
    message: Option<Told>,
    observe: &Py<PyAny>,
    sink: &Py<PyAny>,
    names: &[String],
) -> PyResult<bool> {
    py.check_signals()?;
    match message {
        Some(Told::Rows(record, rows)) => {
            let all = (columns(py, *record)?, served_columns(py, &rows)?, names.to_vec());
            sink.call1(py, all).map(|_| true)
        }
        Some(Told::Status(status)) => observe.call1(py, (told(py, &status)?,))?.extract(py),
        None => observe.call1(py, (py.None(),))?.extract(py),
    }
}

fn failed(error: ServeError) -> Error {
    match error {
        ServeError::Io(source) => Error::Io { path: "the server".into(), source },
        ServeError::Realtime(error) => Error::Parameter(error.to_string()),
        ServeError::Simulation(error) => error,
    }
}

fn told<'py>(py: Python<'py>, status: &Status) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("now_ns", status.now_ns)?;
    all.set_item("clients", status.clients)?;
    all.set_item("clients_ever", status.clients_ever)?;
    all.set_item("waiting", status.waiting)?;
    all.set_item("answered", status.answered)?;
    let latest_ns = (status.latest_ns != i64::MIN).then_some(status.latest_ns);
    all.set_item("latest_ns", latest_ns)?;
    let location = PyDict::new(py);
    status.location.iter().try_for_each(|(name, value)| location.set_item(name, value))?;
    all.set_item("location", location)?;
    Ok(all)
}

/// One row each for the requests of the simulation: an answer that nobody was left to be sent has no time.
fn served_columns<'py>(py: Python<'py>, rows: &[Served]) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let kinds = rows.iter().map(|row| u8::from(row.kind == Kind::WriteZeroes)).collect::<Vec<_>>();
    let connections = rows.iter().map(|row| row.connection as i64).collect::<Vec<_>>();
    let due = rows.iter().map(|row| row.due_ns as i64).collect::<Vec<_>>();
    let sent = rows.iter().map(|row| row.sent_ns.map_or(-1, |ns| ns as i64)).collect::<Vec<_>>();
    all.set_item("zeroes", kinds.into_pyarray(py))?;
    all.set_item("connection", connections.into_pyarray(py))?;
    all.set_item("due_ns", due.into_pyarray(py))?;
    all.set_item("sent_ns", sent.into_pyarray(py))?;
    Ok(all)
}
