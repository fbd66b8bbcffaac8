//! All statistics of a single device, or of all devices together.

use serde::Serialize;

use super::arrivals::{ArrivalFigures, Arrivals};
use super::classes::{ClassFigures, Classes};
use super::footprint::{Footprint, FootprintFigures};
use super::log_histogram::{Distribution, LogHistogram};
use super::operations::{CountFigures, Counts};
use super::sequentiality::{PlaceFigures, Sequentiality, Tail};
use super::sizes::{SizeFigures, Sizes};
use crate::time::NANOS_PER_S;
use crate::trace::{Op, TraceRow};

/// A device with its statistics.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceFigures {
    /// Number of the device in the trace.
    pub device: i32,
    /// Statistics of this device.
    pub figures: Figures,
}

/// Number and common statistics of the devices that have no statistics of their own.
#[derive(Debug, Clone, Serialize)]
pub struct OtherFigures {
    /// Number of the devices that have no statistics of their own.
    pub devices: u64,
    /// Statistics of the requests of the devices without statistics of their own; statistics of
    /// arrivals are missing, because they cannot be summed over devices.
    pub figures: Figures,
}

/// Counts of requests that can be summed over devices; counts of distinct blocks and of arrivals
/// are kept elsewhere.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums {
    counts: Counts,
    reads: Sizes,
    writes: Sizes,
    places: Sequentiality,
    classes: Classes,
    response: LogHistogram,
    service: LogHistogram,
}

/// All statistics of a single device, or of all devices together.
#[derive(Debug, Clone, Serialize)]
pub struct Figures {
    /// Numbers of requests and bytes, and the time span.
    pub counts: CountFigures,
    /// Sizes of reads.
    pub reads: SizeFigures,
    /// Sizes of writes.
    pub writes: SizeFigures,
    /// Sizes of reads and writes.
    pub transfers: SizeFigures,
    /// Sequentiality and positions of reads and writes.
    pub places: PlaceFigures,
    /// Distinct blocks and overwrites.
    pub footprint: FootprintFigures,
    /// Numbers of requests by class of block; empty if no request has a class.
    pub classes: Vec<ClassFigures>,
    /// Measured response times in seconds; requests without a measured time are left out.
    pub response_s: Distribution,
    /// Measured service times in seconds; requests without a measured time are left out.
    pub service_s: Distribution,
    /// Statistics of arrivals.
    pub arrivals: ArrivalFigures,
}

impl Sums {
    /// Returns empty counts. A request counts as logically sequential if it starts
    /// `interleave_sectors` after the end of the previous one.
    pub fn new(interleave_sectors: u32) -> Self {
        Self { places: Sequentiality::new(interleave_sectors), ..Self::default() }
    }

    /// Counts a request, except for the distinct blocks that it touches.
    #[inline]
    pub fn add(&mut self, row: &TraceRow) {
        self.counts.add(row);
        if row.op.moves_data() {
            if row.response_ns > 0 {
                self.response.add(row.response_ns as u64);
            }
            if row.service_ns > 0 {
                self.service.add(row.service_ns as u64);
            }
            let write = row.op == Op::Write;
            let sectors = u64::from(row.blocks.unsigned_abs());
            if write { &mut self.writes } else { &mut self.reads }.add(sectors);
            self.places.add(row.lbn, row.lbn.saturating_add(i64::from(row.blocks)), write);
            self.classes.add(row);
        }
    }

    /// Counts requests of one device, if several devices share these counts; `tail` holds that
    /// device's previous request.
    pub fn add_of(&mut self, rows: &[TraceRow], tail: &mut Tail) {
        self.places.swap_tail(tail);
        rows.iter().for_each(|row| self.add(row));
        self.places.swap_tail(tail);
    }

    /// Ends the current run of sequential requests of a device; `tail` holds the device's previous
    /// request.
    pub fn end_run(&mut self, tail: &Tail) {
        self.places.end_run(tail);
    }

    /// Takes out the state of the device with which its next request is compared.
    pub fn take_tail(&mut self) -> Tail {
        let mut tail = Tail::default();
        self.places.swap_tail(&mut tail);
        tail
    }

    /// Memory of the counts on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        let histograms = self.response.bytes() + self.service.bytes();
        self.reads.bytes() + self.writes.bytes() + self.places.bytes() + self.classes.bytes() + histograms
    }

    /// Adds the counts `other` of another device to these.
    pub fn merge(&mut self, other: &Self) {
        self.counts.merge(&other.counts);
        self.reads.merge(&other.reads);
        self.writes.merge(&other.writes);
        self.places.merge(&other.places);
        self.classes.merge(&other.classes);
        self.response.merge(&other.response);
        self.service.merge(&other.service);
    }

    /// Returns all statistics. The counts of distinct blocks and of arrivals, which are kept
    /// elsewhere, are arguments.
    pub fn figures(&self, footprint: &Footprint, arrivals: &Arrivals) -> Figures {
        let mut transfers = self.reads.clone();
        transfers.merge(&self.writes);
        Figures {
            counts: self.counts.figures(),
            reads: self.reads.figures(),
            writes: self.writes.figures(),
            transfers: transfers.figures(),
            places: self.places.figures(),
            footprint: footprint.figures(),
            classes: self.classes.figures(),
            response_s: self.response.scaled(1.0 / NANOS_PER_S),
            service_s: self.service.scaled(1.0 / NANOS_PER_S),
            arrivals: arrivals.figures(),
        }
    }
}
