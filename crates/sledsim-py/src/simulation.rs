//! The class `Simulation`, a run that Python advances step by step.

use std::sync::{Mutex, MutexGuard};

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::error::Result;
use sledsim::observer::Observer;
use sledsim::record::{select, Record};
use sledsim::request::{kind, Durable, Op, Request, KINDS};
use sledsim::sched::Policy;
use sledsim::simulation;
use sledsim::station::Station;
use sledsim::system::System;
use sledsim::time::Time;
use sledsim::volume::HostRequest;
use sledsim::workload::Arrival;

use crate::convert::{fault, Progress};
use crate::exceptions::{ParameterError, TraceError};
use crate::raised::raised_by_python;
use crate::run::{columns, totals};
use crate::text::Text;
use crate::volume::Target;
use crate::watched::watched;

/// Largest number of simulated devices, each of which has its own tables.
const DEVICES_MAX: u32 = 4096;

/// A run that can be advanced by one thread at a time. After its end, it holds the reason for the end instead.
#[pyclass(frozen, module = "sledsim._native")]
pub(crate) struct Simulation(Mutex<Ongoing>);

type Ongoing = std::result::Result<Owned, &'static str>;

/// A run, with the system that it simulates.
#[derive(Clone)]
struct Owned {
    simulation: simulation::Simulation,
    /// True if Python code has raised an exception in the run; decisions after the exception are default
    /// values, not those of the code.
    has_raised: bool,
    system: System,
    /// Short name of the policy (without options that have their default value), and its complete name. A later
    /// policy is appended to both.
    scheduler: [String; 2],
}

const FINISHED: &str = "the simulation is finished";
const RAISED: &str = "the simulation has stopped: a policy or a seek model raised an exception";
const IN_USE: &str = "the simulation is in use by another thread, or by the method that runs this callback";

/// Numbers of completed requests, and their completion times in ns.
type Completions<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

fn completions(py: Python<'_>, all: Vec<(u32, Time)>) -> Completions<'_> {
    let (rows, times): (Vec<i64>, Vec<i64>) =
        all.into_iter().map(|(row, time)| (i64::from(row), time.0 as i64)).unzip();
    (rows.into_pyarray(py), times.into_pyarray(py))
}

impl Simulation {
    fn lock(&self) -> PyResult<MutexGuard<'_, Ongoing>> {
        self.0.try_lock().map_err(|_| ParameterError::new_err(IN_USE))
    }
}

/// Return the run; raise an error if it has ended.
fn owned(ongoing: &mut Ongoing) -> PyResult<&mut Owned> {
    match ongoing {
        Ok(owned) if owned.has_raised => Err(ParameterError::new_err(RAISED)),
        Ok(owned) => Ok(owned),
        Err(why) => Err(ParameterError::new_err(*why)),
    }
}

