//! Names of the policies, seek models and devices written in Python.

use std::sync::Mutex;

use sledsim::error::{Error, Result};
use sledsim::sched::Policy;
use sledsim::system::System;

static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
/// Keys of a system that can hold the name of a policy, seek model or device written in Python.
const KEYS: [&str; 3] = ["scheduler", "seek_model", "kind"];

/// Add the name of a policy, seek model or device written in Python.
pub(crate) fn add(name: &'static str) {
    NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(name);
}

/// Intern a name for the life of the program.
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

/// Refuse a system that would run Python code.
pub(crate) fn refuse(system: &System, policy: &Policy, why: &str) -> Result<()> {
    let table = toml::Value::Table(system.to_table());
    let found = named("scheduler", &policy.name_in_full()).or_else(|| within(&table));
    found.map_or(Ok(()), |(key, name)| {
        Err(Error::Parameter(format!("{key}: expected a built-in one, found {name:?}, {why}")))
    })
}

/// The key and value of the first name of Python code within a value.
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

/// Check one text, with or without options or wrappers after the name.
fn named(key: &str, text: &str) -> Option<(String, &'static str)> {
    let name = text.split([':', '+']).next().unwrap_or_default();
    let names = NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    names.iter().find(|known| **known == name).map(|known| (key.to_owned(), *known))
}
