//! A few of all that comes, evenly; of the requests of a trace for a picture.

use serde::Serialize;

use crate::trace::{Op, TraceRow};

/// Requests at the most, an even number: when there are more, every second one goes.
const ROWS_MOST: usize = 8192;

/// Every n-th of what comes; n doubles when there would be too many. The first is among them.
#[derive(Debug, Clone, Default)]
pub(crate) struct EveryNth<T, const MOST: usize> {
    pub(crate) kept: Vec<T>,
    pub(crate) seen: u64,
    /// One in 2 to this power.
    pub(crate) doublings: u32,
}

/// Reads and writes of a trace.
pub(super) type Sample = EveryNth<TraceRow, ROWS_MOST>;

/// Columns of the sample, one row a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SampleFigures {
    /// Reads and writes of which one is in the sample.
    pub one_in: u64,
    /// When they arrive, in seconds since the start of the trace.
    pub arrival_s: Vec<f64>,
    /// Their devices.
    pub device: Vec<i32>,
    /// Their first sectors.
    pub lbn: Vec<i64>,
    /// Their sizes in sectors.
    pub blocks: Vec<i32>,
    /// Whether they write.
    pub write: Vec<bool>,
}

impl<T, const MOST: usize> EveryNth<T, MOST> {
    /// Takes what comes, or not.
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
            // The one at hand has an even place among those that are left, and so stays.
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
