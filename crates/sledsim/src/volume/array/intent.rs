//! The regions of an array that may be out of step after a loss of power.

use crate::time::{Span, Time};

/// Words of bits that fit into a note.
const WORDS: usize = 56;
const REGIONS: u64 = WORDS as u64 * 64;

/// Regions that are about to be written or were written lately. Each is noted before its first write.
#[derive(Clone)]
pub(in crate::volume) struct Intent {
    region: u64,
    kept: Span,
    /// Noted, or to be noted.
    pub(super) dirty: [u64; WORDS],
    /// Noted on all members.
    noted: [u64; WORDS],
    /// In the note on its way.
    flying: [u64; WORDS],
    /// Written since the last time that regions were looked through.
    touched: [u64; WORDS],
    in_flight: Vec<u32>,
    ticking: bool,
}

impl Intent {
    /// An intent over `sectors` sectors of each member; regions that are not written for `kept_s` seconds are
    /// forgotten.
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

    /// A write of sectors of the members is to begin: whether their regions are all noted.
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

    /// A note of what is dirty sets off: what is not in it cannot be relied on from now on.
    pub(super) fn note(&mut self) {
        self.flying = self.dirty;
        self.noted.iter_mut().zip(&self.dirty).for_each(|(noted, dirty)| *noted &= dirty);
    }

    /// All members have that note; what was forgotten meanwhile is not in the next one.
    pub(super) fn noted(&mut self) {
        let kept = self.flying.iter().zip(&self.dirty).map(|(flying, dirty)| flying & dirty);
        self.noted.iter_mut().zip(kept).for_each(|(noted, kept)| *noted = kept);
    }

    fn regions(&self, from: u64, sectors: u64) -> std::ops::RangeInclusive<usize> {
        (from / self.region) as usize..=((from + sectors - 1) / self.region) as usize
    }

    /// Whether any of these sectors may be out of step.
    pub(in crate::volume) fn is_dirty(&self, from: u64, sectors: u64) -> bool {
        self.regions(from, sectors).any(|region| self.dirty[region / 64] >> (region % 64) & 1 != 0)
    }

    /// When regions should next be looked through, if that is not known yet and there are any.
    pub(in crate::volume) fn tick_at(&mut self, now: Time) -> Option<Time> {
        let due = !self.ticking && self.dirty.iter().any(|word| *word != 0);
        self.ticking |= due;
        due.then(|| now + self.kept)
    }

    /// Forgets regions that were not written since this was last called, unless they are to be `held`; true if
    /// there were any.
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
        // From the last sector of the second region to the first of the fourth.
        written.enter(7, 6);
        written.leave(7, 6);
        assert!(written.tick(false));
        let dirty = (0..REGIONS).filter(|region| written.is_dirty(4 * region, 4)).collect::<Vec<_>>();
        assert_eq!(dirty, [1, 2, 3]);
        assert!(written.tick(false) && !written.is_dirty(0, 4 * REGIONS), "nor were those since");
        assert!(!written.tick(false), "there are no more");
    }
}
