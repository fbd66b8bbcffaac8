//! Functions that build the JSON answer to a call.

use serde::Serialize;
use serde_json::{Map, Value};
use sledsim::error::{Error, Result};

/// Convert a value to JSON.
#[inline(never)]
pub(crate) fn written<T: Serialize>(what: &T) -> Result<Value> {
    serde_json::to_value(what).map_err(|error| Error::Parameter(format!("answer: {error}")))
}

/// Return a JSON object with the given members.
///
/// The members are inserted one by one: each further use of `collect` for a map would compile another copy of
/// the sorting code into the module.
pub(crate) fn object<K: Into<String>, V: Into<Value>>(members: impl IntoIterator<Item = (K, V)>) -> Value {
    let mut map = Map::new();
    for (name, value) in members {
        map.insert(name.into(), value.into());
    }
    Value::Object(map)
}
