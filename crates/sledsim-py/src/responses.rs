//! The class `Responses`, which collects response times during a run.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use sledsim::record;

/// Collection of response times in ns, of which at most a million are held in memory.
#[pyclass(module = "sledsim._native")]
#[derive(Default)]
pub(crate) struct Responses(record::Responses);

#[pymethods]
impl Responses {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Add response times in ns.
    #[allow(clippy::needless_pass_by_value)]
    fn add(&mut self, responses_ns: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        self.0.add(responses_ns.as_slice()?.iter().map(|ns| *ns as u64));
        Ok(())
    }

    /// Return the number of response times.
    fn count(&self) -> u64 {
        self.0.count()
    }

    /// Return the sum of the response times in ns.
    fn sum_ns(&self) -> u128 {
        self.0.sum_ns()
    }

    /// Return the longest response time in ns.
    fn max_ns(&self) -> u64 {
        self.0.max_ns()
    }

    /// Return the quantiles in ns for `shares`, numbers from 0 to 1 in ascending order.
    #[allow(clippy::needless_pass_by_value)]
    fn quantiles_ns(&self, shares: Vec<f64>) -> Vec<f64> {
        self.0.quantiles_ns(&shares)
    }
}
