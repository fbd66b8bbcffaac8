//! The simulation of requests for Python, from a trace in memory or from batches.

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};
use sledsim::record::select;
use sledsim::request::{operation, Durable, Op};
use sledsim::workload::{PastEnd, ReplayMode};

use crate::columns::TraceColumns;
use crate::convert::{fault, Progress};
use crate::raised::raised_by_python;
use crate::run::{columns, run, totals};
use crate::streamed::{self, Note};
use crate::text::Text;
use crate::volume::Target;

/// The requests of a run: all requests as one tuple of columns, or an iterator of such tuples (batches) that
/// the run reads step by step.
#[derive(FromPyObject)]
pub(crate) enum Requests<'py> {
    Whole(TraceColumns<'py>),
    Batches(Py<PyIterator>),
}

/// Simulate requests. Batches are read during the run, and their requests arrive at the recorded times.
///
/// If requests come in batches, `sink` receives the names of the devices and groups of finished rows. Without
/// `sink`, the function returns the columns. `notes` are metadata that a power failure left on the members of a
/// volume, which then starts from them.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    target: Target<'_>,
    requests: Requests<'py>,
    replay: Text,
    scheduler: Option<Text>,
    scale: f64,
    past_end: Text,
    kept: Text,
    sink: Option<Py<PyAny>>,
    progress: Option<Py<PyAny>>,
    notes: Option<Vec<Note>>,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
    let selection = select(&kept).map_err(fault)?;
    let mode = ReplayMode::parse(&replay).map_err(fault)?;
    let rule = PastEnd::try_from(past_end.to_owned()).map_err(fault)?;
    let policy = target.policy(scheduler.as_deref()).map_err(fault)?;
    let system = (target.system(&policy), target.sectors());
    let mut progress = Progress::new(py, progress)?;
    let done = match &requests {
        Requests::Whole(trace) => {
            let arrays = trace.borrowed()?;
            py.detach(|| {
                raised_by_python(|| run(arrays, system, &mode, scale, rule, selection, &mut progress))
            })
        }
        Requests::Batches(batches) => py.detach(|| {
            let ends = (sink, notes);
            raised_by_python(|| streamed::run(batches, system, scale, rule, selection, ends, &mut progress))
        }),
    };
    let done = progress.outcome(done?)?;
    let totals = totals(py, &done.outcome, &done.system, &[policy.name(), policy.name_in_full()])?;
    totals.set_item("remapped", done.remapped)?;
    totals.set_item("waited", done.waited)?;
    totals.set_item("replay", mode.name(false))?;
    totals.set_item("trace_rows", done.trace_rows.map(|rows| rows.into_pyarray(py)))?;
    let all = columns(py, done.outcome.record)?;
    if let Requests::Whole(trace) = &requests {
        match done.lbn {
            Some(moved) => all.set_item("lbn", moved.into_pyarray(py))?,
            None => all.set_item("lbn", trace.lbn.as_untyped())?,
        }
        all.set_item("blocks", &*trace.blocks)?;
        let kinds = trace.kind.as_slice()?.iter().map(|kind| operation(*kind));
        let writes = kinds.map(|(op, durable)| op == Op::Write && durable != Durable::Earlier);
        all.set_item("write", writes.collect::<Vec<bool>>().into_pyarray(py))?;
        all.set_item("kind", &*trace.kind)?;
        all.set_item("metadata", &*trace.metadata)?;
    }
    Ok((all, totals))
}
