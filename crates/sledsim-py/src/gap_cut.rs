//! The class `GapCut`, which shortens the idle gaps of a trace.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use sledsim::trace;

use crate::convert::fault;
use crate::text::Text;

/// Cut of the idle gaps of one trace, batch by batch.
#[pyclass(module = "sledsim._native")]
pub(crate) struct GapCut(trace::GapCut);

#[pymethods]
impl GapCut {
    /// Make a cut of gaps that are longer than a time such as ``10s``.
    #[new]
    #[allow(clippy::needless_pass_by_value)]
    fn new(longest: Text) -> PyResult<Self> {
        longest.parse().map(Self).map_err(fault)
    }

    /// Return the new arrivals of a batch, given its arrivals and response times in ns.
    #[allow(clippy::needless_pass_by_value)]
    fn cut<'py>(
        &mut self,
        py: Python<'py>,
        arrival_ns: PyReadonlyArray1<'_, i64>,
        response_ns: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        Ok(self.0.cut(arrival_ns.as_slice()?, response_ns.as_slice()?).into_pyarray(py))
    }

    /// Return the longest gap in s, the number of gaps that were longer, and the time in s that was left out.
    fn found(&self) -> (f64, u64, f64) {
        (self.0.longest_ns as f64 / 1e9, self.0.gaps, self.0.cut_ns as f64 / 1e9)
    }
}
