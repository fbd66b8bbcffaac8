//! The policies, seek models and devices that are written in Python, by name.

use std::sync::Mutex;

use sledsim::error::{Error, Result};
use sledsim::sched::Policy;
use sledsim::system::System;

static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
/// The keys of a system under which they can stand.
const KEYS: [&str; 3] = ["scheduler", "seek_model", "kind"];

/// One more of them has been registered.
pub(crate) fn add(name: &'static str) {
    NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(name);
}

/// A name that lives as long as the program; there is one of each.
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

/// Refuses a system that would run Python code.
pub(crate) fn refuse(system: &System, policy: &Policy, why: &str) -> Result<()> {
    let table = toml::Value::Table(system.to_table());
    let found = named("scheduler", &policy.name_in_full()).or_else(|| within(&table));
    found.map_or(Ok(()), |(key, name)| {
        Err(Error::Parameter(format!("{key}: expected one that is built in, found {name:?}, {why}")))
    })
}

/// The key and the name of the first one in a value.
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

/// Whether that is one of them, with options or wrappers behind it or without.
fn named(key: &str, text: &str) -> Option<(String, &'static str)> {
    let name = text.split([':', '+']).next().unwrap_or_default();
    let names = NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    names.iter().find(|known| **known == name).map(|known| (key.to_owned(), *known))
}
