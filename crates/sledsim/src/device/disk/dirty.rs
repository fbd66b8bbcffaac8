//! Data of completed writes that are only in the cache: dirty extents.

use crate::time::Time;

/// Consecutive blocks whose data are only in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirtyExtent {
    pub lbn: u64,
    /// The block after the last block of the extent.
    pub end: u64,
    /// Time at which the oldest data of the extent came.
    pub since: Time,
}

/// The dirty extents of a cache. No two of them overlap or touch.
#[derive(Clone, Debug, Default)]
pub struct DirtyExtents {
    /// The extents in the order of age, the oldest first.
    by_age: Vec<DirtyExtent>,
    blocks: u64,
}

impl DirtyExtents {
    /// Number of dirty blocks.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The extents in the order of age, the oldest first.
    pub fn by_age(&self) -> &[DirtyExtent] {
        &self.by_age
    }

    /// True if all blocks from `lbn` to before `end` are dirty.
    pub fn hold(&self, lbn: u64, end: u64) -> bool {
        self.by_age.iter().any(|extent| extent.lbn <= lbn && end <= extent.end)
    }

    /// Index by age of the oldest extent that has a block from `lbn` to before `end`.
    pub fn overlapping(&self, lbn: u64, end: u64) -> Option<usize> {
        self.by_age.iter().position(|extent| extent.lbn < end && lbn < extent.end)
    }

    /// Removes the extent with the index `at` by age, because its data go to the medium.
    pub fn take(&mut self, at: usize) -> DirtyExtent {
        let extent = self.by_age.remove(at);
        self.blocks -= extent.end - extent.lbn;
        extent
    }

    /// Removes the blocks from `lbn` to before `end`, because a write replaces them.
    pub fn cut(&mut self, lbn: u64, end: u64) {
        while let Some(at) = self.overlapping(lbn, end) {
            let extent = self.take(at);
            let rests = [DirtyExtent { end: lbn, ..extent }, DirtyExtent { lbn: end, ..extent }];
            for rest in rests.into_iter().filter(|rest| rest.lbn < rest.end).rev() {
                self.put(at, rest);
            }
        }
    }

    /// Adds the blocks from `lbn` to before `end`, none of which is dirty, with the data of a write that came at
    /// `now`. An extent that touches them grows instead, and keeps its age.
    pub fn add(&mut self, lbn: u64, end: u64, now: Time) {
        let (mut at, mut whole) = (self.by_age.len(), DirtyExtent { lbn, end, since: now });
        while let Some(touching) =
            self.by_age.iter().position(|extent| extent.end == whole.lbn || extent.lbn == whole.end)
        {
            let extent = self.take(touching);
            at = at.min(touching).min(self.by_age.len());
            whole = DirtyExtent {
                lbn: whole.lbn.min(extent.lbn),
                end: whole.end.max(extent.end),
                since: whole.since.min(extent.since),
            };
        }
        self.put(at, whole);
    }

    fn put(&mut self, at: usize, extent: DirtyExtent) {
        self.blocks += extent.end - extent.lbn;
        self.by_age.insert(at, extent);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

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
                    if let Some(at) = dirty.overlapping(lbn, end) {
                        let taken = dirty.take(at);
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
                let held: Vec<u64> = {
                    let mut held: Vec<u64> =
                        dirty.by_age().iter().flat_map(|extent| extent.lbn..extent.end).collect();
                    held.sort_unstable();
                    held
                };
                prop_assert_eq!(&held, &blocks.keys().copied().collect::<Vec<_>>());
                prop_assert_eq!(dirty.blocks(), held.len() as u64);
                prop_assert!(dirty.by_age().is_sorted_by_key(|extent| extent.since));
                for extent in dirty.by_age() {
                    prop_assert!(!blocks.contains_key(&extent.end));
                    prop_assert!((extent.lbn..extent.end).all(|block| extent.since.0 <= blocks[&block]));
                    prop_assert!(dirty.hold(extent.lbn, extent.end) && !dirty.hold(extent.lbn, extent.end + 1));
                }
            }
        }
    }
}
