//! Response times of some of the requests of a run, added up while it goes on.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use sledsim::record;

/// Response times in nanoseconds; in memory are at most a million of them.
#[pyclass(module = "sledsim._native")]
#[derive(Default)]
pub(crate) struct Responses(record::Responses);

#[pymethods]
impl Responses {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Adds some.
    #[allow(clippy::needless_pass_by_value)]
    fn add(&mut self, responses_ns: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        self.0.add(responses_ns.as_slice()?.iter().map(|ns| *ns as u64));
        Ok(())
    }

    /// How many there are.
    fn count(&self) -> u64 {
        self.0.count()
    }

    /// Their sum.
    fn sum_ns(&self) -> u128 {
        self.0.sum_ns()
    }

    /// The longest.
    fn max_ns(&self) -> u64 {
        self.0.max_ns()
    }

    /// Quantiles, of shares from 0 to 1 in ascending order.
    #[allow(clippy::needless_pass_by_value)]
    fn quantiles_ns(&self, shares: Vec<f64>) -> Vec<f64> {
        self.0.quantiles_ns(&shares)
    }
}
