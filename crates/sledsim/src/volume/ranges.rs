//! Ranges of sectors that jobs use. Ranges that overlap wait for one another, in the order of arrival.

use std::ops::{Range, RangeInclusive};

/// The way in which a job uses a range of sectors: together with other jobs, or alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Shared: other shared ranges may overlap the range while it is in use.
    Shared,
    /// Exclusive: no other range may overlap the range while it is in use.
    Exclusive,
}

/// Ticket of a range: identifies the range while it waits or is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u32);

/// Number of slots of the hash table by unit. Units that share a slot differ by their numbers.
const SLOTS: usize = 1 << 10;

#[derive(Clone, Copy)]
struct Entry {
    start: u64,
    end: u64,
    hold: Hold,
    token: u64,
    /// Sequence number of the range in the order of arrival.
    order: u64,
    /// Number of earlier ranges for which this range still waits; 0 if it is in use.
    blockers: u32,
}

/// A set of ranges that are in use or wait. A range waits for all earlier ranges that overlap it, unless both are
/// shared. No range waits for a later one, so that none waits for ever.
#[derive(Clone)]
pub struct Ranges {
    unit_shift: u32,
    /// The hash table: in the slot of each unit, the number of the unit, and the index of each range that touches the
    /// unit.
    slots: Vec<Vec<(u64, u32)>>,
    entries: Vec<Entry>,
    free: Vec<u32>,
    entered: u64,
    /// Ranges that [`leave`](Self::leave) has just put into use: sequence number and token of each.
    freed: Vec<(u64, u64)>,
}

impl Ranges {
    /// Creates an empty set. The ranges are indexed by units of `unit` sectors, a power of two. The index is fastest if
    /// most ranges are about as long as a unit.
    #[must_use]
    pub fn new(unit: u64) -> Self {
        debug_assert!(unit.is_power_of_two(), "expected a power of two, found a unit of {unit} sectors");
        Self {
            unit_shift: unit.trailing_zeros(),
            slots: vec![Vec::new(); SLOTS],
            entries: Vec::new(),
            free: Vec::new(),
            entered: 0,
            freed: Vec::new(),
        }
    }

    /// Adds the range `range` and returns its ticket, and true if the range is in use immediately. Otherwise it waits,
    /// and [`leave`](Self::leave) returns `token` when it comes into use.
    pub fn enter(&mut self, range: Range<u64>, hold: Hold, token: u64) -> (Ticket, bool) {
        debug_assert!(!range.is_empty(), "expected a range of at least one sector");
        let Range { start, end } = range;
        let mut entry = Entry { start, end, hold, token, order: self.entered, blockers: 0 };
        self.entered += 1;
        let id = self.free.pop().unwrap_or(self.entries.len() as u32);
        for unit in self.units(&entry) {
            let slot = &mut self.slots[slot(unit)];
            let same_unit = slot.iter().filter(|(at, _)| *at == unit);
            let met = same_unit
                .filter(|(_, other)| self.entries[*other as usize].meets(&entry, unit, self.unit_shift));
            entry.blockers += met.count() as u32;
            slot.push((unit, id));
        }
        match self.entries.get_mut(id as usize) {
            Some(old) => *old = entry,
            None => self.entries.push(entry),
        }
        (Ticket(id), entry.blockers == 0)
    }

