//! Replay of a trace, open: every request comes at its recorded time, scaled.

use std::borrow::Cow;

use super::{Arrival, PastEnd, Workload};
use crate::error::{Error, Result};
use crate::request::Op;
use crate::time::Time;
use crate::trace::{self, Trace};
use crate::volume::HostRequest;

/// The columns of a trace that timing depends on, all of one length.
#[derive(Clone, Debug)]
pub struct Columns<'a> {
    /// Arrival times in nanoseconds, ascending.
    pub arrival_ns: &'a [i64],
    /// First sector of 512 bytes.
    pub lbn: Cow<'a, [i64]>,
    /// Sectors.
    pub blocks: &'a [i32],
    /// Whether it writes.
    pub write: Cow<'a, [bool]>,
    /// Whether it is for metadata of a file system.
    pub metadata: &'a [bool],
    /// Device of the trace.
    pub device: &'a [i32],
}

impl<'a> Columns<'a> {
    /// The columns of a trace of reads and writes.
    #[must_use]
    pub fn of(trace: &'a Trace) -> Self {
        Self {
            arrival_ns: &trace.arrival_ns,
            lbn: Cow::Borrowed(&trace.lbn),
            blocks: &trace.blocks,
            write: trace.op.iter().map(|op| *op != trace::Op::Read).collect(),
            metadata: &trace.metadata,
            device: &trace.device,
        }
    }
    /// How many devices the trace speaks of.
    #[must_use]
    pub fn devices(&self) -> u32 {
        self.device.iter().max().map_or(0, |highest| *highest as u32 + 1)
    }

    /// The sector after the highest one that the trace touches.
    #[must_use]
    pub fn end(&self) -> u64 {
        let ends = self.lbn.iter().zip(self.blocks).map(|(lbn, blocks)| (lbn + i64::from(*blocks)) as u64);
        ends.max().unwrap_or(0)
    }

    /// Refuses a trace that cannot be replayed, naming the request, what was expected and what was found.
    ///
    /// # Errors
    /// Columns of different lengths, no requests, a negative value, a request without blocks, times that go back.
    pub fn check(&self) -> Result<()> {
        let rows = self.arrival_ns.len();
        let lengths =
            [self.lbn.len(), self.blocks.len(), self.write.len(), self.metadata.len(), self.device.len()];
        if lengths.iter().any(|length| *length != rows) {
            return Err(Error::Trace(format!(
                "the columns of a trace must be of one length: {rows}, {lengths:?}"
            )));
        }
        if rows == 0 {
            return Err(Error::Trace("the trace has no requests".into()));
        }
        let mut before_ns = 0;
        for row in 0..rows {
            self.check_row(row, before_ns)?;
            before_ns = self.arrival_ns[row];
        }
        if self.device.iter().max() >= Some(&DEVICES_MAX) {
            return Err(Error::Trace(format!("device numbers must be below {DEVICES_MAX}")));
        }
        Ok(())
    }

    fn check_row(&self, row: usize, before_ns: i64) -> Result<()> {
        let fault = |text: String| Err(Error::Trace(format!("request {row}: {text}")));
        let (arrival_ns, lbn, blocks) = (self.arrival_ns[row], self.lbn[row], self.blocks[row]);
        if arrival_ns as f64 >= LATEST_NS {
            return fault(format!("expected an arrival time below {LATEST_NS:e} ns, found {arrival_ns}"));
        }
        if arrival_ns < before_ns {
            return fault(format!(
                "arrival times must be 0 or more and must not go back: found {arrival_ns} ns after {before_ns} ns"
            ));
        }
        if blocks <= 0 {
            return fault(format!("expected one block or more, found {blocks}"));
        }
        if lbn < 0 || lbn > i64::MAX - i64::from(blocks) {
            return fault(format!("expected an LBN of 0 or more, found {lbn}"));
        }
        if self.device[row] < 0 {
            return fault(format!("expected a device of 0 or more, found {}", self.device[row]));
        }
        Ok(())
    }
}

/// More simulated devices than any trace needs; each has tables of its own.
const DEVICES_MAX: i32 = 4096;

