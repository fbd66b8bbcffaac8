//! The log of a step of a run: events that a page draws.

use serde::Serialize;
use sledsim::device::{Device, Service};
use sledsim::media::SECTOR_BYTES;
use sledsim::request::{Durable, Op, Request};
use sledsim::time::{Span, Time};
use sledsim::workload::Arrival;

use crate::path::Path;

/// The events of a step of a run.
#[derive(Default, Serialize)]
pub struct Log {
    /// Simulated time in ns at the end of the step.
    pub now_ns: u64,
    /// True if the run has ended.
    pub is_done: bool,
    /// Number of requests that have arrived and are not complete.
    pub pending: u64,
    /// Requests that arrived during the step.
    pub arrived: Arrived,
    /// Services that began during the step.
    pub served: Vec<Served>,
    /// Requests that completed during the step, each with its completion time in ns.
    pub completed: Vec<(u32, u64)>,
}

/// Columns of the requests that arrived; all have the same length.
#[derive(Default, Serialize)]
pub struct Arrived {
    row: Vec<u64>,
    time_ns: Vec<u64>,
    lbn: Vec<u64>,
    blocks: Vec<u32>,
    write: Vec<bool>,
    /// Position of the first block of each request: number of the cylinder, and position in y in bits.
    place: Vec<[u32; 2]>,
}

impl Arrived {
    /// Add a request; `device` is the device at which it arrives.
    pub fn push(&mut self, row: u64, arrival: &Arrival, device: &dyn Device) {
        self.row.push(row);
        self.time_ns.push(arrival.time.0);
        self.lbn.push(arrival.request.sector);
        self.blocks.push(arrival.request.sectors);
        self.write.push(arrival.op == Op::Write && arrival.durable != Durable::Earlier);
        let block = arrival.request.sector * SECTOR_BYTES / device.block_bytes();
        let at = device.coordinates(block.min(device.blocks() - 1));
        self.place.push([at.cylinder, at.y_bits]);
    }
}

/// A service that began during the step.
#[derive(Serialize)]
pub struct Served {
    /// Number of the request.
    pub row: u32,
    /// Number of the device in the trace.
    pub device: usize,
    /// Start of the service in ns.
    pub start_ns: u64,
    /// Phases of the service in order, with their durations in ns. The phases of the access to the medium come
    /// first, then the phase on the bus, during which the device serves no other request.
    pub phases: Vec<(&'static str, u64)>,
    /// Parts of positioning, with their durations in ns: motions in x and motions in y, which take place at the
    /// same time. A disk also has the part rotation.
    pub parts: Vec<(&'static str, u64)>,
    /// Number of turnarounds during the service.
    pub turnarounds: u16,
    pub switches: u32,
    /// Waiting requests in the order in which the policy would serve them. The list has at most the number of
    /// requests that the page asked for.
    pub next: Vec<u32>,
    /// Path of the sled during the service; None if the device has no sled or the page does not need paths.
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
