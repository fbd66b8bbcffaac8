//! Transfer of the data of a read over the bus to the host, block by block in ascending order. A block can
//! cross the bus once it has been read into the buffer.

use super::drive_settings::times;
use super::medium::Run;
use crate::time::{Span, Time};

/// The transfer of a read over the bus, computed from the times at which its blocks are read from the medium.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Time in which one block crosses the bus.
    each: Span,
    /// Number of blocks, counted from the first block of the read, that must be in the buffer before the
    /// transfer begins.
    enough: u64,
    passed: u64,
    /// Time at which the first `enough` blocks are in the buffer, so that the transfer may begin.
    pub reached: Time,
    /// Time at which all blocks have crossed the bus, if the bus is not busy with other requests.
    pub crossed: Time,
}

impl Crossing {
    /// Creates the transfer of a read of which no block has been read yet.
    pub fn new(each: Span, enough: u64) -> Self {
        Self { each, enough, passed: 0, reached: Time::ZERO, crossed: Time::ZERO }
    }

    /// Adds the blocks of `run`. The head arrived behind its first `late` blocks, so they are read last;
    /// its other blocks are then already in the buffer.
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
