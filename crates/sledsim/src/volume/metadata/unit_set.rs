//! A set of units of the disk.

use crate::volume::sparse::Sparse;

/// A set of units of the disk, as bits. A word has the bits of 64 consecutive units, which are then looked up together.
#[derive(Clone, Debug, Default)]
pub(super) struct Units(Sparse<u64>);

impl Units {
    pub fn insert(&mut self, unit: u64) {
        *self.0.get_mut(unit / 64) |= 1 << (unit % 64);
    }

    pub fn contains(&self, unit: u64) -> bool {
        self.0.get(unit / 64) >> (unit % 64) & 1 == 1
    }
}
