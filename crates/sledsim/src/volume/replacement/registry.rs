//! The table of replacement policies.

use super::MakeReplacement;
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::table::Table;

/// Every replacement policy.
pub static REPLACEMENTS: Table<MakeReplacement> = Table::new(
    "replacement policy",
    &[super::order::LRU, super::clock::ROW, super::two_queues::ROW, super::adaptive::ROW, super::order::FIFO],
);

/// The option that names a policy.
pub(in crate::volume) const POLICY: OptionRow =
    OptionRow::one_of("policy", "lru", &["lru", "clock", "2q", "arc", "fifo"], "replacement policy");

/// The policy that the options name, to be made for some number of slots.
///
/// # Errors
/// An unknown name.
pub(in crate::volume) fn named(options: &Options) -> Result<MakeReplacement> {
    let made: Vec<_> = REPLACEMENTS.rows().iter().map(|row| row.make).collect();
    options.one_of(POLICY.name, &made)
}
