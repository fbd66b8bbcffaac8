//! Replacement policies: each chooses the entry to evict when all slots hold entries.

mod ghosts;
mod option;
#[cfg(test)]
mod tests;

use crate::table::{rows, Row};
use dyn_clone::DynClone;
pub use option::REPLACEMENTS;
pub(super) use option::{named, POLICY};

/// A replacement policy for a cache with numbered slots. Each slot holds an entry, and a key identifies the entry.
pub trait Replacement: DynClone + Send + Sync {
    /// Records a request for `_key`, which no slot holds. Called once for a miss, before `victim` is called to make
    /// room.
    fn missed(&mut self, _key: u64) {}

    /// Records that the empty slot `slot` now holds the key `key`.
    fn insert(&mut self, slot: u32, key: u64);

    /// Records a further use of the entry in a slot.
    fn touch(&mut self, slot: u32);

    /// Chooses an entry to evict; empties its slot, and returns the slot. In the order of the policy, takes the first
    /// slot for which `may` returns true; `None` if `may` returned false for `max_refusals` slots.
    fn victim(&mut self, max_refusals: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32>;
}

dyn_clone::clone_trait_object!(Replacement);

/// A function that makes a policy for this number of slots, all of them empty.
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