impl Owned {
    /// Run `work` on the simulation, without holding the interpreter.
    fn work<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut simulation::Simulation) -> Result<T> + Send,
    ) -> PyResult<Result<T>> {
        let simulation = &mut self.simulation;
        py.detach(|| raised_by_python(|| work(simulation))).inspect_err(|_| self.has_raised = true)
    }

    /// Advance the run, and report progress to Python.
    fn pass<'py>(
        &mut self,
        py: Python<'py>,
        progress: Option<Py<PyAny>>,
        pass: impl FnOnce(&mut simulation::Simulation, &mut Observer<'_>) -> Result<Vec<(u32, Time)>> + Send,
    ) -> PyResult<Completions<'py>> {
        let mut progress = Progress::new(py, progress)?;
        let told = self.work(py, |simulation| pass(simulation, &mut |done| progress.report(done)))?;
        Ok(completions(py, progress.outcome(told)?))
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python<'_>, target: Target<'_>, scheduler: Option<Text>, devices: i64) -> PyResult<Self> {
        let count = u32::try_from(devices).ok().filter(|count| (1..=DEVICES_MAX).contains(count));
        let Some(count) = count else {
            let text = format!("copies: expected a number from 1 to {DEVICES_MAX}, found {devices}");
            return Err(ParameterError::new_err(text));
        };
        let policy = target.policy(scheduler.as_deref()).map_err(fault)?;
        let system = target.system(&policy);
        let made = || {
            let record = Record::new(select("all")?, 0);
            simulation::Simulation::new(&system, count, record)
        };
        let simulation = py.detach(|| raised_by_python(made))?.map_err(fault)?;
        let scheduler = [policy.name(), policy.name_in_full()];
        Ok(Self(Mutex::new(Ok(Owned { simulation, has_raised: false, system, scheduler }))))
    }

    /// Submit requests. Return the number of the first one; the numbers of the others follow.
    #[allow(clippy::too_many_arguments)]
    fn submit(
        &self,
        py: Python<'_>,
        arrival_ns: PyReadonlyArray1<'_, i64>,
        lbn: PyReadonlyArray1<'_, i64>,
        blocks: PyReadonlyArray1<'_, i32>,
        kind: PyReadonlyArray1<'_, u8>,
        metadata: PyReadonlyArray1<'_, bool>,
        device: PyReadonlyArray1<'_, i32>,
    ) -> PyResult<u64> {
        let mut ongoing = self.lock()?;
        let owned = owned(&mut ongoing)?;
        let first = owned.simulation.arrived();
        let (lbn, blocks, device) = (lbn.as_slice()?, blocks.as_slice()?, device.as_slice()?);
        let (kind, metadata) = (kind.as_slice()?, metadata.as_slice()?);
        let arrival = |(row, ns): (usize, &i64)| {
            let wrong = |what, found: i64| {
                let text = format!("request {}: expected {what}, found {found}", first as usize + row);
                TraceError::new_err(text)
            };
            let request = HostRequest {
                traced_device: u32::try_from(device[row])
                    .map_err(|_| wrong("a device number of at least 0", device[row].into()))?,
                sector: u64::try_from(lbn[row]).map_err(|_| wrong("an LBN of at least 0", lbn[row]))?,
                sectors: u32::try_from(blocks[row])
                    .map_err(|_| wrong("one block or more", blocks[row].into()))?,
            };
            let time = u64::try_from(*ns).map_err(|_| wrong("an arrival time of at least 0", *ns))?;
            let (_, op, durable) = *KINDS
                .get(usize::from(kind[row]))
                .ok_or_else(|| wrong("a kind from 0 to 3", kind[row].into()))?;
            let mut arrival = Arrival { time: Time(time), op, durable, metadata: metadata[row], request };
            if durable == Durable::Earlier {
                // A flush has no place.
                arrival.request.sector = 0;
            }
            Ok(arrival)
        };
        let arrivals = arrival_ns.as_slice()?.iter().enumerate().map(arrival);
        let arrivals: Vec<Arrival> = arrivals.collect::<PyResult<_>>()?;
        owned.work(py, |simulation| simulation.submit_all(&arrivals))?.map_err(fault)
    }

    fn advance<'py>(&self, py: Python<'py>, until_ns: u64) -> PyResult<Completions<'py>> {
        owned(&mut *self.lock()?)?
            .pass(py, None, |simulation, observe| simulation.advance(Time(until_ns), observe))
    }

    fn drain<'py>(&self, py: Python<'py>, progress: Option<Py<PyAny>>) -> PyResult<Completions<'py>> {
        owned(&mut *self.lock()?)?.pass(py, progress, simulation::Simulation::drain)
    }

    fn certain<'py>(&self, py: Python<'py>) -> PyResult<Completions<'py>> {
        Ok(completions(py, owned(&mut *self.lock()?)?.simulation.certain()))
    }

    fn next_event_ns(&self) -> PyResult<Option<u64>> {
        Ok(owned(&mut *self.lock()?)?.simulation.next_event().map(|time| time.0))
    }

    fn now_ns(&self) -> PyResult<u64> {
        Ok(owned(&mut *self.lock()?)?.simulation.now().0)
    }

    fn arrived(&self) -> PyResult<u64> {
        Ok(owned(&mut *self.lock()?)?.simulation.arrived())
    }

    fn pending(&self) -> PyResult<u64> {
        Ok(owned(&mut *self.lock()?)?.simulation.pending())
    }

    /// Return the queue of each device, and the request that it serves.
    fn stations<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut ongoing = self.lock()?;
        let owned = owned(&mut ongoing)?;
        let (now, is_device) = (owned.simulation.now(), matches!(owned.system, System::Device(_)));
        let all = owned.simulation.stations();
        raised_by_python(|| {
            all.iter().map(|(name, station)| state(py, name, station, now, is_device)).collect()
        })?
    }

    /// Record the events of the requests with these row numbers from now on.
    fn watch(&self, rows: Vec<u32>) -> PyResult<()> {
        owned(&mut *self.lock()?)?.simulation.watch(rows).map_err(fault)
    }

    /// Return the events that have been recorded.
    fn watched<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        watched(py, &owned(&mut *self.lock()?)?.simulation)
    }

    /// Return a copy of the run in its present state. The copy uses the policy `scheduler` if it is not None.
    fn copy(&self, py: Python<'_>, scheduler: Option<Text>) -> PyResult<Self> {
        let mut ongoing = self.lock()?;
        let owned = owned(&mut ongoing)?;
        let policy = scheduler.map(|text| Policy::parse(&text)).transpose().map_err(fault)?;
        let copied = || {
            let mut copied = owned.clone();
            if let Some(policy) = &policy {
                copied.simulation.change_policy(policy)?;
                // The name of the policy must tell that it changed during the run.
                let from = format!("from {} ns on", copied.simulation.now().0);
                for (before, after) in copied.scheduler.iter_mut().zip([policy.name(), policy.name_in_full()])
                {
                    *before = format!("{before}, {from} {after}");
                }
            }
            Ok(copied)
        };
        Ok(Self(Mutex::new(Ok(py.detach(|| raised_by_python(copied))?.map_err(fault)?))))
    }

    /// End the run. Return its columns and totals, as `simulate` does.
    fn finish<'py>(
        &self,
        py: Python<'py>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let mut ongoing = self.lock()?;
        owned(&mut ongoing)?.pass(py, progress, simulation::Simulation::drain)?;
        let finished = std::mem::replace(&mut *ongoing, Err(FINISHED));
        let Owned { simulation, system, scheduler, .. } = finished.map_err(ParameterError::new_err)?;
        let outcome = simulation.into_outcome();
        let totals = totals(py, &outcome, &system, &scheduler)?;
        Ok((columns(py, outcome.record)?, totals))
    }
}

