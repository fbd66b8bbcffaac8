//! The interface of a device whose positioning grows with the distance in cylinders, for a queue by cylinder.

use std::ops::RangeInclusive;

use crate::time::{Span, Time};

/// What is known of all positioning before any request is looked at.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The cylinders where the arm may be when it sets off.
    pub cylinders: RangeInclusive<u32>,
    /// The least time that every request takes besides its seek; a driver that knows nothing of overheads reckons without.
    pub overhead: Span,
}

/// A device whose positioning takes no less time than a seek over its distance in cylinders, except for reads of what
/// needs no seek.
pub trait Seeks {
    /// Where the arm is for a request that is served from `now` on.
    fn arm(&self, now: Time) -> Arm;

    /// The least time of a seek over so many cylinders or more.
    fn least(&self, cylinders: u32) -> Span;

    /// Stretches of blocks, each with the block behind its last, whose reads may need no seek.
    fn without_seek(&self) -> Vec<[u64; 2]>;
}
