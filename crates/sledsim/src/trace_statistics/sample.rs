//! A few requests of all of a trace, evenly: for a picture.

use serde::Serialize;

use crate::trace::{Op, Request};

/// Requests at the most: when there are more, every second one goes.
const ROWS_MOST: usize = 8192;

/// Every n-th read or write of a trace; the first is among them.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    /// One in 2 to this power.
    doublings: u32,
    seen: u64,
    rows: Vec<Request>,
}

/// Columns of the sample, one row a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SampleFigures {
    /// One of so many reads and writes is in it.
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

impl Sample {
    /// Takes a read or write, or not.
    #[inline]
    pub fn add(&mut self, row: &Request) {
        if self.seen & ((1 << self.doublings) - 1) == 0 {
            self.take(row);
        }
        self.seen += 1;
    }

    fn take(&mut self, row: &Request) {
        if self.rows.len() == ROWS_MOST {
            let mut at = 0;
            self.rows.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            // The row at hand has an even place among those that are left, and so stays.
            self.doublings += 1;
        }
        self.rows.push(*row);
    }

    pub fn figures(&self) -> SampleFigures {
        SampleFigures {
            one_in: 1 << self.doublings,
            arrival_s: self.rows.iter().map(|row| row.arrival_ns as f64 * 1e-9).collect(),
            device: self.rows.iter().map(|row| row.device).collect(),
            lbn: self.rows.iter().map(|row| row.lbn).collect(),
            blocks: self.rows.iter().map(|row| row.blocks).collect(),
            write: self.rows.iter().map(|row| row.op == Op::Write).collect(),
        }
    }
}
