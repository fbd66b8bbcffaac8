//! All statistics of one device, or of all devices together.

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

/// The statistics of one device.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceFigures {
    /// Number of the device in the trace.
    pub device: i32,
    /// Statistics of the device.
    pub figures: Figures,
}

/// The common statistics of devices without statistics of their own.
#[derive(Debug, Clone, Serialize)]
pub struct OtherFigures {
    /// Number of devices.
    pub devices: u64,
    /// Statistics of all these devices together, without arrivals, which do not add up.
    pub figures: Figures,
}

/// Figures that add up over devices, except the figures of blocks.
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

/// The statistics of one device, or of all devices together.
#[derive(Debug, Clone, Serialize)]
pub struct Figures {
    /// Requests, bytes and time.
    pub counts: CountFigures,
    /// Sizes of reads.
    pub reads: SizeFigures,
    /// Sizes of writes.
    pub writes: SizeFigures,
    /// Sizes of reads and writes.
    pub transfers: SizeFigures,
    /// Sequentiality and place of reads and writes.
    pub places: PlaceFigures,
    /// Distinct blocks and overwrites.
    pub footprint: FootprintFigures,
    /// Requests by class of block; empty if no request has a class.
    pub classes: Vec<ClassFigures>,
    /// Measured response times in seconds, of the requests that have one.
    pub response_s: Distribution,
    /// Measured service times in seconds, of the requests that have one.
    pub service_s: Distribution,
    /// Arrivals of requests.
    pub arrivals: ArrivalFigures,
}

impl Sums {
    /// Empty figures, before the first request.
    pub fn new(interleave_sectors: u32) -> Self {
        Self { places: Sequentiality::new(interleave_sectors), ..Self::default() }
    }

    /// Counts all of a request except its blocks.
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

    /// Counts requests of one of several devices, for which `tail` keeps the last request.
    pub fn add_of(&mut self, rows: &[TraceRow], tail: &mut Tail) {
        self.places.swap_tail(tail);
        rows.iter().for_each(|row| self.add(row));
        self.places.swap_tail(tail);
    }

    /// Ends the run of one of several devices.
    pub fn end_run(&mut self, tail: &Tail) {
        self.places.end_run(tail);
    }

    /// Takes the tail, with which the next request is compared.
    pub fn take_tail(&mut self) -> Tail {
        let mut tail = Tail::default();
        self.places.swap_tail(&mut tail);
        tail
    }

    /// Heap memory of the figures in bytes.
    pub fn bytes(&self) -> usize {
        let histograms = self.response.bytes() + self.service.bytes();
        self.reads.bytes() + self.writes.bytes() + self.places.bytes() + self.classes.bytes() + histograms
    }

    /// Adds the counts of another device.
    pub fn merge(&mut self, other: &Self) {
        self.counts.merge(&other.counts);
        self.reads.merge(&other.reads);
        self.writes.merge(&other.writes);
        self.places.merge(&other.places);
        self.classes.merge(&other.classes);
        self.response.merge(&other.response);
        self.service.merge(&other.service);
    }

    /// The figures, with the figures of blocks, and with the figures of arrivals, which do not add up.
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
