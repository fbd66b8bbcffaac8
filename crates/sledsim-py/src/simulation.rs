//! The class `Simulation`: a run that Python takes step by step.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::request::{Op, Request};
use sledsim::sched::Policy;
use sledsim::simulation;
use sledsim::station::Station;
use sledsim::system::System;
use sledsim::time::Time;
use sledsim::volume::HostRequest;
use sledsim::workload::Arrival;

use crate::convert::{fault, Progress};
use crate::raised::raised_by_python;
use crate::run::{columns, totals};
use crate::text::Text;
use crate::volume::Target;
use crate::{ParameterError, TraceError};

/// More simulated devices than anybody needs at once; each has tables of its own.
const DEVICES_MAX: u32 = 4096;

/// A run, and what it is on; none of it is left once it is finished.
#[pyclass(module = "sledsim._native")]
pub(crate) struct Simulation {
    simulation: Option<simulation::Simulation>,
    system: System,
    policy: Policy,
}

/// Numbers of requests, and times in nanoseconds.
type Completions<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

fn completions(py: Python<'_>, all: Vec<(u32, Time)>) -> Completions<'_> {
    let (rows, times): (Vec<i64>, Vec<i64>) =
        all.into_iter().map(|(row, time)| (i64::from(row), time.0 as i64)).unzip();
    (rows.into_pyarray(py), times.into_pyarray(py))
}

/// A time that Python gives.
fn time(ns: i64) -> PyResult<Time> {
    let wrong = || TraceError::new_err(format!("expected a time of 0 ns or later, found {ns} ns"));
    u64::try_from(ns).map(Time).map_err(|_| wrong())
}

impl Simulation {
    fn running(&self) -> PyResult<&simulation::Simulation> {
        self.simulation.as_ref().ok_or_else(|| ParameterError::new_err("the simulation is finished"))
    }

    fn running_mut(&mut self) -> PyResult<&mut simulation::Simulation> {
        self.simulation.as_mut().ok_or_else(|| ParameterError::new_err("the simulation is finished"))
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python<'_>, target: Target<'_>, scheduler: Option<Text>, devices: u32) -> PyResult<Self> {
        if !(1..=DEVICES_MAX).contains(&devices) {
            return Err(ParameterError::new_err(format!(
                "devices: expected 1 to {DEVICES_MAX}, found {devices}"
            )));
        }
        let policy = target.policy(scheduler.as_deref()).map_err(fault)?;
        let system = target.system(&policy);
        let made = || simulation::Simulation::new(&system, devices, 0);
        let simulation = py.detach(|| raised_by_python(made))?.map_err(fault)?;
        Ok(Self { simulation: Some(simulation), system, policy })
    }

    /// The number of the first of the requests; the others follow.
    #[allow(clippy::too_many_arguments)]
    fn submit(
        &mut self,
        py: Python<'_>,
        arrival_ns: PyReadonlyArray1<'_, i64>,
        lbn: PyReadonlyArray1<'_, i64>,
        blocks: PyReadonlyArray1<'_, i32>,
        write: PyReadonlyArray1<'_, bool>,
        metadata: PyReadonlyArray1<'_, bool>,
        device: PyReadonlyArray1<'_, i32>,
    ) -> PyResult<u32> {
        let simulation = self.running_mut()?;
        let (lbn, blocks, device) = (lbn.as_array(), blocks.as_array(), device.as_array());
        let (write, metadata) = (write.as_array(), metadata.as_array());
        let first = simulation.arrived() as usize;
        let arrival = |(row, ns): (usize, &i64)| {
            let wrong = |what, found: i64| {
                TraceError::new_err(format!(
                    "request {}: expected {what} of 0 or more, found {found}",
                    first + row
                ))
            };
            let request = HostRequest {
                traced_device: u32::try_from(device[row])
                    .map_err(|_| wrong("a device", device[row].into()))?,
                sector: u64::try_from(lbn[row]).map_err(|_| wrong("an LBN", lbn[row]))?,
                sectors: blocks[row].max(0) as u32,
            };
            let time = u64::try_from(*ns).map(Time).map_err(|_| wrong("an arrival time", *ns))?;
            let op = if write[row] { Op::Write } else { Op::Read };
            Ok(Arrival { time, op, metadata: metadata[row], request })
        };
        let arrivals: Vec<Arrival> =
            arrival_ns.as_array().iter().enumerate().map(arrival).collect::<PyResult<_>>()?;
        py.detach(|| raised_by_python(|| simulation.submit_all(&arrivals)))?.map_err(fault)
    }

    fn advance<'py>(&mut self, py: Python<'py>, until_ns: i64) -> PyResult<Completions<'py>> {
        let (simulation, until) = (self.running_mut()?, time(until_ns)?);
        let told = py.detach(|| raised_by_python(|| simulation.advance(until)))?;
        Ok(completions(py, told.map_err(fault)?))
    }

    fn drain<'py>(&mut self, py: Python<'py>, progress: Option<Py<PyAny>>) -> PyResult<Completions<'py>> {
        let simulation = self.running_mut()?;
        let mut progress = Progress::new(py, progress)?;
        let told = py.detach(|| raised_by_python(|| simulation.drain(&mut |done| progress.report(done))))?;
        Ok(completions(py, progress.outcome(told)?))
    }

    fn certain<'py>(&self, py: Python<'py>) -> PyResult<Completions<'py>> {
        Ok(completions(py, self.running()?.certain()))
    }

    fn next_event_ns(&self) -> PyResult<Option<u64>> {
        Ok(self.running()?.next_event().map(|time| time.0))
    }

    fn now_ns(&self) -> PyResult<u64> {
        Ok(self.running()?.now().0)
    }

    fn pending(&self) -> PyResult<u64> {
        Ok(self.running()?.pending())
    }

    /// Each device with what it serves and what waits there.
    fn stations<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let simulation = self.running()?;
        let (now, is_device) = (simulation.now(), matches!(self.system, System::Device(_)));
        let all = simulation.stations();
        let all = raised_by_python(|| {
            all.iter().map(|(name, station)| state(py, name, station, now, is_device)).collect()
        })?;
        all
    }

    /// A copy, with another policy if one is given.
    fn copy(&self, py: Python<'_>, scheduler: Option<Text>) -> PyResult<Self> {
        let simulation = self.running()?;
        let policy = scheduler.map(|text| Policy::parse(&text)).transpose().map_err(fault)?;
        let copied = || {
            let mut simulation = simulation.clone();
            if let Some(policy) = &policy {
                simulation.change_policy(policy)?;
            }
            Ok(simulation)
        };
        let simulation = py.detach(|| raised_by_python(copied))?.map_err(fault)?;
        let policy = policy.unwrap_or_else(|| self.policy.clone());
        Ok(Self { simulation: Some(simulation), system: self.system.clone(), policy })
    }

    /// Columns and totals, as those of `simulate`; nothing is left here.
    fn finish<'py>(
        &mut self,
        py: Python<'py>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        self.drain(py, progress)?;
        let outcome = self.simulation.take().expect("it has run until now").into_outcome();
        let totals = totals(py, &outcome, &self.system, &self.policy)?;
        Ok((columns(py, outcome.record)?, totals))
    }
}

/// A device, what it serves and what waits there, in the order in which the policy would serve it from where the device
/// is, or will be once it is free.
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
        // Below a volume it is a part of some request.
        one.set_item("id", is_device.then_some(request.row))?;
        one.set_item("lbn", request.lbn)?;
        one.set_item("blocks", request.blocks)?;
        one.set_item("write", request.op == Op::Write)?;
        one.set_item("arrival_ns", request.arrival.0)?;
        Ok::<_, PyErr>(one)
    };
    let waits = |request: &Request| {
        let one = one(request)?;
        one.set_item("positioning_s", device.positioning(free, request).as_s())?;
        one.set_item("access_s", device.access(free, request).as_s())?;
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
