//! Writes whose rows could pass under the tips before their data have crossed the bus.
//!
//! Data cross the bus in the order of the blocks, even if the rows are swept in the opposite order. The
//! sled delays a pass until the data of each row will be in the buffer when the row passes.

use super::motion::Direction;
use super::runs::{Run, Runs};
use super::Mems;
use crate::params::WriteStart;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Steps through a write run by run (a run is a number of consecutive rows), and computes when the data of
/// each run arrive.
pub(super) struct Late<'a> {
    mems: &'a Mems,
    now: Time,
    request: &'a Request,
    /// The parts of the write. In a part, all rows hold the same number of its blocks; consecutive parts
    /// make up a run.
    parts: Runs<'a>,
    blocks: u64,
    rows_before: u64,
    /// Time until the data of the row that passes first have arrived: if the first run is swept upwards,
    /// and if it is swept downwards.
    first: [Span; 2],
}

impl Mems {
    /// Begins to step through the runs of a write. Returns None for a read, and for a write whose data have
    /// all crossed the bus by the time `now + in_place`, when the first row can pass.
    pub(super) fn late<'a>(&'a self, now: Time, request: &'a Request, in_place: Span) -> Option<Late<'a>> {
        if request.op == Op::Read || request.data_until <= now + in_place {
            return None;
        }
        let parts = self.runs(now, request).in_parts();
        Some(Late { mems: self, now, request, parts, blocks: 0, rows_before: 0, first: [Span::ZERO; 2] })
    }

    /// Time for which a row that could be accessed from `start` on waits for the first `blocks` blocks of a
    /// write; zero for a read.
    pub(super) fn blocks_late(&self, request: &Request, blocks: u64, start: Time) -> Span {
        match request.op {
            Op::Read => Span::ZERO,
            Op::Write => self.interface.there(request, blocks).since(start),
        }
    }
}

impl Late<'_> {
    /// Earliest time, from the start of the service, at which the sled may begin to move to the next run,
    /// so that all its data arrive before their rows pass: for a sweep upwards, and for a sweep downwards.
    /// A run that is only read needs no data.
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

    /// Maximum wait for data before the first row. It has no limit if the buffer holds the sled back;
    /// otherwise the sled waits only for the blocks of the first pass.
    pub(super) fn before_first(&self, direction: Direction, positioning: Span) -> Span {
        match self.mems.params.write_start {
            WriteStart::Buffered => Span::MAX,
            WriteStart::AtDispatch => self.first[direction as usize].saturating_sub(positioning),
        }
    }
}
