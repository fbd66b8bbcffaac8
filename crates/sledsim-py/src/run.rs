//! The function `simulate`, and conversion of its results for Python.

use std::borrow::Cow;
use std::collections::BTreeMap;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use sledsim::device::mems::Mems;
use sledsim::energy::{EnergyOverTime, USES};
use sledsim::error::{Error, Result};
use sledsim::params::{DeviceParams, Mechanism, MemsParams};
use sledsim::record::{names, Phase, Record, Responses, Selection};
use sledsim::simulation::{DeviceOutcome, Outcome, Simulation};
use sledsim::system::System;
use sledsim::workload::{Columns, PastEnd, Replay, ReplayMode};

use crate::convert::{fault, Progress};
use crate::parameters::python_dict;
use crate::volume::Target;

/// Shares for which a summary gives quantiles of the response times.
const QUANTILES: [f64; 4] = [0.5, 0.95, 0.99, 0.999];

/// The results of a run, and the simulated system. The system has more sleds than the given one if sleds were
/// added to store the requested blocks.
pub(crate) struct Run {
    pub(crate) outcome: Outcome,
    /// Addresses of all requests, if any address was changed so that its request fits the device.
    pub(crate) lbn: Option<Vec<i64>>,
    pub(crate) remapped: u64,
    /// Row of the trace from which each row of the record comes; None if the record has the order of the trace.
    pub(crate) trace_rows: Option<Vec<u32>>,
    pub(crate) waited: usize,
    pub(crate) system: System,
}

/// Return the columns of a record by name.
pub(crate) fn columns(py: Python<'_>, record: Record) -> PyResult<Bound<'_, PyDict>> {
    let (all, kept) = (PyDict::new(py), names(record.selection()).collect::<Vec<_>>());
    macro_rules! set {
        ($($column:ident),*) => { $(
            if kept.contains(&stringify!($column)) {
                all.set_item(stringify!($column), record.$column.into_pyarray(py))?;
            }
        )* };
    }
    sledsim::for_each_column!(set);
    Ok(all)
}

/// Return the totals of a run, and the system that was simulated.
pub(crate) fn totals<'py>(
    py: Python<'py>,
    outcome: &Outcome,
    system: &System,
    [scheduler, scheduler_in_full]: &[String; 2],
) -> PyResult<Bound<'py, PyDict>> {
    let totals = PyDict::new(py);
    let sums = &outcome.totals;
    let [first, last] = sums.arrivals.unwrap_or_default();
    totals.set_item("requests", sums.requests)?;
    totals.set_item("flushes", sums.flushes)?;
    totals.set_item("first_arrival_ns", first.0)?;
    totals.set_item("last_arrival_ns", last.0)?;
    totals.set_item("last_completion_ns", sums.end.0)?;
    totals.set_item("busiest", busiest(py, outcome)?)?;
    let phases = Phase::ALL.iter().zip(sums.phases_ns).map(|((_, name), ns)| (*name, ns));
    totals.set_item("phases_ns", phases.collect::<Vec<_>>().into_py_dict(py)?)?;
    totals.set_item("responses", responses(py, &sums.responses)?)?;
    totals.set_item("flush_responses", responses(py, &sums.flush_responses)?)?;
    totals.set_item("busy_s", outcome.busy_s())?;
    totals.set_item("idle_energy_j", outcome.idle_energy_j())?;
    totals.set_item("background_energy_j", outcome.background_energy_j)?;
    totals.set_item("devices", devices(py, outcome)?)?;
    totals.set_item("volumes", outcome.volumes.clone())?;
    totals.set_item("parameters", python_dict(py, &parameters(system))?)?;
    totals.set_item("scheduler", scheduler)?;
    totals.set_item("scheduler_in_full", scheduler_in_full)?;
    Ok(totals)
}

/// Return the requests of the busiest second and minute, and the share of this time that they keep a device busy if each
/// takes the mean busy time of a request.
fn busiest<'py>(py: Python<'py>, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
    let (all, busy_s) = (PyDict::new(py), outcome.busy_s());
    let mean_s = busy_s.iter().sum::<f64>() / busy_s.len() as f64 / outcome.totals.transfers() as f64;
    let [second, minute] = outcome.totals.busiest.figures();
    for (name, of, width_s) in [("second", second, 1.0), ("minute", minute, 60.0)] {
        if of.most_requests > 0 {
            all.set_item(format!("busiest_{name}_requests"), of.most_requests)?;
            all.set_item(format!("busiest_{name}_busy_share"), of.most_requests as f64 * mean_s / width_s)?;
        }
    }
    Ok(all)
}

/// Return the figures of response times in ns; None without response times.
fn responses<'py>(py: Python<'py>, responses: &Responses) -> PyResult<Option<Bound<'py, PyDict>>> {
    if responses.count() == 0 {
        return Ok(None);
    }
    let all = PyDict::new(py);
    all.set_item("sum_ns", responses.sum_ns())?;
    all.set_item("std_ns", responses.deviation_ns())?;
    all.set_item("max_ns", responses.max_ns())?;
    all.set_item("quantiles_ns", responses.quantiles_ns(&QUANTILES))?;
    all.set_item("is_exact", responses.is_exact())?;
    Ok(Some(all))
}

