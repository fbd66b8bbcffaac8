//! The function `simulate`.

use std::borrow::Cow;

use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::error::{Error, Result};
use sledsim::media::Geometry;
use sledsim::params::MemsParams;
use sledsim::sched::Policy;
use sledsim::simulation;
use sledsim::simulation::Outcome;
use sledsim::workload::{Columns, PastEnd, Replay, ReplayMode};

use crate::convert::{fault, python_dict, Progress};
use crate::device::Device;
use crate::raised::raised_by_python;

/// A run, and what it was in the end run on.
struct Run {
    outcome: Outcome,
    moved: Option<Vec<i64>>,
    /// The rows of the trace in the order of the record, where that is another.
    trace_rows: Option<Vec<u32>>,
    waited: usize,
    params: MemsParams,
}

#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    device: &Device,
    arrival_ns: PyReadonlyArray1<'py, i64>,
    lbn: PyReadonlyArray1<'py, i64>,
    blocks: PyReadonlyArray1<'py, i32>,
    write: PyReadonlyArray1<'py, bool>,
    metadata: PyReadonlyArray1<'py, bool>,
    traced_device: PyReadonlyArray1<'py, i32>,
    flags: PyReadonlyArray1<'py, u8>,
    response_ns: PyReadonlyArray1<'py, i64>,
    replay: &str,
    scheduler: &str,
    scale: f64,
    past_end: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
    let columns = Columns {
        arrival_ns: arrival_ns.as_slice()?,
        lbn: Cow::Borrowed(lbn.as_slice()?),
        blocks: blocks.as_slice()?,
        write: Cow::Borrowed(write.as_slice()?),
        metadata: metadata.as_slice()?,
        device: traced_device.as_slice()?,
        flags: flags.as_slice()?,
        response_ns: response_ns.as_slice()?,
    };
    let mode = ReplayMode::parse(replay).map_err(fault)?;
    let rule = PastEnd::try_from(past_end.to_owned()).map_err(fault)?;
    let policy = Policy::parse(scheduler).map_err(fault)?;
    let params = device.spec.parameters.clone();
    let mut progress = Progress::new(progress);
    let result =
        py.detach(|| raised_by_python(|| run(columns, params, &policy, &mode, scale, rule, &mut progress)))?;
    let Run { outcome, moved, trace_rows, waited, params } = progress.outcome(result)?;
    let remapped = moved.as_ref().map_or(0, |moved| {
        moved.iter().zip(lbn.as_slice().unwrap_or(&[])).filter(|(to, from)| to != from).count()
    });
    let totals = PyDict::new(py);
    totals.set_item("busy_s", outcome.busy_s)?;
    totals.set_item("idle_energy_j", outcome.idle_energy_j)?;
    totals.set_item("parameters", python_dict(py, &params.to_table())?)?;
    totals.set_item("remapped", remapped)?;
    totals.set_item("waited", waited)?;
    totals.set_item("replay", mode.name(false))?;
    totals.set_item("trace_rows", trace_rows.map(|rows| rows.into_pyarray(py)))?;
    totals.set_item("scheduler", policy.name())?;
    totals.set_item("scheduler_in_full", policy.name_in_full())?;
    let record = outcome.record;
    let all = PyDict::new(py);
    macro_rules! set {
        ($($column:ident),*) => { $( all.set_item(stringify!($column), record.$column.into_pyarray(py))?; )* };
    }
    sledsim::for_each_column!(set);
    match moved {
        Some(moved) => all.set_item("lbn", moved.into_pyarray(py))?,
        None => all.set_item("lbn", lbn.as_untyped())?,
    }
    all.set_item("blocks", &*blocks)?;
    all.set_item("write", &*write)?;
    all.set_item("metadata", &*metadata)?;
    all.set_item("device", &*traced_device)?;
    Ok((all, totals))
}

fn run(
    columns: Columns<'_>,
    mut params: MemsParams,
    policy: &Policy,
    mode: &ReplayMode,
    scale: f64,
    rule: PastEnd,
    progress: &mut Progress,
) -> Result<Run> {
    columns.check()?;
    let devices = columns.devices();
    let mut geometry = Geometry::new(&params)?;
    if rule == PastEnd::Sleds && columns.end() > geometry.sectors() {
        params.sleds = geometry.sleds_for(columns.end());
        geometry = Geometry::new(&params)?;
    }
    if columns.arrival_ns.len() > u32::MAX as usize {
        return Err(Error::Trace(format!("at most {} requests can be replayed at once", u32::MAX)));
    }
    let mut replay = mode.build(Replay::new(columns, scale, geometry.sectors(), rule)?)?;
    let outcome =
        simulation::simulate(&params, devices, policy, &mut *replay, &mut |done| progress.report(done))?;
    let moved = match &replay.columns().lbn {
        Cow::Owned(moved) => Some(moved.clone()),
        Cow::Borrowed(_) => None,
    };
    let trace_rows = replay.trace_rows().map(<[u32]>::to_vec);
    Ok(Run { outcome, moved, trace_rows, waited: replay.waited(), params })
}
