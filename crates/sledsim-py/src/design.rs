//! The functions that evaluate variants of a device.

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use sledsim::design::{self, Evaluation};
use sledsim::error::{Error, Result};
use sledsim::media::Format;
use sledsim::sched::Policy;
use sledsim::workload::{PastEnd, ReplayMode};

use crate::columns::TraceColumns;
use crate::convert::{fault, Progress};
use crate::device::Device;
use crate::parameters::toml_table;
use crate::raised::raised_by_python;
use crate::text::Text;

/// Result for a variant of a device: its metrics by name and its energy by use; or the reason for which it
/// cannot be evaluated. The other items are None.
type Found<'py> = (Option<Bound<'py, PyDict>>, Option<Bound<'py, PyDict>>, Option<String>);

#[pyfunction]
pub(crate) fn format_characteristics<'py>(
    py: Python<'py>,
    device: &Device,
    probes: u64,
    sectors: u64,
    sector_bytes: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let mems = device.spec.parameters().as_mems("a format").map_err(fault)?;
    let format = Format::new(probes, sectors, sector_bytes).map_err(fault)?;
    let found = format.characteristics(mems).map_err(fault)?;
    let all = PyDict::new(py);
    all.set_item("feasible", found.reason.is_none())?;
    all.set_item("reason", found.reason)?;
    all.set_item("subsector_bits", found.subsector_bits)?;
    all.set_item("capacity_bytes", found.capacity_bytes)?;
    all.set_item("packed_capacity_bytes", found.packed_capacity_bytes)?;
    all.set_item("utilization", found.utilization)?;
    all.set_item("transfer_s", found.transfer_s)?;
    all.set_item("throughput_bytes_per_s", found.throughput_bytes_per_s)?;
    all.set_item("data_bytes_per_s", found.data_bytes_per_s)?;
    Ok(all)
}

/// Evaluate variants of a device under a trace. If one variant fails, the others are still evaluated.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    device: &Device,
    variants: Vec<Bound<'py, PyDict>>,
    columns: TraceColumns<'py>,
    replay: Text,
    scheduler: Text,
    scale: f64,
    past_end: Text,
) -> PyResult<Vec<Found<'py>>> {
    let columns = columns.borrowed()?;
    columns.check().map_err(fault)?;
    let mode = ReplayMode::parse(&replay).map_err(fault)?;
    let policy = Policy::parse(&scheduler).map_err(fault)?;
    let rule = PastEnd::try_from(past_end.to_owned()).map_err(fault)?;
    let variants = variants.iter().map(toml_table).collect::<PyResult<Vec<_>>>()?;
    let mut progress = Progress::new(py, None)?;
    let mut one = |variant: &toml::Table| {
        let spec = device.spec.with_overrides(variant.clone())?;
        let observe = &mut |done| progress.report(done);
        design::evaluate(spec.parameters(), &policy, columns.clone(), &mode, scale, rule, observe)
    };
    let unless_stopped = |variant| match one(variant) {
        Err(Error::Interrupted) => Err(Error::Interrupted),
        found => Ok(found),
    };
    let work = || variants.iter().map(unless_stopped).collect::<Result<Vec<Result<Evaluation>>>>();
    let found = py.detach(|| raised_by_python(work))?;
    let found = progress.outcome(found)?;
    found.into_iter().map(|found| as_python(py, found)).collect()
}

fn as_python(py: Python<'_>, found: Result<Evaluation>) -> PyResult<Found<'_>> {
    let found = match found {
        Ok(found) => found,
        Err(error @ (Error::Io { .. } | Error::Interrupted)) => return Err(fault(error)),
        Err(error) => return Ok((None, None, Some(error.to_string()))),
    };
    let figures = PyDict::new(py);
    figures.set_item("mean_response_s", found.mean_response_s)?;
    figures.set_item("p99_response_s", found.p99_response_s)?;
    figures.set_item("mean_service_s", found.mean_service_s)?;
    figures.set_item("mean_positioning_s", found.mean_positioning_s)?;
    figures.set_item("utilization", found.utilization)?;
    figures.set_item("span_s", found.span_s)?;
    figures.set_item("moved", found.moved)?;
    figures.set_item("energy_j", found.energy_j)?;
    Ok((Some(figures), Some(found.energy_by_use_j.into_py_dict(py)?), None))
}
