//! Policies that choose the slot for a new entry when all slots are taken.

mod ghosts;
mod option;
#[cfg(test)]
mod tests;

use crate::table::{rows, Row};
use dyn_clone::DynClone;
pub use option::REPLACEMENTS;
pub(super) use option::{named, POLICY};

/// A replacement policy over numbered slots, each of which holds an entry known by a key.
pub trait Replacement: DynClone + Send + Sync {
    /// Notes a request for a key that no slot holds, once, before a victim is sought for it.
    fn missed(&mut self, _key: u64) {}

    /// Puts a key into an empty slot.
    fn insert(&mut self, slot: u32, key: u64);

    /// Notes another use of a slot.
    fn touch(&mut self, slot: u32);

    /// Empties a slot and returns it. Candidates are tried with `may` in the order of the policy, until
    /// `max_refusals` of them are refused.
    fn victim(&mut self, max_refusals: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32>;
}

dyn_clone::clone_trait_object!(Replacement);

/// Makes a policy for a number of slots, all of them empty.
type MakeReplacement = fn(u32) -> Box<dyn Replacement>;

/// A row of the table of replacement policies.
pub type ReplacementRow = Row<MakeReplacement>;

rows! {
    const ROWS: &[ReplacementRow];
    mod order: LRU;
    mod clock: ROW;
    mod two_queues: ROW;
    mod arc: ROW;
    order: FIFO;
}
