//! The table of replacement policies, and the option of a volume that names one.

use super::{MakeReplacement, ROWS};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::table::{names, Table};

/// Every replacement policy.
pub static REPLACEMENTS: Table<MakeReplacement> = Table::new("replacement policy", ROWS);

/// The option that names a policy.
pub(in crate::volume) const POLICY: OptionRow =
    OptionRow::one_of("policy", &names::<_, { ROWS.len() }>(ROWS), "replacement policy");

/// The policy that the options name, to be made for some number of slots.
///
/// # Errors
/// An unknown name.
pub(in crate::volume) fn named(options: &Options) -> Result<MakeReplacement> {
    options.one_of(POLICY.name, ROWS).map(|row| row.make)
}
