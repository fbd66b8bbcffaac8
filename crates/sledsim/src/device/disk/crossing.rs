//! Transfer of the data of a read over the bus to the host, in the order of the blocks; each block
//! crosses once it is in the buffer.

use super::drive_settings::times;
use super::medium::Run;
use crate::time::{Span, Time};

/// The transfer of a read over the bus, computed from the runs of its blocks on the medium.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Time that a block takes on the bus.
    each: Span,
    /// Number of blocks, counted from the first, that must be in the buffer before the transfer
    /// begins.
    enough: u64,
    passed: u64,
    /// Time at which the first `enough` blocks are in the buffer.
    pub reached: Time,
    /// Time at which all blocks have crossed an otherwise idle bus.
    pub crossed: Time,
}

impl Crossing {
    /// Creates a transfer, before any block has been read.
    pub fn new(each: Span, enough: u64) -> Self {
        Self { each, enough, passed: 0, reached: Time::ZERO, crossed: Time::ZERO }
    }

    /// Adds the blocks of a run. Its first `late` blocks pass last on the medium; its other blocks
    /// are in the buffer by then.
    pub fn follow(&mut self, run: &Run) {
        let late = run.late;
        if self.passed < self.enough {
            self.reached = self.reached.max(run.passed_at((self.enough - self.passed).min(run.blocks)));
        }
        self.passed += run.blocks;
        // Blocks pass at an even pace, so the bus waits either for the first of them or for the
        // last.
        let from_first = self.crossed.max(run.passed_at(1)) + times(late, self.each);
        let late_crossed = from_first.max(run.passed_at(late) + self.each);
        self.crossed = late_crossed + times(run.blocks - late, self.each);
    }
}
