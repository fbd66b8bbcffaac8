//! Workloads fitted to a trace.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::workload;

use crate::convert::{fault, Progress};
use crate::text::Text;
use crate::trace::{columns, trace_of};

/// Fit a workload to a trace that arrives in batches.
#[pyclass(module = "sledsim._native")]
pub(crate) struct WorkloadFit {
    fit: workload::WorkloadFit,
}

#[pymethods]
impl WorkloadFit {
    #[new]
    fn new() -> Self {
        Self { fit: workload::WorkloadFit::default() }
    }

    /// Add the requests of these columns.
    fn add(&mut self, py: Python<'_>, columns: &Bound<'_, PyDict>) -> PyResult<()> {
        py.check_signals()?;
        let batch = trace_of(columns)?;
        let fit = &mut self.fit;
        py.detach(|| fit.add(&batch)).map_err(fault)
    }

    /// Return the fitted workload under the name of the trace.
    fn finish(&self, source: Text) -> PyResult<FittedWorkload> {
        Ok(FittedWorkload { fitted: self.fit.finish(&source).map_err(fault)? })
    }
}

/// A workload fitted to a trace.
#[pyclass(module = "sledsim._native", frozen)]
pub(crate) struct FittedWorkload {
    fitted: workload::FittedWorkload,
}

#[pymethods]
impl FittedWorkload {
    /// Parse the text of a file as a workload.
    #[staticmethod]
    fn parse(text: Text, origin: Text) -> PyResult<Self> {
        Ok(Self { fitted: workload::FittedWorkload::parse(&text, &origin).map_err(fault)? })
    }

    fn text(&self) -> String {
        self.fitted.text()
    }

    fn source(&self) -> &str {
        &self.fitted.source
    }

    fn requests(&self) -> u64 {
        self.fitted.requests
    }

    fn end_block(&self) -> u64 {
        self.fitted.end_block()
    }

    /// Draw requests: their columns, the name of the options, and the seed.
    fn draw<'py>(
        &self,
        py: Python<'py>,
        options: Text,
        capacity_blocks: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, String, u64)> {
        let mut progress = Progress::new(py, progress)?;
        let drawn = py.detach(|| {
            self.fitted.draw_observed(&options, capacity_blocks, &mut |done| progress.report(done))
        });
        let (trace, name, seed) = progress.outcome(drawn)?;
        Ok((columns(py, trace)?, name, seed))
    }
}
