//! Functions that draw workloads.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::workload::Generator;

use crate::convert::{fault, Progress};
use crate::text::Text;
use crate::trace::columns;
use crate::volume::Target;

/// Raise an error if the name of a workload or one of its options is unknown.
#[pyfunction]
pub(crate) fn check_workload(text: Text) -> PyResult<()> {
    Generator::parse(&text).map(|_| ()).map_err(fault)
}

/// Draw the requests of a workload. Return their columns, the complete name of the workload, with which the
/// same requests can be drawn again, the seed, and notes about the workload.
#[pyfunction]
pub(crate) fn workload<'py>(
    py: Python<'py>,
    device: Target<'_>,
    text: Text,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, String, u64, Vec<String>)> {
    let generator = Generator::parse(&text).map_err(fault)?;
    let seed = generator.seed().map_err(fault)?;
    let capacity = device.sectors();
    let mut progress = Progress::new(py, progress)?;
    let drawn = py.detach(|| {
        let trace = generator.draw_observed(capacity, &mut |done| progress.report(done))?;
        let notes = generator.notes(&trace)?;
        Ok((trace, notes))
    });
    let (trace, notes) = progress.outcome(drawn)?;
    Ok((columns(py, trace)?, generator.name(), seed, notes))
}
