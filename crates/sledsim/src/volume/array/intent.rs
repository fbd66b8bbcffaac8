//! The write-intent bitmap of an array: it marks the regions in which the members may differ after a power failure.

use crate::time::{Span, Time};

/// Number of 64-bit words of the bitmap, chosen so that the bitmap fits into one sector of a member.
const WORDS: usize = 56;
const REGIONS: u64 = WORDS as u64 * 64;

/// Write-intent bitmap: it marks the regions that are being written or were written recently. Before the first write to
/// a region, the region is marked in a copy of the bitmap that each member stores.
#[derive(Clone)]
pub(in crate::volume) struct Intent {
    region: u64,
    kept: Span,
    /// Regions that are marked in memory. The copies on the members mark them already, or will after the next write of
    /// the bitmap.
    pub(super) dirty: [u64; WORDS],
    /// Regions that the copies of the bitmap on all members mark.
    noted: [u64; WORDS],
    /// Regions that are marked in the copy of the bitmap that is now being written to the members.
    flying: [u64; WORDS],
    /// Regions that were written since the last call of [`tick`](Self::tick).
    touched: [u64; WORDS],
    in_flight: Vec<u32>,
    ticking: bool,
}

impl Intent {
    /// Creates an empty bitmap for members of `sectors` sectors. The mark of a region is removed if the region was not
    /// written for `kept_s` seconds.
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

    /// Marks the regions of a write that starts: `sectors` sectors from `from` on, on each member. Returns true if the
    /// copies of the bitmap on the members already mark all of these regions.
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

    /// Starts a write of the bitmap to the members. Regions that it does not mark no longer count as marked on the
    /// members.
    pub(super) fn note(&mut self) {
        self.flying = self.dirty;
        self.noted.iter_mut().zip(&self.dirty).for_each(|(noted, dirty)| *noted &= dirty);
    }

    /// Ends a write of the bitmap, which is now on all members. A region whose mark was removed meanwhile does not
    /// count as marked there.
    pub(super) fn noted(&mut self) {
        let kept = self.flying.iter().zip(&self.dirty).map(|(flying, dirty)| flying & dirty);
        self.noted.iter_mut().zip(kept).for_each(|(noted, kept)| *noted = kept);
    }

    fn regions(&self, from: u64, sectors: u64) -> std::ops::RangeInclusive<usize> {
        (from / self.region) as usize..=((from + sectors - 1) / self.region) as usize
    }

    /// True if the bitmap marks any region that contains one of the `sectors` sectors from `from` on: members may
    /// differ there.
    pub(in crate::volume) fn is_dirty(&self, from: u64, sectors: u64) -> bool {
        self.regions(from, sectors).any(|region| self.dirty[region / 64] >> (region % 64) & 1 != 0)
    }

    /// Returns the time at which [`tick`](Self::tick) must be called next; `None` if no region is marked or a call is
    /// already scheduled.
    pub(in crate::volume) fn tick_at(&mut self, now: Time) -> Option<Time> {
        let due = !self.ticking && self.dirty.iter().any(|word| *word != 0);
        self.ticking |= due;
        due.then(|| now + self.kept)
    }

    /// Removes the marks of regions that were not written since the last call; if `held` is true, all marks stay.
    /// Returns true if any mark was removed.
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

    /// Checks that the first call of `tick` removes the marks of regions that a new bitmap inherited and that were not
    /// written since.
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
        assert!(
            written.tick(false) && !written.is_dirty(0, 4 * REGIONS),
            "the second call drops the written regions"
        );
        assert!(!written.tick(false), "the third call finds no region to drop");
    }
}
