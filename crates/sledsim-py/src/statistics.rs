//! The class `TraceStatistics`, which counts the statistics of a trace.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::trace_statistics::{Statistics, StatisticsOptions};

use crate::convert::fault;
use crate::parameters::python_dict;
use crate::trace::trace_of;

/// Statistics of a trace that arrives in batches.
#[pyclass(module = "sledsim._native")]
pub(crate) struct TraceStatistics {
    statistics: Statistics,
}

#[pymethods]
impl TraceStatistics {
    #[new]
    fn new(interleave_sectors: u32, bitmap_bytes: u64) -> Self {
        let options = StatisticsOptions { interleave_sectors, bitmap_bytes, ..StatisticsOptions::default() };
        Self { statistics: Statistics::new(options) }
    }

    /// Add a batch of requests to the statistics; `columns` has one array per column.
    fn add(&mut self, py: Python<'_>, columns: &Bound<'_, PyDict>) -> PyResult<()> {
        py.check_signals()?;
        let batch = trace_of(columns)?;
        let statistics = &mut self.statistics;
        py.detach(|| statistics.add(&batch)).map_err(fault)
    }

    /// Return the statistics of the requests so far, as a dictionary of figures; a figure that needs more data
    /// is NaN.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let summary = self.statistics.summary();
        python_dict(py, &toml::Table::try_from(summary).expect("the summary consists of tables of numbers"))
    }
}
