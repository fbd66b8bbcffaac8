//! A power policy as a user names it.

use super::PowerPolicy;
use super::POWER_POLICIES;
use crate::error::{Error, Result};

/// The policy of a name with options: `timeout:ms=1`.
///
/// # Errors
/// An unknown name, an option that cannot be.
pub fn build(text: &str) -> Result<Box<dyn PowerPolicy>> {
    let (row, options) = POWER_POLICIES.parse(text)?;
    (row.make)(&options).map_err(|error| Error::Parameter(format!("power_policy = {text}: {error}")))
}
