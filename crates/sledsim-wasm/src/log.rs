//! What happens in a step of a run, for a page to draw.

use serde::Serialize;
use sledsim::device::{Device, Service};
use sledsim::media::SECTOR_BYTES;
use sledsim::request::{Op, Request};
use sledsim::time::{Span, Time};
use sledsim::workload::Arrival;

use crate::path::Path;

/// All that happened in a step; columns are of one length.
#[derive(Default, Serialize)]
pub struct Log {
    /// The time that has passed.
    pub now_ns: u64,
    /// Whether nothing more can happen.
    pub is_done: bool,
    /// Requests that are not complete.
    pub pending: u64,
    /// Requests that came.
    pub arrived: Arrived,
    /// Services that began.
    pub served: Vec<Served>,
    /// Requests that are complete, each with its time.
    pub completed: Vec<(u32, u64)>,
}

/// Requests that came, by columns.
#[derive(Default, Serialize)]
pub struct Arrived {
    row: Vec<u64>,
    time_ns: Vec<u64>,
    lbn: Vec<u64>,
    blocks: Vec<u32>,
    write: Vec<bool>,
    /// Where its first block lies, as policies see it: the cylinder, and bits in y.
    place: Vec<[u32; 2]>,
}

impl Arrived {
    /// A request comes to a device.
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
    /// The request.
    pub row: u32,
    /// Which device serves it, by its number in the trace.
    pub device: usize,
    /// When it began.
    pub start_ns: u64,
    /// Its phases in their order, with their lengths in nanoseconds: those until the medium was done, and what the bus
    /// takes after it while nothing else can be served.
    pub phases: Vec<(&'static str, u64)>,
    /// What positioning consists of: both axes at once, and on a disk rotation.
    pub parts: Vec<(&'static str, u64)>,
    /// Turnarounds and switches.
    pub turnarounds: u16,
    pub switches: u32,
    /// Requests that wait, in the order in which the policy would serve them next; as many as are asked for.
    pub next: Vec<u32>,
    /// The way of the sled, if there is one and it is asked for.
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