/// Later than any request may come, in nanoseconds: more than a century.
const LATEST_NS: f64 = 4e18;

/// The replay of a trace on devices of a given capacity.
pub struct Replay<'a> {
    columns: Columns<'a>,
    scale: f64,
    row: usize,
}

impl<'a> Replay<'a> {
    /// A replay with inter-arrival times divided by `scale`, on devices of `capacity` sectors. The columns have
    /// been [checked](Columns::check).
    ///
    /// # Errors
    /// A scale that is not positive; a request past the end under [`PastEnd::Error`]; one longer than the device.
    pub fn new(columns: Columns<'a>, scale: f64, capacity: u64, rule: PastEnd) -> Result<Self> {
        if !(scale.is_finite() && scale > 0.0) {
            return Err(Error::Parameter(format!("scale = {scale}: must be a positive number")));
        }
        let (first_ns, last_ns) = (columns.arrival_ns[0], columns.arrival_ns[columns.arrival_ns.len() - 1]);
        let end_ns = first_ns as f64 + (last_ns - first_ns) as f64 / scale;
        if end_ns >= LATEST_NS {
            return Err(Error::Parameter(format!(
                "scale = {scale:?}: the last request would come at {end_ns:.3e} ns"
            )));
        }
        let mut replay = Self { columns, scale, row: 0 };
        replay.fit(capacity, rule)?;
        Ok(replay)
    }

    /// The columns as replayed: addresses may have been moved.
    #[must_use]
    pub fn into_columns(self) -> Columns<'a> {
        self.columns
    }

    fn fit(&mut self, capacity: u64, rule: PastEnd) -> Result<()> {
        let end = self.columns.end();
        if end <= capacity {
            return Ok(());
        }
        let (lbn, blocks) = (&self.columns.lbn, self.columns.blocks);
        let past = |row: &usize| lbn[*row] as u64 + blocks[*row] as u64 > capacity;
        if rule == PastEnd::Error {
            let row = (0..lbn.len()).find(past).expect("the end lies past the capacity");
            return Err(Error::Trace(format!(
                "request {row}: LBN {} + {} blocks is past the end of the device at {capacity}; the trace \
                 reaches {end}: wrap or squeeze the addresses, or add sleds (past_end=\"wrap\", \"squeeze\" or \
                 \"sleds\"; --past-end)",
                lbn[row], blocks[row]
            )));
        }
        if let Some(longest) = blocks.iter().find(|blocks| **blocks as u64 > capacity) {
            return Err(Error::Trace(format!(
                "a request of {longest} blocks is longer than the device, {capacity}"
            )));
        }
        let place =
            |(lbn, blocks): (&i64, &i32)| rule.place(*lbn as u64, *blocks as u64, capacity, end) as i64;
        let moved: Vec<i64> = lbn.iter().zip(blocks).map(place).collect();
        self.columns.lbn = Cow::Owned(moved);
        Ok(())
    }

    #[inline]
    fn time(&self, row: usize) -> Time {
        let (first_ns, arrival_ns) = (self.columns.arrival_ns[0], self.columns.arrival_ns[row]);
        if self.scale == 1.0 {
            return Time(arrival_ns as u64);
        }
        let since_ns = (arrival_ns - first_ns) as f64 / self.scale;
        Time(first_ns as u64 + (since_ns + 0.5) as u64)
    }
}

impl Workload for Replay<'_> {
    #[inline]
    fn next(&mut self) -> Option<Arrival> {
        let row = self.row;
        if row == self.columns.arrival_ns.len() {
            return None;
        }
        self.row += 1;
        let columns = &self.columns;
        Some(Arrival {
            time: self.time(row),
            op: if columns.write[row] { Op::Write } else { Op::Read },
            metadata: columns.metadata[row],
            request: HostRequest {
                traced_device: columns.device[row] as u32,
                sector: columns.lbn[row] as u64,
                sectors: columns.blocks[row] as u32,
            },
        })
    }

    fn expected(&self) -> usize {
        self.columns.arrival_ns.len()
    }
}