/// Return the state of a device: the request in service and the waiting requests. The waiting requests are in
/// the order in which the policy would serve them from the device's position after the request in service.
fn state<'py>(
    py: Python<'py>,
    name: &str,
    station: &Station,
    now: Time,
    is_device: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let (all, free) = (PyDict::new(py), station.free_from(now));
    let device = station.device();
    let one = |request: &Request| {
        let one = PyDict::new(py);
        // A device below a volume serves parts of requests, which have no id.
        one.set_item("id", is_device.then_some(request.row))?;
        one.set_item("lbn", request.lbn)?;
        one.set_item("blocks", request.blocks)?;
        one.set_item("write", request.op == Op::Write && !request.is_flush())?;
        one.set_item("kind", KINDS[usize::from(kind(request.op, request.durable))].0)?;
        one.set_item("arrival_ns", request.arrival.0)?;
        Ok::<_, PyErr>(one)
    };
    let waits = |request: &Request| {
        let one = one(request)?;
        // A flush has no place.
        let has_place = !request.is_flush();
        let positioning_s = has_place.then(|| device.positioning(free, request).as_s());
        one.set_item("positioning_s", positioning_s)?;
        one.set_item("access_s", has_place.then(|| device.access(free, request).as_s()))?;
        Ok::<_, PyErr>(one)
    };
    all.set_item("device", name)?;
    all.set_item("free_ns", free.0)?;
    let location = PyDict::new(py);
    device.location().into_iter().try_for_each(|(name, value)| location.set_item(name, value))?;
    all.set_item("location", location)?;
    all.set_item("serving", station.serving().map(one).transpose()?)?;
    let waiting = station.waiting(free);
    all.set_item("waiting", waiting.iter().map(waits).collect::<PyResult<Vec<_>>>()?)?;
    all.set_item("not_ready", station.not_ready())?;
    Ok(all)
}
