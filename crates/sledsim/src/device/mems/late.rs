//! Rows of a write that would pass before their data have crossed the bus.
//!
//! The data of a write cross in the order of its blocks, whichever way its rows are swept: the sled is held back until
//! each row finds its data in the buffer.

use std::iter;

use super::motion::Direction;
use super::runs::{Run, Runs};
use super::Mems;
use crate::params::WriteStart;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Walks through the runs of a write whose data are late.
pub(super) struct Late<'a> {
    mems: &'a Mems,
    now: Time,
    request: &'a Request,
    /// What the runs are joined of.
    parts: Runs<'a>,
    blocks: u64,
    rows_before: u64,
    /// Time until the data of the row that passes first are there, by the direction of the first run.
    first: [Span; 2],
}

impl Mems {
    /// None if all data of a request have crossed by the time at which it can be in place, or it has none.
    pub(super) fn late<'a>(&'a self, now: Time, request: &'a Request, in_place: Span) -> Option<Late<'a>> {
        if request.op == Op::Read || request.data_until <= now + in_place {
            return None;
        }
        let parts = self.runs(now, request).in_parts();
        Some(Late { mems: self, now, request, parts, blocks: 0, rows_before: 0, first: [Span::ZERO; 2] })
    }

    /// How long a row that could begin at `start` waits for the first `blocks` of its request, if it is a write.
    pub(super) fn blocks_late(&self, request: &Request, blocks: u64, start: Time) -> Span {
        match request.op {
            Op::Read => Span::ZERO,
            Op::Write => self.interface.there(request, blocks).since(start),
        }
    }
}

impl Late<'_> {
    /// How long after the start of the service the sled may begin with what passes before the next run at the
    /// soonest, as if that were all one motion, so that each row of the run finds its data: swept upwards, and downwards.
    /// A row that is only read needs none.
    pub(super) fn next_run(&mut self, run: &Run) -> [Span; 2] {
        let count = run.rows();
        let mut late = [Span::ZERO; 2];
        if run.op == Op::Read {
            self.parts.next();
            self.rows_before += count;
            return late;
        }
        let in_order = Direction::BOTH.map(|direction| run.is_in_order(direction));
        let mut row_blocks = iter::from_fn(|| self.parts.next())
            .flat_map(|part| iter::repeat_n(u64::from(part.blocks_per_row()), part.rows() as usize));
        for number in 0..count {
            self.blocks += row_blocks.next().expect("the parts are those of the runs");
            let there = self.mems.interface.there(self.request, self.blocks).since(self.now);
            for direction in 0..2 {
                let before = self.rows_before + if in_order[direction] { number } else { count - 1 - number };
                if before == 0 {
                    self.first[direction] = there;
                }
                late[direction] = late[direction].max(there.saturating_sub(self.mems.motion.rows(before)));
            }
        }
        self.rows_before += count;
        late
    }

    /// The most of the wait for data that may come before the first row: any, unless the first pass is to begin at
    /// once.
    pub(super) fn before_first(&self, direction: Direction, positioning: Span) -> Span {
        match self.mems.params.write_start {
            WriteStart::Buffered => Span::MAX,
            WriteStart::AtDispatch => self.first[direction as usize].saturating_sub(positioning),
        }
    }
}
