//! A set of units of the disk.

use crate::volume::hashing::ByNumber;

/// Units, 64 neighbours in a word: those of a request are found together.
#[derive(Debug, Default)]
pub(super) struct Units(ByNumber<u64>);

impl Units {
    pub fn insert(&mut self, unit: u64) {
        *self.0.entry(unit / 64).or_default() |= 1 << (unit % 64);
    }

    pub fn contains(&self, unit: u64) -> bool {
        self.0.get(&(unit / 64)).is_some_and(|word| word >> (unit % 64) & 1 == 1)
    }
}
