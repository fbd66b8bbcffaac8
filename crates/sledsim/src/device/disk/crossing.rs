//! The data of a read on their way to the host: over the bus in the order of the blocks, each when it is in the buffer.

use super::drive_settings::times;
use super::medium::Run;
use crate::time::{Span, Time};

/// The way of a read over the bus, as its runs on the medium determine it.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Time of a block on the bus.
    each: Span,
    /// Blocks, from the first on, that have to be in the buffer before it begins.
    enough: u64,
    passed: u64,
    /// Time at which those blocks are in the buffer.
    pub reached: Time,
    /// Time at which all blocks have crossed a bus that waits for nothing else.
    pub crossed: Time,
}

impl Crossing {
    /// Nothing has been read yet.
    pub fn new(each: Span, enough: u64) -> Self {
        Self { each, enough, passed: 0, reached: Time::ZERO, crossed: Time::ZERO }
    }

    /// The blocks of a run follow. Those that pass last are its first ones; the others are in the buffer by then.
    pub fn follow(&mut self, run: &Run) {
        let late = run.late;
        if self.passed < self.enough {
            self.reached = self.reached.max(run.passed_at((self.enough - self.passed).min(run.blocks)));
        }
        self.passed += run.blocks;
        // Blocks pass at an even pace: either the first or the last is what the bus waits for.
        let from_first = self.crossed.max(run.passed_at(1)) + times(late, self.each);
        let late_crossed = from_first.max(run.passed_at(late) + self.each);
        self.crossed = late_crossed + times(run.blocks - late, self.each);
    }
}
