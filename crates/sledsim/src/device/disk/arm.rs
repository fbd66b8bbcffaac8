//! What a queue by cylinder has to know of a drive.

use super::Disk;
use crate::device::{Arm, Seeks};
use crate::request::Op;
use crate::time::{Span, Time};

impl Seeks for Disk {
    /// Reading ahead moves the arm until the command of a request is processed, and how long that takes depends on what it
    /// asks for.
    fn arm(&self, now: Time) -> Arm {
        let overheads = [Op::Read, Op::Write].map(|op| self.overhead(op));
        let cylinders =
            [Span::ZERO, overheads[0], overheads[1]].map(|after| self.arm_at(now + after).cylinder);
        let [first, rest @ ..] = cylinders;
        let (from, to) = rest.into_iter().fold((first, first), |(from, to), at| (from.min(at), to.max(at)));
        Arm { cylinders: from..=to, overhead: overheads[0].min(overheads[1]) }
    }

    fn least(&self, cylinders: u32) -> Span {
        self.fixed.medium.mechanics.least_seek(cylinders)
    }

    fn without_seek(&self) -> Vec<[u64; 2]> {
        self.cache.stretches().collect()
    }
}
