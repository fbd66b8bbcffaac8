//! Handling of flushes and FUA: what they ask of the simulated device.

use sledsim::request::{Durable, Op};

use super::covered::Covered;
use super::history::History;
use super::Emulator;
use crate::nbd::{Kind, Request};

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
