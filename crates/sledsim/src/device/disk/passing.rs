//! Times at which the blocks of a run pass under the head. Each block is read or written in the first turn
//! in which this is possible.

use super::drive_settings::times;
use crate::time::{Span, Time};

/// Difference in nanoseconds up to which two times count as equal, because times are rounded.
const ROUNDING_NS: f64 = 3.0;

/// Times at which the data of a write cross the bus, block after block in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct Data {
    /// First block of the write.
    pub lbn: u64,
    /// Time at which the first block begins to cross the bus.
    pub from: Time,
    /// Time in which one block crosses the bus.
    pub each: Span,
}

/// Adjacent blocks of a track that are to be read or written, and the conditions for it.
#[derive(Clone, Copy, Debug)]
pub struct Passing {
    pub lbn: u64,
    pub blocks: u64,
    /// Time at which the head has reached the track.
    pub positioned: Time,
    /// Time at which the first block of the run next begins to pass after `positioned`.
    pub first_at: Time,
    pub sector_ns: f64,
    pub turn_ns: f64,
    /// True if the access may begin with any of the blocks; otherwise it begins with the first block.
    pub zero_latency: bool,
    /// Times at which the data of a write cross the bus; None for a read.
    pub data: Option<Data>,
}

/// Times at which adjacent blocks of a track are read or written.
#[derive(Clone, Copy, Debug)]
pub struct Passed {
    /// Time at which the first block to pass begins to pass under the head.
    pub start: Time,
    /// Time at which the block with the lowest LBN begins to pass.
    pub first_at: Time,
    /// Number of blocks, counted from the lowest LBN, that pass after the other blocks; the number of all
    /// blocks if they pass in order.
    pub late: u64,
    /// Time at which all blocks have passed under the head.
    pub end: Time,
}

/// The whole number nearest to a time in nanoseconds; same result as `round`, but only two instructions.
pub fn nearest(ns: f64) -> i64 {
    (ns + 0.5_f64.copysign(ns)) as i64
}

impl Data {
    /// Time at which the data of block `block` are in the buffer.
    fn there(&self, block: u64) -> Time {
        self.from + times(block + 1 - self.lbn, self.each)
    }
}

impl Passing {
    /// Computes when the blocks pass. Without zero latency, all of them pass in one turn, the first in
    /// which every block can pass. With zero latency, blocks that the head reaches before the first block
    /// pass at that time.
    pub fn passed(&self) -> Passed {
        let (first, last) = (self.turns(0), self.turns(self.blocks - 1));
        let late = if self.zero_latency && last < first { self.late(first) } else { self.blocks };
        let first_at = self.after_first(first.max(last) as f64 * self.turn_ns);
        let end = first_at + Span(nearest(late as f64 * self.sector_ns) as u64);
        let is_in_order = late == self.blocks;
        let start = if is_in_order { first_at.0 } else { end.0.saturating_sub(nearest(self.turn_ns) as u64) };
        Passed { start: Time(start), first_at, late, end }
    }

    /// Number of turns after `first_at` in which `block` can first pass; -1 if it can pass in the turn
    /// before `first_at`.
    fn turns(&self, block: u64) -> i64 {
        let passes_ns = block as i64 as f64 * self.sector_ns;
        let head_ns = if self.zero_latency { self.since_first(self.positioned) } else { passes_ns };
        // The data must arrive a sector before their block passes.
        let data_ns = |data: Data| self.since_first(data.there(self.lbn + block)) + self.sector_ns;
        let can_ns = self.data.map_or(head_ns, |data| head_ns.max(data_ns(data)));
        let turns = (can_ns - passes_ns - ROUNDING_NS) / self.turn_ns;
        // Rounds up by a conversion to a whole number, which takes one instruction; `ceil` takes
        // many.
        let whole = turns as i64;
        whole + i64::from(turns > whole as f64)
    }

    /// Number of blocks at the beginning of the run that must wait for turn `turns`. All blocks after them
    /// can pass in an earlier turn.
    fn late(&self, turns: i64) -> u64 {
        let (mut least, mut most) = (1, self.blocks);
        if self.data.is_none() {
            // Only the arrival of the head counts, so the number of blocks is known except for
            // rounding.
            let need_ns = self.since_first(self.positioned) - ROUNDING_NS - (turns - 1) as f64 * self.turn_ns;
            let about = (need_ns / self.sector_ns) as i64 as u64;
            (least, most) = (about.max(1), (about + 2).min(self.blocks));
        }
        while least < most {
            let middle = least.midpoint(most);
            if self.turns(middle) < turns {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        least
    }

    fn since_first(&self, time: Time) -> f64 {
        time.0 as i64 as f64 - self.first_at.0 as i64 as f64
    }

    fn after_first(&self, ns: f64) -> Time {
        Time(self.first_at.0.saturating_add_signed(nearest(ns)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The computed number of late blocks equals the number found by a check of every block.
        #[test]
        fn late_blocks_are_counted(per_track in 2_u64..1_000, part in 0.0..1.0_f64, first_in in -3_i64..6_000_000) {
            let (turn_ns, positioned) = (6e6, Time(1_000_000_000));
            let passing = Passing {
                lbn: 0,
                blocks: 2 + (part * (per_track - 2) as f64) as u64,
                positioned,
                first_at: Time(positioned.0.saturating_add_signed(first_in)),
                sector_ns: turn_ns / per_track as f64,
                turn_ns,
                zero_latency: true,
                data: None,
            };
            let first = passing.turns(0);
            let is_late = |block: &u64| passing.turns(*block) >= first;
            prop_assert_eq!(passing.passed().late, (0..passing.blocks).filter(is_late).count() as u64);
        }
    }
}