/// Simulate all requests of a trace.
pub(crate) fn run(
    columns: Columns<'_>,
    (mut system, mut sectors): (System, u64),
    mode: &ReplayMode,
    scale: f64,
    rule: PastEnd,
    selection: Selection,
    progress: &mut Progress,
) -> Result<Run> {
    columns.check()?;
    let devices = columns.devices();
    if rule == PastEnd::Sleds && columns.end() > sectors {
        sectors = add_sleds(&mut system, columns.end())?;
    }
    if columns.arrival_ns.len() > u32::MAX as usize {
        return Err(Error::Trace(format!("requests of a run: expected at most {}, found more", u32::MAX)));
    }
    let recorded = columns.lbn.clone();
    let mut replay = mode.build(Replay::new(columns, scale, sectors, rule)?)?;
    let record = Record::found_out(selection, replay.expected());
    let outcome = Simulation::new(&system, devices, record)?.run(
        &mut *replay,
        &mut |done| progress.report(done),
        None,
    )?;
    let (lbn, remapped) = match &replay.columns().lbn {
        Cow::Owned(moved) => {
            let remapped = moved.iter().zip(&*recorded).filter(|(to, from)| to != from).count();
            (Some(moved.clone()), remapped as u64)
        }
        Cow::Borrowed(_) => (None, 0),
    };
    let trace_rows = replay.trace_rows().map(<[u32]>::to_vec);
    Ok(Run { outcome, lbn, remapped, trace_rows, waited: replay.waited(), system })
}

/// Return the smallest number of sleds with which a device has at least `sectors` sectors. Return None if the
/// device has no sleds, or cannot have this number of sectors.
#[pyfunction]
pub(crate) fn sleds_for(target: Target<'_>, sectors: u64) -> PyResult<Option<u64>> {
    let policy = target.policy(None).map_err(fault)?;
    let System::Device(plan) = target.system(&policy) else { return Ok(None) };
    let mems = plan.spec.parameters().as_mems("sleds").ok().filter(|mems| mems.mechanism == Mechanism::Sled);
    Ok(mems.and_then(|mems| mems.sleds_for(sectors).ok()))
}

/// Return true if the device or volume may complete a write before its data are on a medium.
#[pyfunction]
pub(crate) fn has_write_cache(target: Target<'_>) -> PyResult<bool> {
    let policy = target.policy(None).map_err(fault)?;
    let simulation = Simulation::new(&target.system(&policy), 1, Record::default()).map_err(fault)?;
    Ok(simulation.has_write_cache())
}

/// Add sleds to a device until it contains the sector with number `end`. Return the number of sectors of the
/// enlarged device.
fn add_sleds(system: &mut System, end: u64) -> Result<u64> {
    let System::Device(plan) = system else {
        return Err(Error::Parameter(
            "past_end = sleds: expected a device, found a volume, to which no sled can be added".into(),
        ));
    };
    let mems = plan.spec.parameters().as_mems("past_end = sleds")?;
    let larger = MemsParams { sleds: mems.sleds_for(end)?, ..mems.clone() };
    let sectors = Mems::new(&larger)?.usable_sectors();
    plan.spec.set_parameters(DeviceParams::Mems(Box::new(larger)));
    Ok(sectors)
}

/// Return the table from which the system can be built again: the parameters of a device, or a volume with its
/// members.
fn parameters(system: &System) -> toml::Table {
    match system {
        System::Device(plan) => plan.to_table(),
        System::Volume(_) => system.to_table(),
    }
}

fn devices<'py>(py: Python<'py>, outcome: &Outcome) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let one = |device: &DeviceOutcome| {
        let (all, totals) = (PyDict::new(py), &device.totals);
        all.set_item("name", &device.name)?;
        all.set_item("requests", totals.requests)?;
        all.set_item("flushes", totals.flushes)?;
        all.set_item("background_requests", totals.background_requests)?;
        all.set_item("blocks_read", totals.blocks_read)?;
        all.set_item("blocks_written", totals.blocks_written)?;
        all.set_item("busy_s", totals.busy.as_s())?;
        all.set_item("in_system_s", totals.request_s)?;
        all.set_item("energy_by_use_j", device.accounts().into_py_dict(py)?)?;
        all.set_item("energy_over_time", over_time(py, &device.over_time)?)?;
        all.set_item("counts", device.counts.iter().copied().collect::<BTreeMap<_, _>>())?;
        Ok(all)
    };
    outcome.devices.iter().map(one).collect()
}

/// Return the energy of each use in time steps of equal length. The first step begins at the first arrival.
/// Uses without energy are omitted.
fn over_time<'py>(py: Python<'py>, over_time: &EnergyOverTime) -> PyResult<Bound<'py, PyDict>> {
    let (all, uses_j) = (PyDict::new(py), PyDict::new(py));
    for (number, name) in USES.iter().enumerate() {
        let joules: Vec<f64> = over_time.of_use(number).collect();
        if joules.iter().any(|joules| *joules != 0.0) {
            uses_j.set_item(name, joules)?;
        }
    }
    all.set_item("begun_ns", over_time.begun().0)?;
    all.set_item("step_ns", over_time.step().0)?;
    all.set_item("uses_j", uses_j)?;
    Ok(all)
}
