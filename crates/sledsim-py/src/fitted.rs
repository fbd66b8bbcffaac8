//! The classes `WorkloadFit` and `FittedWorkload`, for workloads fitted to a trace.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::workload;

use crate::convert::{fault, Progress};
use crate::text::Text;
use crate::trace::{columns, trace_of};

/// Learns a workload from a trace that arrives in batches.
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

    /// Add a batch of requests to the workload to be fitted; `columns` has one array per column.
    fn add(&mut self, py: Python<'_>, columns: &Bound<'_, PyDict>) -> PyResult<()> {
        py.check_signals()?;
        let batch = trace_of(columns)?;
        let fit = &mut self.fit;
        py.detach(|| fit.add(&batch)).map_err(fault)
    }

    /// Return the fitted workload; `source` is the name of the trace.
    fn finish(&self, source: Text) -> PyResult<FittedWorkload> {
        Ok(FittedWorkload { fitted: self.fit.finish(&source).map_err(fault)? })
    }
}

/// A workload that was fitted to a trace.
#[pyclass(module = "sledsim._native", frozen)]
pub(crate) struct FittedWorkload {
    fitted: workload::FittedWorkload,
}

#[pymethods]
impl FittedWorkload {
    /// Parse a fitted workload from the text of a file. Error messages call the file `origin`.
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

    /// Draw requests. Return their columns, the workload's name with its options, and the seed.
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
