//! Replacement policies: the choice of the entry that is evicted when all slots are taken.

mod ghosts;
mod option;
#[cfg(test)]
mod tests;

use crate::table::{rows, Row};
use dyn_clone::DynClone;
pub use option::REPLACEMENTS;
pub(super) use option::{named, POLICY};

/// A replacement policy over numbered slots; each slot holds an entry, which a key identifies.
pub trait Replacement: DynClone + Send + Sync {
    /// Records a request for a key that no slot holds. The call comes once, before `victim` is called for the key.
    fn missed(&mut self, _key: u64) {}

    /// Records that the empty slot `slot` now holds the key `key`.
    fn insert(&mut self, slot: u32, key: u64);

    /// Records a further use of the entry in a slot.
    fn touch(&mut self, slot: u32);

    /// Chooses an entry to be evicted, empties its slot and returns the slot. Slots are tried in the order of
    /// the policy until `may` is true for one; `None` if `may` was false for `max_refusals` slots.
    fn victim(&mut self, max_refusals: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32>;
}

dyn_clone::clone_trait_object!(Replacement);

/// Makes a policy for a number of slots, all of which are empty.
type MakeReplacement = fn(u32) -> Box<dyn Replacement>;

/// An entry of the table of replacement policies.
pub type ReplacementRow = Row<MakeReplacement>;

rows! {
    const ROWS: &[ReplacementRow];
    mod order: LRU;
    mod clock: ROW;
    mod two_queues: ROW;
    mod arc: ROW;
    order: FIFO;
}
