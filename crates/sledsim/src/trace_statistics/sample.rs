//! Sample of a sequence, in which every nth value is kept, such as requests of a trace for a chart.

use serde::Serialize;

use crate::trace::{Op, TraceRow};

/// Largest number of requests in the sample, an even number; if more are taken, every second
/// request is dropped.
const ROWS_MOST: usize = 8192;

/// Every nth value of a sequence, beginning with the first; n doubles when more than `MOST` values
/// would be kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct EveryNth<T, const MOST: usize> {
    pub(crate) kept: Vec<T>,
    pub(crate) seen: u64,
    /// Binary logarithm of n: the sample keeps every nth value.
    pub(crate) doublings: u32,
}

/// Sample of the reads and writes of a trace.
pub(super) type Sample = EveryNth<TraceRow, ROWS_MOST>;

/// Columns of a sample of requests, one entry per request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SampleFigures {
    /// Number n: the sample has one of n reads and writes of the trace.
    pub one_in: u64,
    /// Arrival times in seconds from the start of the trace.
    pub arrival_s: Vec<f64>,
    /// Device numbers.
    pub device: Vec<i32>,
    /// Numbers of the first sectors (LBNs).
    pub lbn: Vec<i64>,
    /// Sizes in sectors.
    pub blocks: Vec<i32>,
    /// True for writes.
    pub write: Vec<bool>,
}

impl<T, const MOST: usize> EveryNth<T, MOST> {
    /// Adds the next value of the sequence, which the sample keeps or drops.
    #[inline]
    pub fn add(&mut self, value: T) {
        if self.seen & ((1 << self.doublings) - 1) == 0 {
            self.take(value);
        }
        self.seen += 1;
    }

    fn take(&mut self, value: T) {
        if self.kept.len() == MOST {
            let mut at = 0;
            self.kept.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            // The present value has an even place among the remaining ones, and so stays.
            self.doublings += 1;
        }
        self.kept.push(value);
    }
}

impl Sample {
    pub fn figures(&self) -> SampleFigures {
        SampleFigures {
            one_in: 1 << self.doublings,
            arrival_s: self.kept.iter().map(|row| row.arrival_ns as f64 * 1e-9).collect(),
            device: self.kept.iter().map(|row| row.device).collect(),
            lbn: self.kept.iter().map(|row| row.lbn).collect(),
            blocks: self.kept.iter().map(|row| row.blocks).collect(),
            write: self.kept.iter().map(|row| row.op == Op::Write).collect(),
        }
    }
}
