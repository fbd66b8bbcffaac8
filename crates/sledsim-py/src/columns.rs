//! The requests of a trace as Python passes them: a tuple with one array per column.

use std::borrow::Cow;

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use sledsim::workload::Columns;

/// Columns of a trace. Python passes a tuple of eight arrays of equal length, in the order of these fields.
pub(crate) struct TraceColumns<'py> {
    arrival_ns: PyReadonlyArray1<'py, i64>,
    pub(crate) lbn: PyReadonlyArray1<'py, i64>,
    pub(crate) blocks: PyReadonlyArray1<'py, i32>,
    /// Index of each request's kind in `KINDS` of the core.
    pub(crate) kind: PyReadonlyArray1<'py, u8>,
    pub(crate) metadata: PyReadonlyArray1<'py, bool>,
    /// Number of the device in the trace to which each request goes, counted from 0.
    device: PyReadonlyArray1<'py, i32>,
    flags: PyReadonlyArray1<'py, u8>,
    /// Measured response times in ns; empty if the trace has none.
    response_ns: PyReadonlyArray1<'py, i64>,
}

impl<'py> FromPyObject<'_, 'py> for TraceColumns<'py> {
    type Error = PyErr;

    fn extract(tuple: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let (arrival_ns, lbn, blocks, kind, metadata, device, flags, response_ns) = tuple.extract()?;
        Ok(Self { arrival_ns, lbn, blocks, kind, metadata, device, flags, response_ns })
    }
}

impl TraceColumns<'_> {
    /// Return the columns of the trace without copying the arrays.
    ///
    /// # Errors
    /// An array is not contiguous in memory.
    pub(crate) fn borrowed(&self) -> PyResult<Columns<'_>> {
        Ok(Columns {
            arrival_ns: self.arrival_ns.as_slice()?,
            lbn: Cow::Borrowed(self.lbn.as_slice()?),
            blocks: self.blocks.as_slice()?,
            kind: Cow::Borrowed(self.kind.as_slice()?),
            metadata: self.metadata.as_slice()?,
            device: self.device.as_slice()?,
            flags: self.flags.as_slice()?,
            response_ns: self.response_ns.as_slice()?,
        })
    }
}
