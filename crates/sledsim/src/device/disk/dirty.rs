//! Data of completed writes that are only in the cache: dirty extents.

use std::collections::{BTreeMap, VecDeque};

use crate::time::Time;

/// Age of an extent: the time at which its oldest data came, and the number of their write.
type Age = (Time, u64);

/// Consecutive blocks whose data are only in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirtyExtent {
    pub lbn: u64,
    /// The block after the last block of the extent.
    pub end: u64,
    age: Age,
}

impl DirtyExtent {
    /// Time at which the oldest data of the extent came.
    pub fn since(&self) -> Time {
        self.age.0
    }
}

/// The dirty extents of a cache. No two of them overlap or touch.
#[derive(Clone, Debug, Default)]
pub struct DirtyExtents {
    /// The extents by first block.
    by_lbn: BTreeMap<u64, DirtyExtent>,
    /// Age and first block of each extent, the oldest first. Parts of a cut extent have equal ages.
    by_age: VecDeque<(Age, u64)>,
    blocks: u64,
    /// Number of writes so far.
    writes: u64,
}

impl DirtyExtents {
    /// Number of dirty blocks.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The extents in the order of age, the oldest first.
    pub fn by_age(&self) -> impl Iterator<Item = &DirtyExtent> {
        self.by_age.iter().map(|(_, lbn)| &self.by_lbn[lbn])
    }

    /// True if all blocks from `lbn` to before `end` are dirty.
    pub fn hold(&self, lbn: u64, end: u64) -> bool {
        self.overlapping(lbn, end).is_some_and(|extent| extent.lbn <= lbn && end <= extent.end)
    }

    /// The first extent that has a block from `lbn` to before `end`.
    pub fn overlapping(&self, lbn: u64, end: u64) -> Option<DirtyExtent> {
        let before = self.by_lbn.range(..lbn).next_back().filter(|(_, extent)| lbn < extent.end);
        before.or_else(|| self.by_lbn.range(lbn..end).next()).map(|(_, extent)| *extent)
    }

    /// Removes an extent, because its data go to the medium.
    pub fn take(&mut self, extent: DirtyExtent) {
        self.by_lbn.remove(&extent.lbn);
        if let Ok(at) = self.by_age.binary_search(&(extent.age, extent.lbn)) {
            self.by_age.remove(at);
        }
        self.blocks -= extent.end - extent.lbn;
    }

    /// Removes the blocks from `lbn` to before `end`, because a write replaces them.
    pub fn cut(&mut self, lbn: u64, end: u64) {
        while let Some(extent) = self.overlapping(lbn, end) {
            self.take(extent);
            let rests = [DirtyExtent { end: lbn, ..extent }, DirtyExtent { lbn: end, ..extent }];
            for rest in rests.into_iter().filter(|rest| rest.lbn < rest.end) {
                self.put(rest);
            }
        }
    }

    /// Adds the blocks from `lbn` to before `end`, none of which is dirty, with the data of a write that came at
    /// `now`. An extent that touches them grows instead, and keeps its age.
    pub fn add(&mut self, lbn: u64, end: u64, now: Time) {
        self.writes += 1;
        let mut whole = DirtyExtent { lbn, end, age: (now, self.writes) };
        let before = lbn.checked_sub(1).and_then(|last| self.overlapping(last, lbn));
        let behind = self.by_lbn.get(&end).copied();
        for touching in [before, behind].into_iter().flatten() {
            self.take(touching);
            whole = DirtyExtent {
                lbn: whole.lbn.min(touching.lbn),
                end: whole.end.max(touching.end),
                age: whole.age.min(touching.age),
            };
        }
        self.put(whole);
    }

    fn put(&mut self, extent: DirtyExtent) {
        self.blocks += extent.end - extent.lbn;
        let at = self.by_age.partition_point(|other| *other < (extent.age, extent.lbn));
        self.by_age.insert(at, (extent.age, extent.lbn));
        self.by_lbn.insert(extent.lbn, extent);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The extents hold the same blocks as a map from each dirty block to the time of its data, do not touch, and
        /// stand in the order of age.
        #[test]
        fn extents_equal_a_map_of_blocks(steps in prop::collection::vec((0_u64..60, 1_u64..12, 0_u8..4), 1..60)) {
            let (mut dirty, mut blocks) = (DirtyExtents::default(), BTreeMap::new());
            for (now, (lbn, length, action)) in steps.into_iter().enumerate() {
                let end = lbn + length;
                if action == 0 {
                    if let Some(taken) = dirty.overlapping(lbn, end) {
                        dirty.take(taken);
                        blocks.retain(|block, _| !(taken.lbn..taken.end).contains(block));
                    }
                } else {
                    dirty.cut(lbn, end);
                    blocks.retain(|block, _| !(lbn..end).contains(block));
                }
                if action > 1 {
                    dirty.add(lbn, end, Time(now as u64));
                    blocks.extend((lbn..end).map(|block| (block, now as u64)));
                }
                let mut held: Vec<u64> = dirty.by_age().flat_map(|extent| extent.lbn..extent.end).collect();
                held.sort_unstable();
                prop_assert_eq!(&held, &blocks.keys().copied().collect::<Vec<_>>());
                prop_assert_eq!(dirty.blocks(), held.len() as u64);
                prop_assert!(dirty.by_age().is_sorted_by_key(DirtyExtent::since));
                for extent in dirty.by_age() {
                    prop_assert!(!blocks.contains_key(&extent.end));
                    prop_assert!((extent.lbn..extent.end).all(|block| extent.since().0 <= blocks[&block]));
                    prop_assert!(dirty.hold(extent.lbn, extent.end) && !dirty.hold(extent.lbn, extent.end + 1));
                }
            }
        }
    }
}
