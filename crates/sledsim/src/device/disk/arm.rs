//! Seek times of a drive, for a scheduler that sorts its queue by cylinder.

use super::Disk;
use crate::device::{Arrival, Departure, Seeks};
use crate::request::Op;
use crate::time::{Span, Time};

impl Seeks for Disk {
    fn overhead(&self, op: Op) -> Span {
        self.overhead(op)
    }

    /// Cylinder and time at which the arm starts to move, after read-ahead has moved it until the time `ready`.
    fn departure(&self, ready: Time) -> Departure {
        Departure { cylinder: self.arm_at(ready).cylinder, at: ready.max(self.free_at) }
    }

    fn least(&self, cylinders: u32) -> Span {
        self.fixed.medium.mechanics.least_seek(cylinders)
    }

    fn arrival(&self, departure: &Departure, cylinder: u32, op: Op) -> Arrival {
        let distance = cylinder.abs_diff(departure.cylinder);
        let (soonest, is_certain) = self.fixed.medium.mechanics.to_cylinder(distance, op);
        Arrival { at: departure.at + soonest, is_certain }
    }

    fn first_slot(&self, now: Time, cylinder: u32) -> u32 {
        let medium = &self.fixed.medium;
        medium.mechanics.first_slot(now, medium.layout.sectors_per_track(cylinder))
    }

    fn passage(&self, now: Time, cylinder: u32, slot: u32) -> Time {
        let medium = &self.fixed.medium;
        medium.mechanics.passage(now, slot, medium.layout.sectors_per_track(cylinder)).max(now)
    }

    fn without_seek(&self) -> Vec<[u64; 2]> {
        self.cache.stretches().collect()
    }
}
