//! The write-intent bitmap: regions of an array that may be out of step after a power failure.

use crate::time::{Span, Time};

/// Number of bit words that fit into a note.
const WORDS: usize = 56;
const REGIONS: u64 = WORDS as u64 * 64;

/// Regions that are about to be written or were written lately. Each is noted before its first write.
#[derive(Clone)]
pub(in crate::volume) struct Intent {
    region: u64,
    kept: Span,
    /// Regions noted or to be noted.
    pub(super) dirty: [u64; WORDS],
    /// Regions noted on all members.
    noted: [u64; WORDS],
    /// Regions in the note that is being written.
    flying: [u64; WORDS],
    /// Regions written since the last tick.
    touched: [u64; WORDS],
    in_flight: Vec<u32>,
    ticking: bool,
}

impl Intent {
    /// An intent over `sectors` sectors of each member; regions without a write for `kept_s` seconds are
    /// dropped.
    pub(in crate::volume) fn new(sectors: u64, kept_s: f64) -> Self {
        let region = sectors.div_ceil(REGIONS);
        let in_flight = vec![0; sectors.div_ceil(region) as usize];
        let kept = Span::from_s(kept_s);
        Self {
            region,
            kept,
            dirty: [0; WORDS],
            noted: [0; WORDS],
            flying: [0; WORDS],
            touched: [0; WORDS],
            in_flight,
            ticking: false,
        }
    }

    /// Begins a write of sectors of the members; returns true if all their regions are noted.
    pub(in crate::volume) fn enter(&mut self, from: u64, sectors: u64) -> bool {
        let mut noted = true;
        for region in self.regions(from, sectors) {
            let (word, bit) = (region / 64, 1 << (region % 64));
            self.in_flight[region] += 1;
            self.dirty[word] |= bit;
            self.touched[word] |= bit;
            noted &= self.noted[word] & bit != 0;
        }
        noted
    }

    pub(in crate::volume) fn leave(&mut self, from: u64, sectors: u64) {
        for region in self.regions(from, sectors) {
            self.in_flight[region] -= 1;
        }
    }

    /// Starts to write a note of the dirty regions; regions outside it no longer count as noted.
    pub(super) fn note(&mut self) {
        self.flying = self.dirty;
        self.noted.iter_mut().zip(&self.dirty).for_each(|(noted, dirty)| *noted &= dirty);
    }

    /// Ends the write of a note, which all members now have; regions dropped meanwhile are left out of the
    /// next note.
    pub(super) fn noted(&mut self) {
        let kept = self.flying.iter().zip(&self.dirty).map(|(flying, dirty)| flying & dirty);
        self.noted.iter_mut().zip(kept).for_each(|(noted, kept)| *noted = kept);
    }

    fn regions(&self, from: u64, sectors: u64) -> std::ops::RangeInclusive<usize> {
        (from / self.region) as usize..=((from + sectors - 1) / self.region) as usize
    }

    /// True if any of these sectors may be out of step.
    pub(in crate::volume) fn is_dirty(&self, from: u64, sectors: u64) -> bool {
        self.regions(from, sectors).any(|region| self.dirty[region / 64] >> (region % 64) & 1 != 0)
    }

    /// Returns the time of the next tick, if regions are dirty and no tick is pending.
    pub(in crate::volume) fn tick_at(&mut self, now: Time) -> Option<Time> {
        let due = !self.ticking && self.dirty.iter().any(|word| *word != 0);
        self.ticking |= due;
        due.then(|| now + self.kept)
    }

    /// Drops regions that were not written since the last call, unless `held`; returns true if any region was dropped.
    pub(in crate::volume) fn tick(&mut self, held: bool) -> bool {
        self.ticking = false;
        let before = self.dirty;
        let touched = std::mem::replace(&mut self.touched, [0; WORDS]);
        for (region, in_flight) in self.in_flight.iter().enumerate() {
            let (word, bit) = (region / 64, 1 << (region % 64));
            if !held && *in_flight == 0 && touched[word] & bit == 0 {
                self.dirty[word] &= !bit;
            }
        }
        before != self.dirty
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regions that were dirty when the array was made: in the note, but not written since.
    #[test]
    fn what_is_not_written_since_is_forgotten_at_the_first_look() {
        let noted = || {
            let mut intent = Intent::new(4 * REGIONS, 1.0);
            intent.dirty = [u64::MAX; WORDS];
            assert_eq!(intent.tick_at(Time(5)), Some(Time(1_000_000_005)));
            intent
        };
        let mut held = noted();
        assert!(!held.tick(true) && held.is_dirty(0, 1) && held.is_dirty(4 * REGIONS - 1, 1));
        let mut written = noted();
        // The write covers the last sector of the second region up to the first of the fourth.
        written.enter(7, 6);
        written.leave(7, 6);
        assert!(written.tick(false));
        let dirty = (0..REGIONS).filter(|region| written.is_dirty(4 * region, 4)).collect::<Vec<_>>();
        assert_eq!(dirty, [1, 2, 3]);
        assert!(written.tick(false) && !written.is_dirty(0, 4 * REGIONS), "nor were those since");
        assert!(!written.tick(false), "there are no more");
    }
}
