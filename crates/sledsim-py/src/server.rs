//! The class `DeviceServer`, which serves a simulated device to real programs.

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
use sledsim::error::Error;
use sledsim::record::{select, Record};
use sledsim::simulation::Simulation;
use sledsim::system::System;
use sledsim::volume::Noted;
use sledsim_emulator::client::{floor, Closer, Probe};
use sledsim_emulator::emulator::{Emulator, Served};
use sledsim_emulator::nbd::Kind;
use sledsim_emulator::server::{Address, PowerSwitch, Realtime, ServeError, Server, Status};
use sledsim_emulator::timing::TimeScale;

use crate::convert::fault;
use crate::exceptions::ParameterError;
use crate::python_names;
use crate::raised::raised_by_python;
use crate::run::{columns, totals};
use crate::server_settings::{one_of, Settings};
use crate::streamed::Note;
use crate::text::Text;
use crate::volume::Target;

const NANOS_PER_US: f64 = 1e3;
const IN_PYTHON: &str = "written in Python: each decision of Python code would delay the server";
const ENDED: &str = "the server has ended";
const IN_USE: &str = "the server is in use by another thread";

/// A server that serves requests. After its end, `owned` is empty, and the server can only report its end.
#[pyclass(frozen, module = "sledsim._native")]
pub(crate) struct DeviceServer {
    owned: Mutex<Option<Owned>>,
    power: PowerSwitch,
}

/// A server, with the system and the policy from which it was made.
struct Owned {
    server: Server,
    system: System,
    scheduler: [String; 2],
    /// The latency probe, until the server starts to serve.
    probe: Option<Probe>,
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
    /// Make a server that listens at its address; clients are not served before `serve` is called.
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
        let stations = simulation.stations();
        let sectors: Vec<u64> = stations.iter().map(|(_, station)| station.device().sectors()).collect();
        let mut emulator = Emulator::new(simulation, settings.contents()?, scale, lead_ns);
        settings.put_on_members(&mut emulator, &sectors)?;
        if let Some(path) = &settings.history {
            let begun = py.detach(|| emulator.keep_history(path, &settings.device));
            begun.map_err(|source| fault(Error::Io { path: path.display().to_string(), source }))?;
        }
        let path = address.to_string();
        let failed = |source| fault(Error::Io { path: path.clone(), source });
        let mut server = Server::bind(&address, export, emulator, spin_ns).map_err(failed)?;
        // An unplanned power failure is possible for a single device, and for a volume with its contents on members.
        let can_lose_power = settings.is_on_members() || matches!(system, System::Device(_));
        if settings.power.is_planned() || can_lose_power {
            server.plan_power(settings.power.plan()?).map_err(fault)?;
        }
        let probe = settings.probe_seed.map(|seed| Probe::connect(server.address(), seed));
        let probe = probe.transpose().map_err(failed)?;
        if let Some(probe) = &probe {
            server.expect(probe.peer().clone());
        }
        let (power, scheduler) = (server.power_switch(), [policy.name(), policy.name_in_full()]);
        Ok(Self { owned: Mutex::new(Some(Owned { server, system, scheduler, probe })), power })
    }

    /// Set the lead in microseconds by which replies are sent early, if no later request can change them.
    fn lead(&self, lead_us: f64) -> PyResult<()> {
        let mut served = self.lock()?;
        served.as_mut().ok_or_else(ended)?.server.lead((lead_us * NANOS_PER_US) as u64);
        Ok(())
    }

    /// Return true if the server replaced the socket of a dead one.
    fn took_over(&self) -> PyResult<bool> {
        self.lock()?.as_ref().map(|served| served.server.took_over()).ok_or_else(ended)
    }

    fn uri(&self) -> PyResult<String> {
        self.lock()?.as_ref().map(|served| served.server.address().to_string()).ok_or_else(ended)
    }

    /// Serve until `observe` returns false. `observe` receives the status of the server several times a second,
    /// except while an earlier call runs. `sink` receives rows of finished requests. Return true if the serving
    /// thread had real-time priority; and, for the latency probe, the number of its connection and its
    /// latencies in ns.
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
        // The serving thread does not use the interpreter, whose lock may take long.
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
                // The probe gets no more answers.
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

    /// Measure response times, in ns, of a device that takes no time. A client sends requests to a server that
    /// listens at the Unix socket `socket`, or at a TCP port if `socket` is None.
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
        let trips_ns = py.detach(measured).map_err(|error| fault(failed(error)))?;
        // Handle pending signals first: the first array imports NumPy, which a signal would break off.
        py.check_signals()?;
        Ok(trips_ns.into_pyarray(py))
    }

    /// Return the notes (metadata) that the volume found on its members at the start: member, sector, words,
    /// and true if the sealed sectors are unchanged. Return None if the members were new.
    fn notes(&self) -> PyResult<Option<Vec<Note>>> {
        let served = self.lock()?;
        let notes = served.as_ref().ok_or_else(ended)?.server.emulator().notes();
        let told = |(member, sector, noted): &(u32, u64, Noted)| {
            (*member, *sector, noted.words.clone(), noted.is_whole)
        };
        Ok(notes.map(|notes| notes.iter().map(told).collect()))
    }

    /// Cut the power of the served device, if its power can fail. Any thread may call this.
    fn cut_power(&self) {
        self.power.cut();
    }

    /// Return the effect of the power failure; None if the power did not fail.
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

    /// End the server.
    fn close(&self) -> PyResult<()> {
        self.lock()?.take();
        Ok(())
    }

    /// Close the history of writes. Return true if the history is complete, false if it ended early, and None
    /// if no history was recorded.
    fn close_history(&self, py: Python<'_>) -> PyResult<Option<bool>> {
        let mut served = self.lock()?;
        let server = &mut served.as_mut().ok_or_else(ended)?.server;
        let closed = py.detach(|| server.close_history()).transpose();
        closed.map_err(|source| fault(Error::Io { path: "the history".into(), source }))
    }

    /// End the server. Return the columns and totals of the simulation, and the times of the reply to each
    /// request.
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

/// Number of the probe's connection, and the latencies in ns that the probe measured.
type Probed<'py> = (u64, Bound<'py, PyArray1<u64>>);

/// A message from the serving thread to the thread that calls Python.
enum Told {
    Status(Status),
    Rows(Box<Record>, Vec<Served>),
}

/// Time after which a thread that waits for messages checks for signals.
const LISTENED_EVERY: Duration = Duration::from_millis(100);

/// Pass a message of the serving thread to the Python callables. Return true if the server shall continue.
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

/// Return the columns of the served requests. The time of sending is -1 if no client received the reply.
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
