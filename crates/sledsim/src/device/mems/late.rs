//! Rows of a write that would pass before their data have crossed the bus.
//!
//! The data of a write cross in the order of its blocks, whatever the direction in which its rows
//! are swept. The sled waits until the data of each row will be in the buffer when the row passes.

use super::motion::Direction;
use super::runs::{Run, Runs};
use super::Mems;
use crate::params::WriteStart;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Steps through the runs of a write whose data are late.
pub(super) struct Late<'a> {
    mems: &'a Mems,
    now: Time,
    request: &'a Request,
    /// Parts of the request on single rows; consecutive parts make up a run.
    parts: Runs<'a>,
    blocks: u64,
    rows_before: u64,
    /// Time until the data of the row that passes first have arrived, for a first run upwards and
    /// for one downwards.
    first: [Span; 2],
}

impl Mems {
    /// Starts the steps through a write; None for a read, and for a write whose data have all
    /// crossed within `in_place` from `now`.
    pub(super) fn late<'a>(&'a self, now: Time, request: &'a Request, in_place: Span) -> Option<Late<'a>> {
        if request.op == Op::Read || request.data_until <= now + in_place {
            return None;
        }
        let parts = self.runs(now, request).in_parts();
        Some(Late { mems: self, now, request, parts, blocks: 0, rows_before: 0, first: [Span::ZERO; 2] })
    }

    /// Time for which a row that could begin at `start` waits for the first `blocks` blocks of a
    /// write; zero for a read.
    pub(super) fn blocks_late(&self, request: &Request, blocks: u64, start: Time) -> Span {
        match request.op {
            Op::Read => Span::ZERO,
            Op::Write => self.interface.there(request, blocks).since(start),
        }
    }
}

impl Late<'_> {
    /// Earliest time, counted from the start of the service, at which the sled may begin its motion
    /// to the next run so that each row finds its data without a stop: for a run upwards, and for a
    /// run downwards. A row that is only read needs no data.
    pub(super) fn next_run(&mut self, run: &Run) -> [Span; 2] {
        let before = self.rows_before;
        self.rows_before += run.rows();
        if run.op == Op::Read {
            self.parts.next();
            return [Span::ZERO; 2];
        }
        let (mut passed, mut there) = (before, Span::ZERO);
        let (mut first, mut in_order) = (Span::ZERO, Span::ZERO);
        while passed < self.rows_before {
            let part = self.parts.next().expect("the parts are those of the runs");
            let row_blocks = u64::from(part.blocks_per_row());
            for _ in 0..part.rows() {
                self.blocks += row_blocks;
                there = self.mems.interface.there(self.request, self.blocks).since(self.now);
                in_order = in_order.max(there.saturating_sub(self.mems.motion.rows(passed)));
                if passed == 0 {
                    first = there;
                }
                passed += 1;
            }
        }
        // If the run is swept against the order of its blocks, the row with the last blocks passes
        // first, and later rows need earlier data.
        let against = there.saturating_sub(self.mems.motion.rows(before));
        let is_up = run.is_in_order(Direction::Up);
        let by_direction = |in_order, against| if is_up { [in_order, against] } else { [against, in_order] };
        if before == 0 {
            self.first = by_direction(first, against);
        }
        by_direction(in_order, against)
    }

    /// Longest wait for data that may precede the first row: without limit, unless the first pass
    /// begins at once.
    pub(super) fn before_first(&self, direction: Direction, positioning: Span) -> Span {
        match self.mems.params.write_start {
            WriteStart::Buffered => Span::MAX,
            WriteStart::AtDispatch => self.first[direction as usize].saturating_sub(positioning),
        }
    }
}
