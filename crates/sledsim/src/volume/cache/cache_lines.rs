//! The lines of a cache, and the state of each sector of a line.

use crate::hashing::ByNumber;
use crate::time::Time;
use crate::volume::links::{Links, List};
use crate::volume::replacement::Replacement;
use crate::volume::sector_bits::ones;

/// Largest number of slots examined in search of a slot for a new line. If all of them are dirty or in use, no slot is
/// found.
const PATIENCE: usize = 32;

/// The state of a slot and of the line that it holds. In each mask, bit i stands for the i-th sector of the line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    pub(super) number: u64,
    pub(super) valid: u64,
    /// Sectors that are newer in memory than on the device, except those that a part in flight is writing back.
    pub(super) dirty: u64,
    /// Sectors that a part in flight is reading from the device.
    pub(super) fetching: u64,
    /// Number of parts in flight that read sectors of the line from the device or write them to it.
    pub(super) pins: u32,
    /// True if a part in flight is writing sectors of the line to the device.
    pub(super) is_leaving: bool,
    /// True if the line was read ahead and no read has used it yet.
    pub(super) is_ahead: bool,
    pub(super) dirty_since: Time,
    /// Requests that wait until sectors of the line have been read from the device.
    pub(super) waiting: List,
}

impl Line {
    /// True if the line may be evicted: it is clean, no part is in flight, and no request waits for it.
    fn is_free(&self) -> bool {
        self.pins == 0 && self.dirty == 0 && self.waiting.is_empty()
    }
}

/// The sectors of a request that lie in one line of the cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinePart {
    pub(super) line: u64,
    /// First of these sectors, counted from the start of the line. `at` is the same sector, counted from the start of
    /// the request.
    pub(super) from: u32,
    pub(super) at: u64,
    pub(super) mask: u64,
}

/// All slots of the cache, and the lines that they hold.
#[derive(Clone)]
pub(super) struct Lines {
    /// Base-2 logarithm of the number of sectors of a line.
    pub(super) shift: u32,
    pub(super) slots: Vec<Line>,
    places: ByNumber<u32>,
    empty: Vec<u32>,
    policy: Box<dyn Replacement>,
    /// Slots with dirty sectors; the slot that became dirty first is the first.
    pub(super) dirty: List,
    pub(super) links: Links,
    pub(super) evicted: u64,
    pub(super) ahead_unused: u64,
}

impl Lines {
    pub(super) fn new(sectors: u32, slots: u32, policy: Box<dyn Replacement>) -> Self {
        Self {
            shift: sectors.trailing_zeros(),
            slots: vec![Line::default(); slots as usize],
            places: ByNumber::default(),
            empty: (0..slots).rev().collect(),
            policy,
            dirty: List::default(),
            links: Links::new(slots as usize),
            evicted: 0,
            ahead_unused: 0,
        }
    }

    /// Splits the sectors from `first` up to but excluding `end` into pieces that each lie in one line.
    pub(super) fn stretches(&self, first: u64, end: u64) -> impl Iterator<Item = LinePart> + Clone {
        let shift = self.shift;
        let lines = if first < end { first >> shift..((end - 1) >> shift) + 1 } else { 0..0 };
        lines.map(move |line| {
            let start = line << shift;
            let from = first.max(start) - start;
            let to = end.min(start + (1 << shift)) - start;
            let mask = ones((to - from) as u32) << from;
            LinePart { line, from: from as u32, at: start + from - first, mask }
        })
    }

    pub(super) fn find(&self, line: u64) -> Option<u32> {
        self.places.get(&line).copied()
    }

    /// Records a use of the line in a slot, for the replacement policy.
    pub(super) fn touch(&mut self, slot: u32) {
        self.policy.touch(slot);
    }

    /// Returns the slot of the line with the number `line`. A line without a slot gets an empty slot, or that of an
    /// evicted line; `None` if no line can be evicted.
    pub(super) fn allot(&mut self, line: u64) -> Option<u32> {
        if let Some(slot) = self.find(line) {
            return Some(slot);
        }
        self.policy.missed(line);
        let slot = self.empty.pop().or_else(|| self.evict())?;
        self.slots[slot as usize] = Line { number: line, ..Line::default() };
        self.places.insert(line, slot);
        self.policy.insert(slot, line);
        Some(slot)
    }

    fn evict(&mut self) -> Option<u32> {
        let (slots, policy) = (&self.slots, &mut self.policy);
        let slot = policy.victim(PATIENCE, &mut |slot| slots[slot as usize].is_free())?;
        let line = slots[slot as usize];
        self.places.remove(&line.number);
        self.evicted += 1;
        self.ahead_unused += u64::from(line.is_ahead);
        Some(slot)
    }

    /// Marks sectors of the line in a slot as newer in memory than on the device; `mask` has a bit for each.
    pub(super) fn soil(&mut self, slot: u32, mask: u64, now: Time) {
        let line = &mut self.slots[slot as usize];
        line.valid |= mask;
        if line.dirty == 0 {
            line.dirty_since = now;
            self.links.push(&mut self.dirty, slot);
        }
        line.dirty |= mask;
    }

    /// Number of sectors that are newer in memory than on the device, except those that are being written back.
    pub(super) fn dirty_sectors(&self) -> u64 {
        let slots = self.links.iter(&self.dirty);
        slots.map(|slot| u64::from(self.slots[slot as usize].dirty.count_ones())).sum()
    }

    /// Marks sectors of the line in a slot as being written to the device; `mask` has a bit for each.
    pub(super) fn leave(&mut self, slot: u32, mask: u64) {
        let line = &mut self.slots[slot as usize];
        line.pins += 1;
        line.is_leaving = true;
        line.dirty &= !mask;
        if line.dirty == 0 {
            self.links.remove(&mut self.dirty, slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_cut_at_the_ends_of_lines() {
        let lines = Lines::new(8, 1, (crate::volume::REPLACEMENTS.rows()[0].make)(1));
        let found: Vec<_> = lines.stretches(6, 17).map(|s| (s.line, s.from, s.at, s.mask)).collect();
        assert_eq!(found, [(0, 6, 0, 0xc0), (1, 0, 2, 0xff), (2, 0, 10, 1)]);
        assert_eq!(lines.stretches(6, 6).count(), 0);
    }
}
