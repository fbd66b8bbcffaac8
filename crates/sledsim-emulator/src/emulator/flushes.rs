//! Flushes and writes with FUA: what they ask of the simulated device, and the writes that a flush covers.

use sledsim::request::{Durable, Op};

use super::history::History;
use super::Emulator;
use crate::nbd::{Kind, Request};

/// The writes that were answered when a flush was submitted.
#[derive(Clone, Copy, Default)]
pub(super) struct Covered {
    /// Number of the first write to the contents that the flush does not cover.
    pub below: u64,
    /// Number of answers to writes in the history.
    pub answers: u64,
}

impl Emulator {
    /// Return the operation of a request on the simulated device; `None` if the request takes no time there.
    pub(super) fn operation(&self, request: &Request) -> Option<(Op, Durable)> {
        let heeds = self.contents.heeds_flushes();
        match request.kind {
            Kind::Read => Some((Op::Read, Durable::Nothing)),
            Kind::Write | Kind::WriteZeroes if request.fua && heeds => Some((Op::Write, Durable::Itself)),
            Kind::Write | Kind::WriteZeroes => Some((Op::Write, Durable::Nothing)),
            Kind::Flush => heeds.then_some((Op::Write, Durable::Earlier)),
            // A trim needs no action: the data may stay.
            Kind::Trim => None,
        }
    }

    /// The writes that a flush covers if it is submitted now.
    pub(super) fn covered(&self) -> Covered {
        Covered { below: self.contents.next(), answers: self.history.as_ref().map_or(0, History::answers) }
    }
}
