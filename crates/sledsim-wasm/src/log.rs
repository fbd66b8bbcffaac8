//! The events of a step of a run, for a page to draw.

use serde::Serialize;
use sledsim::device::{Device, Service};
use sledsim::media::SECTOR_BYTES;
use sledsim::request::{Op, Request};
use sledsim::time::{Span, Time};
use sledsim::workload::Arrival;

use crate::path::Path;

/// The events of a step; its columns have equal length.
#[derive(Default, Serialize)]
pub struct Log {
    /// Simulated time in nanoseconds.
    pub now_ns: u64,
    /// True if the run is over.
    pub is_done: bool,
    /// Number of incomplete requests.
    pub pending: u64,
    /// Requests that arrived.
    pub arrived: Arrived,
    /// Services that began.
    pub served: Vec<Served>,
    /// Completed requests, each with its completion time.
    pub completed: Vec<(u32, u64)>,
}

/// Arrived requests, as columns.
#[derive(Default, Serialize)]
pub struct Arrived {
    row: Vec<u64>,
    time_ns: Vec<u64>,
    lbn: Vec<u64>,
    blocks: Vec<u32>,
    write: Vec<bool>,
    /// Position of the first block, as policies see it: cylinder, and bits in y.
    place: Vec<[u32; 2]>,
}

impl Arrived {
    /// Add a request that arrives at a device.
    pub fn push(&mut self, row: u64, arrival: &Arrival, device: &dyn Device) {
        self.row.push(row);
        self.time_ns.push(arrival.time.0);
        self.lbn.push(arrival.request.sector);
        self.blocks.push(arrival.request.sectors);
        self.write.push(arrival.op == Op::Write);
        let block = arrival.request.sector * SECTOR_BYTES / device.block_bytes();
        let at = device.coordinates(block.min(device.blocks() - 1));
        self.place.push([at.cylinder, at.y_bits]);
    }
}

/// A service that began.
#[derive(Serialize)]
pub struct Served {
    /// Number of the request.
    pub row: u32,
    /// Number of the device in the trace.
    pub device: usize,
    /// Start time in nanoseconds.
    pub start_ns: u64,
    /// Phases in order with their durations in nanoseconds: the phases up to the end of the medium access, and the
    /// later bus time in which nothing else can be served.
    pub phases: Vec<(&'static str, u64)>,
    /// Parts of positioning: both axes at once, and rotation on a disk.
    pub parts: Vec<(&'static str, u64)>,
    /// Number of turnarounds and switches.
    pub turnarounds: u16,
    pub switches: u32,
    /// Waiting requests in the order in which the policy would serve them next, up to the requested number.
    pub next: Vec<u32>,
    /// Path of the sled, if there is one and it is requested.
    pub path: Option<Path>,
}

impl Served {
    pub fn new(device: usize, start: Time, request: &Request, service: &Service) -> Self {
        let phases = [
            ("command", service.command),
            ("wait", service.wait),
            ("positioning", service.positioning),
            ("hold", service.hold),
            ("switch", service.switching),
            ("transfer", service.transfer),
            ("bus", service.bus),
        ];
        let parts = [
            ("seek_x", service.seek_x),
            ("settle", service.settle),
            ("seek_y", service.seek_y),
            ("turnaround", service.turnaround),
            ("rotation", service.rotation),
        ];
        let some = |all: &[(&'static str, Span)]| {
            all.iter().filter(|(_, span)| span.0 > 0).map(|(name, span)| (*name, span.0)).collect()
        };
        Self {
            row: request.row,
            device,
            start_ns: start.0,
            phases: some(&phases),
            parts: some(&parts),
            turnarounds: service.turnarounds,
            switches: service.switches,
            next: Vec::new(),
            path: None,
        }
    }
}
