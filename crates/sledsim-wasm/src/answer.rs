//! The answer to a call, as JSON.

use serde::Serialize;
use serde_json::Value;
use sledsim::error::{Error, Result};

/// Writes something as JSON.
#[inline(never)]
pub(crate) fn written<T: Serialize>(what: &T) -> Result<Value> {
    serde_json::to_value(what).map_err(|error| Error::Parameter(format!("answer: {error}")))
}
