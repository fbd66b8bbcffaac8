//! Interface to devices whose positioning is a seek and a wait for rotation, for a queue that is
//! sorted by cylinder.

use crate::request::Op;
use crate::time::{Span, Time};

/// Cylinder and time at which the arm sets off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Cylinder from which the arm sets off.
    pub cylinder: u32,
    /// Time from which the medium is free.
    pub at: Time,
}

/// Arrival of the arm on a cylinder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Earliest time of the arrival.
    pub at: Time,
    /// True if the arm is ready at this time on every track of the cylinder, and no two slots pass
    /// at the same time afterwards.
    pub is_certain: bool,
}

/// A device whose arm moves to a cylinder and then waits for the slot (the angle) at which a
/// request begins. A request that needs no seek is served sooner.
pub trait Seeks {
    /// Time of command processing for a read or a write, before the arm sets off.
    fn overhead(&self, op: Op) -> Span;

    /// Cylinder and time at which the arm sets off for a request whose command is processed at
    /// `ready`.
    fn departure(&self, ready: Time) -> Departure;

    /// The least time of a seek over `cylinders` cylinders or more.
    fn least(&self, cylinders: u32) -> Span;

    /// Arrival of the arm on `cylinder` to read or to write, after it sets off with `departure`.
    fn arrival(&self, departure: &Departure, cylinder: u32, op: Op) -> Arrival;

    /// The slot of a cylinder that passes first at `now` or later. The slots with higher numbers
    /// follow, and then the slots from 0 on.
    fn first_slot(&self, now: Time, cylinder: u32) -> u32;

    /// Time, at `now` or later, at which `slot` of a cylinder next passes.
    fn passage(&self, now: Time, cylinder: u32, slot: u32) -> Time;

    /// Ranges of blocks whose reads may need no seek: the first block of each range and the block
    /// after its last.
    fn without_seek(&self) -> Vec<[u64; 2]>;
}
