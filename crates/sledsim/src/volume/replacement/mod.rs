//! Which slot is given to something new when all are taken.

mod ghosts;
mod option;
#[cfg(test)]
mod tests;

use crate::table::{rows, Row};
use dyn_clone::DynClone;
pub use option::REPLACEMENTS;
pub(super) use option::{named, POLICY};

/// A replacement policy over numbered slots, each of which holds something that is known by a key.
pub trait Replacement: DynClone + Send + Sync {
    /// A key is wanted that no slot holds; said once, before a victim is sought for it.
    fn missed(&mut self, _key: u64) {}

    /// A slot that held nothing holds the key from now on.
    fn insert(&mut self, slot: u32, key: u64);

    /// A slot is used again.
    fn touch(&mut self, slot: u32);

    /// The slot to be emptied, of those that `may` be, which are asked about in the order in which the policy would
    /// have them, until `max_refusals` of them may not; it holds nothing from now on.
    fn victim(&mut self, max_refusals: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32>;
}

dyn_clone::clone_trait_object!(Replacement);

/// Makes a policy for a number of slots, all of them empty.
type MakeReplacement = fn(u32) -> Box<dyn Replacement>;

/// One replacement policy.
pub type ReplacementRow = Row<MakeReplacement>;

rows! {
    const ROWS: &[ReplacementRow];
    mod order: LRU;
    mod clock: ROW;
    mod two_queues: ROW;
    mod arc: ROW;
    order: FIFO;
}
