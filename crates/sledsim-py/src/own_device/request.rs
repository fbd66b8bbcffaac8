//! The class `DeviceRequest`: a request that a device written in Python serves.

use pyo3::prelude::*;
use sledsim::request::{Op, Request};
use sledsim::time::Time;

/// A request to a device written in Python; positions and sizes are in blocks of that device.
#[pyclass(frozen, get_all, name = "DeviceRequest", module = "sledsim._native")]
#[derive(Clone)]
pub(crate) struct DeviceRequest {
    lbn: u64,
    blocks: u32,
    write: bool,
    metadata: bool,
    row: u32,
    arrival_s: f64,
}

#[pymethods]
impl DeviceRequest {
    #[new]
    #[pyo3(signature = (lbn, blocks, write = false, metadata = false, row = 0, arrival_s = 0.0))]
    fn new(lbn: u64, blocks: u32, write: bool, metadata: bool, row: u32, arrival_s: f64) -> Self {
        Self { lbn, blocks, write, metadata, row, arrival_s }
    }

    fn __repr__(&self) -> String {
        let write = if self.write { "True" } else { "False" };
        format!("DeviceRequest(lbn={}, blocks={}, write={write}, row={})", self.lbn, self.blocks, self.row)
    }
}

impl From<&Request> for DeviceRequest {
    fn from(request: &Request) -> Self {
        Self {
            lbn: request.lbn,
            blocks: request.blocks,
            write: request.op == Op::Write,
            metadata: request.metadata,
            row: request.row,
            arrival_s: seconds(request.arrival),
        }
    }
}

pub(super) fn seconds(time: Time) -> f64 {
    time.since(Time::ZERO).as_s()
}
