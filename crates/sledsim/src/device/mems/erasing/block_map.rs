//! Map from logical blocks to their places on the medium, for a device that moves blocks when it writes them.

use std::collections::BTreeMap;

/// Consecutive places on the medium, each with room for one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Number of the first place.
    pub place: u64,
    /// Number of places, at least one.
    pub blocks: u32,
}

/// The place of each logical block, and the block at each place. At first, block n lies at place n; each
/// write moves it to another place.
#[derive(Clone, Debug)]
pub(super) struct Map {
    blocks: u64,
    places: BTreeMap<u64, u64>,
    owners: BTreeMap<u64, u64>,
    /// Number of logical blocks stored in each erase block.
    pub(super) used: Vec<u32>,
    /// Number of places in an erase block.
    size: u64,
}

impl Map {
    /// Creates a map in which each of `blocks` blocks lies at the place with the same number, and `reserve`
    /// empty erase blocks follow.
    pub(super) fn new(blocks: u64, erase_block: u64, reserve: u64) -> Self {
        let in_use = blocks / erase_block;
        let used = (0..in_use + reserve).map(|at| if at < in_use { erase_block as u32 } else { 0 });
        let (places, owners) = (BTreeMap::new(), BTreeMap::new());
        Self { blocks, places, owners, used: used.collect(), size: erase_block }
    }

    /// The number of the place at which block `lbn` lies.
    pub(super) fn place(&self, lbn: u64) -> u64 {
        self.places.get(&lbn).copied().unwrap_or(lbn)
    }

    /// The logical block stored at a place; None if the place holds no valid block.
    pub(super) fn owner(&self, place: u64) -> Option<u64> {
        let at_home = || (place < self.blocks && !self.places.contains_key(&place)).then_some(place);
        self.owners.get(&place).copied().or_else(at_home)
    }

    /// The places of block `lbn` and of the blocks after it, as far as they are consecutive: at least 1 and
    /// at most `blocks` places.
    pub(super) fn run(&self, lbn: u64, blocks: u32) -> Run {
        let place = self.place(lbn);
        let beside = (1..u64::from(blocks)).take_while(|at| self.place(lbn + at) == place + at);
        Run { place, blocks: 1 + beside.count() as u32 }
    }

    /// Moves block `lbn` to the place `place`, which must be free.
    pub(super) fn put(&mut self, lbn: u64, place: u64) {
        let before = self.place(lbn);
        self.owners.remove(&before);
        self.used[(before / self.size) as usize] -= 1;
        self.places.insert(lbn, place);
        self.owners.insert(place, lbn);
        self.used[(place / self.size) as usize] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Each block has one place after any moves, and the map returns this block for the place.
        #[test]
        fn every_block_has_one_place(moves in prop::collection::vec((0_u64..40, 0_u64..60), 0..200)) {
            let mut map = Map::new(40, 10, 2);
            for (lbn, place) in moves {
                if map.owner(place).is_none() {
                    map.put(lbn, place);
                }
                let owned = (0..60).filter_map(|place| map.owner(place)).count();
                prop_assert_eq!(owned, 40);
                for lbn in 0..40 {
                    prop_assert_eq!(map.owner(map.place(lbn)), Some(lbn));
                }
                let used: u32 = map.used.iter().sum();
                prop_assert_eq!(used, 40);
            }
        }
    }
}
