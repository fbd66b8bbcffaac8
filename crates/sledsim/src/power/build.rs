//! Construction of a power policy from the text that a user gives.

use super::PowerPolicy;
use super::POWER_POLICIES;
use crate::error::{Error, Result};

/// Builds a policy from its name and options, such as `timeout:ms=1`.
///
/// # Errors
/// The name is unknown, or an option is invalid.
pub fn build(text: &str) -> Result<Box<dyn PowerPolicy>> {
    let (row, options) = POWER_POLICIES.parse(text)?;
    (row.make)(&options).map_err(|error| Error::Parameter(format!("power_policy = {text}: {error}")))
}
