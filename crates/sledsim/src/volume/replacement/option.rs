//! The table of replacement policies, and the option of volumes that names a policy.

use super::{MakeReplacement, ROWS};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::table::{names, Table};

/// The table of all replacement policies.
pub static REPLACEMENTS: Table<MakeReplacement> = Table::new("replacement policy", ROWS);

/// The option that names a replacement policy.
pub(in crate::volume) const POLICY: OptionRow = OptionRow::one_of(
    "policy",
    &names::<_, { ROWS.len() }>(ROWS),
    "replacement policy: the rule that chooses the entry to evict",
);

/// Returns the function that makes the policy that the options name.
///
/// # Errors The name is unknown.
pub(in crate::volume) fn named(options: &Options) -> Result<MakeReplacement> {
    options.one_of(POLICY.name, ROWS).map(|row| row.make)
}
