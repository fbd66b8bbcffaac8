//! The columns of a trace that is being replayed.

use std::borrow::Cow;

use crate::error::{ensure, Error, Result};
use crate::request::{self, Durable, KINDS};
use crate::time::Time;
use crate::trace::{self, flags, Trace};

/// Limit on arrival times in ns: more than a century.
pub(super) const LATEST_NS: f64 = Time::LATEST.0 as f64;

/// Largest number of devices in a replayed trace; each device takes memory in the simulation.
pub(super) const DEVICES_MAX: i32 = 4096;

/// The columns of a trace that a replay uses, all of the same length.
#[derive(Clone, Debug)]
pub struct Columns<'a> {
    /// Arrival times in ns, ascending.
    pub arrival_ns: &'a [i64],
    /// Number of each request's first sector; a sector has 512 bytes.
    pub lbn: Cow<'a, [i64]>,
    /// Number of sectors of each request.
    pub blocks: &'a [i32],
    /// Index of each request's kind in [`KINDS`](request::KINDS).
    pub kind: Cow<'a, [u8]>,
    /// True for requests to metadata of a file system.
    pub metadata: &'a [bool],
    /// Number of each request's device in the trace.
    pub device: &'a [i32],
    /// Bits of [`trace::flags`] for each request.
    pub flags: &'a [u8],
    /// Measured times in ns from arrival to completion; 0 where not recorded.
    pub response_ns: &'a [i64],
}

impl<'a> Columns<'a> {
    /// Returns the columns of a trace without discards.
    #[must_use]
    pub fn of(trace: &'a Trace) -> Self {
        Self {
            arrival_ns: &trace.arrival_ns,
            lbn: Cow::Borrowed(&trace.lbn),
            blocks: &trace.blocks,
            kind: trace.op.iter().zip(&trace.flags).map(|(op, flags)| kind(*op, *flags)).collect(),
            metadata: &trace.metadata,
            device: &trace.device,
            flags: &trace.flags,
            response_ns: &trace.response_ns,
        }
    }
    /// Number of devices in the trace.
    #[must_use]
    pub fn devices(&self) -> u32 {
        self.device.iter().max().map_or(0, |highest| *highest as u32 + 1)
    }

    /// The sector behind the highest sector that the trace touches.
    #[must_use]
    pub fn end(&self) -> u64 {
        let ends = self.lbn.iter().zip(self.blocks).map(|(lbn, blocks)| (lbn + i64::from(*blocks)) as u64);
        ends.max().unwrap_or(0)
    }

    /// Checks the columns; an error names the first invalid request with the expected and the found value.
    ///
    /// # Errors The columns differ in length or are empty; or a request has a negative value, no
    /// blocks, or an arrival time earlier than the previous one.
    pub fn check(&self) -> Result<()> {
        let rows = self.arrival_ns.len();
        let lengths = [
            self.lbn.len(),
            self.blocks.len(),
            self.kind.len(),
            self.metadata.len(),
            self.device.len(),
            self.flags.len(),
            self.response_ns.len(),
        ];
        ensure!(
            lengths.iter().all(|length| *length == rows),
            Error::Trace(format!("expected columns of equal length, found {rows} and {lengths:?}"))
        );
        ensure!(rows > 0, Error::Trace("expected at least one read or write, found none".into()));
        let mut before_ns = 0;
        for row in 0..rows {
            self.check_row(row, before_ns)?;
            before_ns = self.arrival_ns[row];
        }
        if let Some(most) = self.device.iter().max().filter(|most| **most >= DEVICES_MAX) {
            let last = DEVICES_MAX - 1;
            return Err(Error::Trace(format!("expected device numbers from 0 to {last}, found {most}")));
        }
        Ok(())
    }

    fn check_row(&self, row: usize, before_ns: i64) -> Result<()> {
        let place = [self.lbn[row], self.blocks[row].into(), self.device[row].into()];
        check_row(self.arrival_ns[row], before_ns, place, self.kind[row])
            .map_err(|found| Error::Trace(format!("request {row}: {found}")))
    }
}

/// The index in [`KINDS`] of the kind of a request in a trace, given by its operation and [`flags`].
fn kind(op: trace::Op, bits: u8) -> u8 {
    let is_forced = bits & flags::FUA != 0;
    match op {
        trace::Op::Read => request::kind(request::Op::Read, Durable::Nothing),
        trace::Op::Flush => request::kind(request::Op::Write, Durable::Earlier),
        _ if is_forced => request::kind(request::Op::Write, Durable::Itself),
        _ => request::kind(request::Op::Write, Durable::Nothing),
    }
}

/// Checks a request given by its first sector, number of sectors, device and kind, which arrives at
/// `arrival_ns` after another at `before_ns`.
#[inline]
pub(super) fn check_row(
    arrival_ns: i64,
    before_ns: i64,
    [lbn, blocks, device]: [i64; 3],
    kind: u8,
) -> std::result::Result<(), String> {
    ensure!(
        (arrival_ns as f64) < LATEST_NS,
        format!("expected an arrival time below {LATEST_NS:e} ns, found {arrival_ns} ns")
    );
    ensure!(
        arrival_ns >= before_ns,
        format!(
            "expected ascending arrival times of at least 0 ns, found {arrival_ns} ns after {before_ns} ns"
        )
    );
    let Some((name, _, durable)) = KINDS.get(usize::from(kind)) else {
        return Err(format!("expected a kind from 0 to {}, found {kind}", KINDS.len() - 1));
    };
    if *durable == Durable::Earlier {
        ensure!(blocks == 0, format!("expected a {name} without blocks, found {blocks} blocks"));
    } else {
        ensure!(blocks > 0, format!("expected at least 1 block, found {blocks}"));
    }
    ensure!(lbn >= 0 && lbn <= i64::MAX - blocks, format!("expected an LBN of at least 0, found {lbn}"));
    ensure!(device >= 0, format!("expected a device number of at least 0, found {device}"));
    Ok(())
}
