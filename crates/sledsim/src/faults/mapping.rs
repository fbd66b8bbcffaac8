//! Places on the medium of blocks that are slipped or moved to a reserve.

use std::collections::BTreeMap;

/// Mapping between the blocks that a host counts and the blocks of the medium, in the way in which
/// disks remap blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Mapping {
    /// Slipped blocks, in ascending order.
    pub slipped: Vec<u64>,
    /// Number of blocks before each slipped block that are not slipped.
    before: Vec<u64>,
    /// Places of moved blocks, by home (the place without moves).
    pub elsewhere: BTreeMap<u64, u64>,
    /// Homes of moved blocks, by place.
    homes: BTreeMap<u64, u64>,
    /// First block of the reserve.
    end: u64,
    /// Blocks of the reserve that are free.
    free: std::ops::Range<u64>,
}

/// Blocks that lie side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockRun {
    pub lbn: u64,
    pub blocks: u32,
}

impl Mapping {
    /// Creates a mapping of `blocks` blocks, of which the last `reserve` form the reserve;
    /// `slipped` blocks are skipped.
    pub fn new(blocks: u64, reserve: u64, mut slipped: Vec<u64>) -> Self {
        slipped.sort_unstable();
        let end = blocks - reserve + slipped.len() as u64;
        let before = (0..).zip(&slipped).map(|(slips, block)| block - slips).collect();
        Self { slipped, before, elsewhere: BTreeMap::new(), homes: BTreeMap::new(), end, free: end..blocks }
    }

    pub fn is_plain(&self) -> bool {
        self.slipped.is_empty() && self.elsewhere.is_empty()
    }

    /// Home of the host's block `lbn`: its place, unless it was moved.
    pub fn home(&self, lbn: u64) -> u64 {
        // Each slipped block before a block pushes it by one, possibly past the next slipped block.
        lbn + self.before.partition_point(|before| *before <= lbn) as u64
    }

    /// Current place of the block with this home.
    pub fn place(&self, home: u64) -> u64 {
        self.elsewhere.get(&home).copied().unwrap_or(home)
    }

    /// Home of the block at a place of the medium; None if no block of the host lies there.
    pub fn home_at(&self, place: u64) -> Option<u64> {
        if place >= self.end {
            return self.homes.get(&place).copied();
        }
        let is_there = !self.elsewhere.contains_key(&place) && self.slipped.binary_search(&place).is_err();
        is_there.then_some(place)
    }

    /// The host's block at a place of the medium; None if no block lies there.
    pub fn lbn_at(&self, place: u64) -> Option<u64> {
        let home = self.home_at(place)?;
        Some(home - self.slipped.partition_point(|slipped| *slipped < home) as u64)
    }

    /// Moves the block with this home to the next free place for which `is_good` is true; returns
    /// false if the reserve is used up.
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

    /// The runs of blocks on the medium for `blocks` blocks of the host from `lbn` on, in order. A run includes
    /// the slipped blocks over which it passes.
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
        /// Each block has a unique place, which is not slipped.
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
