//! The interface of a device whose positioning is a seek and a wait for rotation, for a queue by cylinder.

use crate::request::Op;
use crate::time::{Span, Time};

/// Place and time at which the arm sets off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Cylinder from which the arm sets off.
    pub cylinder: u32,
    /// Time at which the medium is free.
    pub at: Time,
}

/// Arrival of the arm on a cylinder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Earliest time of the arrival.
    pub at: Time,
    /// True if the earliest time holds on every track of the cylinder, and no two slots pass at the same time after it.
    pub is_certain: bool,
}

/// A device whose arm goes to a cylinder and then waits for the slot at which a request begins; a request without a
/// seek is served sooner.
pub trait Seeks {
    /// Command processing of a request, before the arm sets off.
    fn overhead(&self, op: Op) -> Span;

    /// Place and time at which the arm sets off for a request whose command is processed at `ready`.
    fn departure(&self, ready: Time) -> Departure;

    /// The least time of a seek over `cylinders` cylinders or more.
    fn least(&self, cylinders: u32) -> Span;

    /// Arrival of the arm on a cylinder for a request.
    fn arrival(&self, departure: &Departure, cylinder: u32, op: Op) -> Arrival;

    /// The slot of a cylinder that passes first from `now` on: slots with higher numbers follow, and then the slots
    /// from 0 on.
    fn first_slot(&self, now: Time, cylinder: u32) -> u32;

    /// Time at which a slot of a cylinder passes from `now` on.
    fn passage(&self, now: Time, cylinder: u32, slot: u32) -> Time;

    /// Stretches of blocks, each with the block behind its last, whose reads may need no seek.
    fn without_seek(&self) -> Vec<[u64; 2]>;
}
