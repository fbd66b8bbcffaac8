//! Places on the medium of blocks that are shifted past bad blocks (slipped), or moved to a
//! reserve.

use std::collections::BTreeMap;

/// Mapping from the LBNs that the host uses to blocks of the medium. Like a disk, it skips blocks
/// that are bad at manufacture, and moves others to a reserve.
#[derive(Clone, Debug, Default)]
pub(super) struct Mapping {
    /// Blocks of the medium that are skipped because they were bad at manufacture, in ascending
    /// order.
    pub slipped: Vec<u64>,
    /// Number of usable blocks before each skipped block.
    before: Vec<u64>,
    /// Current places of the blocks that have moved to the reserve, by home. The home of a block is
    /// its place on the medium before any move.
    pub elsewhere: BTreeMap<u64, u64>,
    /// Homes (places before any move) of the blocks that have moved to the reserve, by current
    /// place.
    homes: BTreeMap<u64, u64>,
    /// First block of the reserve on the medium.
    end: u64,
    /// Blocks of the reserve that are free.
    free: std::ops::Range<u64>,
}

/// A run of consecutive blocks of the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockRun {
    pub lbn: u64,
    pub blocks: u32,
}

impl Mapping {
    /// Creates a mapping for a medium of `blocks` blocks, of which the last `reserve` form the
    /// reserve; the blocks `slipped` are skipped.
    pub fn new(blocks: u64, reserve: u64, mut slipped: Vec<u64>) -> Self {
        slipped.sort_unstable();
        let end = blocks - reserve + slipped.len() as u64;
        let before = (0..).zip(&slipped).map(|(slips, block)| block - slips).collect();
        Self { slipped, before, elsewhere: BTreeMap::new(), homes: BTreeMap::new(), end, free: end..blocks }
    }

    pub fn is_plain(&self) -> bool {
        self.slipped.is_empty() && self.elsewhere.is_empty()
    }

    /// Home of the host's block `lbn`: its place on the medium unless it has moved to the reserve.
    pub fn home(&self, lbn: u64) -> u64 {
        // Each slipped block before a block pushes it by one, possibly past the next slipped block.
        lbn + self.before.partition_point(|before| *before <= lbn) as u64
    }

    /// Current place on the medium of the block with the home `home`.
    pub fn place(&self, home: u64) -> u64 {
        self.elsewhere.get(&home).copied().unwrap_or(home)
    }

    /// Home (place before any move) of the block that now lies at `place` on the medium; `None` if
    /// no block of the host lies there.
    pub fn home_at(&self, place: u64) -> Option<u64> {
        if place >= self.end {
            return self.homes.get(&place).copied();
        }
        let is_there = !self.elsewhere.contains_key(&place) && self.slipped.binary_search(&place).is_err();
        is_there.then_some(place)
    }

    /// LBN, as the host counts, of the block that now lies at `place` on the medium; `None` if no
    /// block of the host lies there.
    pub fn lbn_at(&self, place: u64) -> Option<u64> {
        let home = self.home_at(place)?;
        Some(home - self.slipped.partition_point(|slipped| *slipped < home) as u64)
    }

    /// Moves the block with the home `home` to the next free place of the reserve for which
    /// `is_good` is true; returns false if no such place is left.
    pub fn put(&mut self, home: u64, is_good: impl Fn(u64) -> bool) -> bool {
        for place in self.free.by_ref() {
            if is_good(place) {
                if let Some(before) = self.elsewhere.insert(home, place) {
                    self.homes.remove(&before);
                }
                self.homes.insert(place, home);
                return true;
            }
        }
        false
    }

    /// Runs of blocks on the medium that hold the host's blocks from `lbn` to `lbn + blocks - 1`,
    /// in order. A run includes the skipped blocks within it.
    pub fn pieces(&self, lbn: u64, blocks: u32) -> Vec<BlockRun> {
        let (first, last) = (self.home(lbn), self.home(lbn + u64::from(blocks) - 1));
        let mut pieces = Vec::new();
        let mut from = first;
        for (home, place) in self.elsewhere.range(first..=last) {
            if *home > from {
                pieces.push(BlockRun { lbn: from, blocks: (home - from) as u32 });
            }
            pieces.push(BlockRun { lbn: *place, blocks: 1 });
            from = home + 1;
        }
        if from <= last {
            pieces.push(BlockRun { lbn: from, blocks: (last + 1 - from) as u32 });
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn slips_are_passed_over_and_others_fetched_from_the_reserve() {
        let mut mapping = Mapping::new(100, 10, vec![5, 6, 20]);
        assert_eq!([0, 4, 5, 17, 18].map(|lbn| mapping.home(lbn)), [0, 4, 7, 19, 21]);
        assert_eq!(mapping.pieces(4, 3), [BlockRun { lbn: 4, blocks: 5 }]);
        assert!(mapping.put(8, |place| place != 93));
        let expected = [BlockRun { lbn: 4, blocks: 4 }, BlockRun { lbn: 94, blocks: 1 }];
        assert_eq!(mapping.pieces(4, 3), expected);
        assert_eq!((mapping.place(8), mapping.place(9)), (94, 9));
        assert_eq!(
            [5, 8, 9, 93, 94].map(|place| mapping.home_at(place)),
            [None, None, Some(9), None, Some(8)]
        );
        assert!(mapping.put(8, |_| true), "its new place has gone bad, too");
        assert_eq!(([94, 95].map(|place| mapping.home_at(place)), mapping.place(8)), ([None, Some(8)], 95));
        assert_eq!(mapping.elsewhere.len(), 1);
    }

    #[test]
    fn no_piece_is_empty() {
        let mut mapping = Mapping::new(100, 10, vec![]);
        assert!(mapping.put(5, |_| true) && mapping.put(7, |_| true));
        let [before, own, behind] = [(90, 1), (6, 1), (91, 1)].map(|(lbn, blocks)| BlockRun { lbn, blocks });
        assert_eq!(mapping.pieces(5, 3), [before, own, behind]);
    }

    proptest! {
        /// Checks that each block has a unique place, which is not a skipped block.
        #[test]
        fn no_two_blocks_lie_in_one_place(slipped in prop::collection::btree_set(0..200_u64, 0..20), put in prop::collection::btree_set(0..170_u64, 0..10)) {
            let (blocks, reserve) = (200, 30);
            let mut mapping = Mapping::new(blocks, reserve, slipped.iter().copied().collect());
            for lbn in put {
                let home = mapping.home(lbn);
                let _ = mapping.put(home, |place| !slipped.contains(&place));
            }
            let places: BTreeSet<u64> = (0..blocks - reserve).map(|lbn| mapping.place(mapping.home(lbn))).collect();
            prop_assert_eq!(places.len() as u64, blocks - reserve);
            prop_assert!(places.iter().all(|place| *place < blocks && !slipped.contains(place)));
            for lbn in 0..blocks - reserve {
                prop_assert_eq!(mapping.lbn_at(mapping.place(mapping.home(lbn))), Some(lbn));
            }
        }
    }
}
