//! The table of power policies.

use super::{MakePowerPolicy, PowerPolicy};
use crate::error::{Error, Result};
use crate::table::Table;

/// Every power policy.
pub static POWER_POLICIES: Table<MakePowerPolicy> = Table::new(
    "power policy",
    &[
        super::always_on::ROW,
        super::timeout::IMMEDIATE,
        super::timeout::ROW,
        super::adaptive::ROW,
        super::oracle::ROW,
    ],
);

/// The policy of a name with options: `timeout:ms=1`.
///
/// # Errors
/// An unknown name, an option that cannot be.
pub fn build(text: &str) -> Result<Box<dyn PowerPolicy>> {
    let (row, options) = POWER_POLICIES.parse(text)?;
    (row.make)(&options).map_err(|error| Error::Parameter(format!("power_policy = {text}: {error}")))
}
