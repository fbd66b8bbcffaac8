//! Interface to devices whose positioning is a seek of an arm and a wait for rotation. Schedulers that sort
//! their queue by cylinder use it.

use crate::request::Op;
use crate::time::{Span, Time};

/// Cylinder and time at which the arm starts to move to the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Cylinder on which the arm is when it starts to move.
    pub cylinder: u32,
    /// Time at which the arm starts to move; from then on the medium is free.
    pub at: Time,
}

/// Time at which the arm reaches a cylinder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Earliest time at which the arm can reach the cylinder.
    pub at: Time,
    /// True if the time `at` is exact for every track of the cylinder, and the slots of a track pass one
    /// after another from then on, no two at the same time.
    pub is_certain: bool,
}

/// A device whose arm moves to a cylinder and then waits for the slot (the angle, counted in sectors) at
/// which a request begins. Requests that need no seek are served sooner.
pub trait Seeks {
    /// Time to process the command of a read or a write, before the arm starts to move.
    fn overhead(&self, op: Op) -> Span;

    /// Cylinder and time at which the arm starts to move to a request whose command has been processed at `ready`.
    fn departure(&self, ready: Time) -> Departure;

    /// The shortest seek time over a distance of `cylinders` cylinders or more.
    fn least(&self, cylinders: u32) -> Span;

    /// Time at which the arm reaches the cylinder `cylinder` for the operation `op`, if it starts to move
    /// at `departure`.
    fn arrival(&self, departure: &Departure, cylinder: u32, op: Op) -> Arrival;

    /// The slot that passes first under the head on this cylinder at `now` or later. Slots with higher
    /// numbers pass after it, and then the slots from 0 on.
    fn first_slot(&self, now: Time, cylinder: u32) -> u32;

    /// Time, at `now` or later, at which the slot `slot` of a cylinder next passes under the head.
    fn passage(&self, now: Time, cylinder: u32, slot: u32) -> Time;

    /// Ranges of blocks that can perhaps be read without a seek, because they are in the cache. Each range
    /// is given by its first block and the block after its last block.
    fn without_seek(&self) -> Vec<[u64; 2]>;
}