    /// Tokens of the ranges for which a range waits; empty if the range is in use.
    pub fn blockers(&self, ticket: Ticket) -> impl Iterator<Item = u64> + '_ {
        let entry = &self.entries[ticket.0 as usize];
        let units = Some(self.units(entry)).filter(|_| entry.blockers > 0).into_iter().flatten();
        units.flat_map(move |unit| {
            let same_unit = self.slots[slot(unit)].iter().filter(move |(at, _)| *at == unit);
            let others = same_unit.map(|(_, other)| &self.entries[*other as usize]);
            let earlier = others.filter(|other| other.order < entry.order);
            earlier.filter(move |other| other.meets(entry, unit, self.unit_shift)).map(|other| other.token)
        })
    }

    /// Changes the token of a range, because another job takes the range over.
    pub fn hand_over(&mut self, ticket: Ticket, token: u64) {
        self.entries[ticket.0 as usize].token = token;
    }

    /// Removes a range that was in use. Appends to `ready` the tokens of the ranges that come into use thereby, in the
    /// order of arrival.
    pub fn leave(&mut self, ticket: Ticket, ready: &mut Vec<u64>) {
        let gone = self.entries[ticket.0 as usize];
        debug_assert!(gone.blockers == 0, "a range that still waits cannot end");
        for unit in self.units(&gone) {
            let slot = &mut self.slots[slot(unit)];
            let own = slot.iter().position(|found| *found == (unit, ticket.0));
            slot.swap_remove(own.expect("a range is listed in every unit that it touches"));
            for (_, id) in slot.iter().filter(|(at, _)| *at == unit) {
                let other = &mut self.entries[*id as usize];
                if other.order > gone.order && other.meets(&gone, unit, self.unit_shift) {
                    other.blockers -= 1;
                    if other.blockers == 0 {
                        self.freed.push((other.order, other.token));
                    }
                }
            }
        }
        self.free.push(ticket.0);
        self.freed.sort_unstable();
        ready.extend(self.freed.drain(..).map(|(_, token)| token));
    }

    /// True if the set has no range, in use or waiting.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.len() == self.free.len()
    }

    fn units(&self, entry: &Entry) -> RangeInclusive<u64> {
        entry.start >> self.unit_shift..=(entry.end - 1) >> self.unit_shift
    }
}

impl Entry {
    /// True if one of two ranges must wait for the other, and `unit` is the first unit that both touch. Thus each pair
    /// counts only once.
    fn meets(&self, other: &Self, unit: u64, unit_shift: u32) -> bool {
        let start = self.start.max(other.start);
        start < self.end.min(other.end)
            && start >> unit_shift == unit
            && (self.hold == Hold::Exclusive || other.hold == Hold::Exclusive)
    }
}

fn slot(unit: u64) -> usize {
    // The multiplication by the golden ratio spreads neighbouring units; its upper bits are well mixed.
    (unit.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOTS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compares the set with a simple model: each range waits for all earlier ranges that overlap it, unless both
        /// are shared.
        #[test]
        fn ranges_wait_for_the_earlier_ones(
            steps in prop::collection::vec((0_u64..64, 1_u64..40, any::<bool>(), any::<prop::sample::Index>()), 1..80),
            unit in prop::sample::select(vec![1_u64, 4, 16]),
        ) {
            let mut ranges = Ranges::new(unit);
            let mut known: Vec<(Range<u64>, Hold, u64, Ticket)> = Vec::new();
            let blocked = |known: &[(Range<u64>, Hold, u64, Ticket)], at: usize| {
                let (range, hold, ..) = &known[at];
                known[..at].iter().any(|(other, held, ..)| {
                    range.start.max(other.start) < range.end.min(other.end)
                        && (*hold == Hold::Exclusive || *held == Hold::Exclusive)
                })
            };
            for (token, (start, sectors, shared, leaver)) in steps.into_iter().enumerate() {
                let hold = if shared { Hold::Shared } else { Hold::Exclusive };
                let (ticket, now) = ranges.enter(start..start + sectors, hold, token as u64);
                known.push((start..start + sectors, hold, token as u64, ticket));
                prop_assert_eq!(now, !blocked(&known, known.len() - 1));
                if token % 3 != 0 {
                    continue;
                }
                let free = |known: &[(Range<u64>, Hold, u64, Ticket)]| -> Vec<u64> {
                    (0..known.len()).filter(|at| !blocked(known, *at)).map(|at| known[at].2).collect()
                };
                let before = free(&known);
                let gone = known.iter().position(|entry| entry.2 == before[leaver.index(before.len())]);
                let (.., ticket) = known.remove(gone.unwrap());
                let mut ready = Vec::new();
                ranges.leave(ticket, &mut ready);
                let expected: Vec<u64> =
                    free(&known).into_iter().filter(|token| !before.contains(token)).collect();
                prop_assert_eq!(ready, expected);
            }
            prop_assert_eq!(ranges.is_empty(), known.is_empty());
        }
    }
}
