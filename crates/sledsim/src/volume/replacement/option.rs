//! The table of replacement policies, and the volume option that names one.

use super::{MakeReplacement, ROWS};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::table::{names, Table};

/// The table of all replacement policies.
pub static REPLACEMENTS: Table<MakeReplacement> = Table::new("replacement policy", ROWS);

/// The option that names a policy.
pub(in crate::volume) const POLICY: OptionRow = OptionRow::one_of(
    "policy",
    &names::<_, { ROWS.len() }>(ROWS),
    "policy that chooses the segment to evict",
);

/// Returns the builder of the policy that the options name.
///
/// # Errors An unknown name.
pub(in crate::volume) fn named(options: &Options) -> Result<MakeReplacement> {
    options.one_of(POLICY.name, ROWS).map(|row| row.make)
}
