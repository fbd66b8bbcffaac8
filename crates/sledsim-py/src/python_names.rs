//! Names of the schedulers, seek models and kinds of devices that are written in Python.

use std::sync::Mutex;

use sledsim::error::{Error, Result};
use sledsim::sched::Policy;
use sledsim::system::System;

static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
/// Keys in the table of a system whose value may be the name of a scheduler, seek model or kind of device
/// written in Python.
const KEYS: [&str; 3] = ["scheduler", "seek_model", "kind"];

/// Record the name of a scheduler, seek model or kind of device that is written in Python.
pub(crate) fn add(name: &'static str) {
    NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(name);
}

/// Return a name with a lifetime that lasts until the program ends.
pub(crate) fn interned(name: String) -> &'static str {
    static INTERNED: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut names = INTERNED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(known) = names.iter().find(|known| **known == name) {
        return known;
    }
    let name: &'static str = name.leak();
    names.push(name);
    name
}

/// Raise an error if a system or policy contains Python code; `why` is the end of its message.
pub(crate) fn refuse(system: &System, policy: &Policy, why: &str) -> Result<()> {
    let table = toml::Value::Table(system.to_table());
    let found = named("scheduler", &policy.name_in_full()).or_else(|| within(&table));
    found.map_or(Ok(()), |(key, name)| {
        Err(Error::Parameter(format!("{key}: expected a built-in name, found {name:?}, {why}")))
    })
}

/// Find the first name of Python code in a TOML value. Return the key that has this name as its value, and the
/// name.
fn within(value: &toml::Value) -> Option<(String, &'static str)> {
    match value {
        toml::Value::Table(table) => table.iter().find_map(|(key, value)| match value {
            toml::Value::String(text) if KEYS.contains(&&**key) => named(key, text),
            other => within(other),
        }),
        toml::Value::Array(all) => all.iter().find_map(within),
        _ => None,
    }
}

/// Return `key` and the name of Python code that `text` contains; None if it names no Python code. `text` may
/// have options and wrappers after the name.
fn named(key: &str, text: &str) -> Option<(String, &'static str)> {
    let name = text.split([':', '+']).next().unwrap_or_default();
    let names = NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    names.iter().find(|known| **known == name).map(|known| (key.to_owned(), *known))
}
