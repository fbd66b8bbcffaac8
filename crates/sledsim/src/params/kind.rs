//! The kinds of devices, as files of devices know them.

use toml::Table;

use super::keys::Key;
use super::layer::Layer;
use super::{disk, flash, mems, DeviceParams};
use crate::error::{nearest, unknown_name, Error, Result};

/// The key that names the kind.
pub(super) const KIND_KEY: &str = "kind";

/// Parameters that are one of a few names, with those names and what each means.
pub type Choices = Vec<(&'static str, Vec<(&'static str, &'static str)>)>;

/// What a file of a kind of devices may hold, and what becomes of it.
pub struct Kind {
    /// The name that files give.
    pub name: &'static str,
    /// Every parameter.
    pub keys: &'static [Key],
    /// Those of them that are tables, which may lie in files of their own.
    pub(super) tables: &'static [&'static str],
    /// Whether every value of a file is of the type of its parameter.
    pub(super) read: fn(&str) -> std::result::Result<(), toml::de::Error>,
    /// Those that are one of a few names.
    pub choices: fn() -> Choices,
    /// What says a thing in two ways.
    pub(super) check: fn(&Table) -> Result<()>,
    /// What an upper layer takes out of or puts into the lower one besides its own keys.
    pub(super) merge: fn(&Layer, &mut Layer),
    /// The parameters, complete and possible.
    pub(super) complete: fn(Table) -> Result<DeviceParams>,
}

/// Every kind, the one first that is meant where a file names none.
pub static KINDS: [Kind; 3] = [mems::KIND, disk::KIND, flash::KIND];

impl Kind {
    /// The kind of that name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(name: &str) -> Result<&'static Self> {
        let found = KINDS.iter().find(|kind| kind.name == name);
        found.ok_or_else(|| unknown_name("kind", name, KINDS.iter().map(|kind| kind.name)))
    }

    /// Refuses a key that no device of the kind has.
    pub(super) fn known(&self, key: &str) -> Result<()> {
        if self.keys.iter().any(|known| known.name == key) {
            return Ok(());
        }
        Err(Error::Parameter(self.unknown(key)))
    }

    /// What to say of a fault in a file or a value: serde's list of all fields is no help, the nearest key is.
    pub(super) fn explain(&self, message: &str) -> String {
        let message = message.trim_end();
        match message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`')) {
            Some((key, _)) => self.unknown(key),
            // Types by their names in words.
            None => message
                .replace("expected f64", "expected a number")
                .replace("expected u64", "expected a whole number, 0 or more")
                .replace("expected a string", "expected a name in quotes"),
        }
    }

    fn unknown(&self, key: &str) -> String {
        match nearest(key, self.keys.iter().map(|known| known.name)) {
            Some(near) => format!("unknown key `{key}`: did you mean `{near}`?"),
            None => format!(
                "unknown key `{key}`: `sledsim show` of a device of the kind {} lists the keys",
                self.name
            ),
        }
    }
}
