//! Collect response times of some requests during a run.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use sledsim::record;

/// Response times in nanoseconds; at most a million are held in memory.
#[pyclass(module = "sledsim._native")]
#[derive(Default)]
pub(crate) struct Responses(record::Responses);

#[pymethods]
impl Responses {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Add response times.
    #[allow(clippy::needless_pass_by_value)]
    fn add(&mut self, responses_ns: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        self.0.add(responses_ns.as_slice()?.iter().map(|ns| *ns as u64));
        Ok(())
    }

    /// Number of response times.
    fn count(&self) -> u64 {
        self.0.count()
    }

    /// Sum of the response times in nanoseconds.
    fn sum_ns(&self) -> u128 {
        self.0.sum_ns()
    }

    /// Maximum of the response times in nanoseconds.
    fn max_ns(&self) -> u64 {
        self.0.max_ns()
    }

    /// Quantiles in nanoseconds, for shares from 0 to 1 in ascending order.
    #[allow(clippy::needless_pass_by_value)]
    fn quantiles_ns(&self, shares: Vec<f64>) -> Vec<f64> {
        self.0.quantiles_ns(&shares)
    }
}
