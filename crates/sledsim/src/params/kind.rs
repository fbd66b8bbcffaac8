//! Description of a kind of device, as needed to read, check and merge device files.

use toml::{Table, Value};

use super::keys::{Key, Parameters};
use super::{Certainty, DeviceParams, Provenance};
use crate::error::{ensure, in_short, nearest, Error, Result};
use crate::input::TextFault;

/// Parameters whose values are names, each with these names and their meanings.
pub type Choices = Vec<(&'static str, Vec<(&'static str, &'static str)>)>;

/// Function that rejects a text in which a value does not have the type of its parameter.
pub(crate) type Typed = dyn Fn(&str) -> std::result::Result<(), TextFault> + Send + Sync;
/// Function that completes the parameters and rejects impossible ones.
pub(crate) type Complete = dyn Fn(Table) -> Result<DeviceParams> + Send + Sync;

/// A kind of device: the parameters of its files, and functions that check, merge and complete
/// them.
#[derive(Clone, Copy)]
pub struct FileKind {
    /// Name of the kind, as device files give it.
    pub name: &'static str,
    /// All parameters of the kind.
    pub keys: &'static [Key],
    /// Keys of tables; a device file may name a CSV file instead of a table.
    pub(crate) tables: &'static [&'static str],
    /// Function that rejects values without the type of their parameter.
    pub(crate) typed: &'static Typed,
    /// Function that returns the parameters whose values are names.
    pub choices: fn() -> Choices,
    /// Function that rejects a table in which two keys give the same quantity.
    pub(crate) check: fn(&Table) -> Result<()>,
    /// Function that changes a lower layer as the keys of an upper layer require: it removes or
    /// adds values and their provenance.
    pub(crate) merge: fn(&Table, &mut Table, &mut Provenance),
    /// Function that completes the parameters and rejects impossible ones.
    pub(crate) complete: &'static Complete,
    /// Name and meaning of every figure of the data sheet.
    pub characteristics: &'static [(&'static str, &'static str)],
}

impl FileKind {
    /// Creates a kind without tables, without names as values, and without keys for the same
    /// quantity.
    pub(crate) const fn of<P: Parameters + 'static>(
        complete: &'static Complete,
        characteristics: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self {
            name: P::KIND,
            keys: P::KEYS,
            tables: &[],
            typed: &P::typed,
            choices: Vec::new,
            check: |_| Ok(()),
            merge: |_, _, _| {},
            complete,
            characteristics,
        }
    }

    /// Creates a kind that a program adds.
    pub(crate) fn own(
        name: &'static str,
        keys: &'static [Key],
        typed: &'static Typed,
        complete: &'static Complete,
        characteristics: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self {
            name,
            keys,
            tables: &[],
            typed,
            choices: Vec::new,
            check: |_| Ok(()),
            merge: |_, _, _| {},
            complete,
            characteristics,
        }
    }

    /// Rejects a key that no device of the kind has.
    pub(super) fn known(&self, key: &str) -> Result<()> {
        ensure!(self.keys.iter().any(|known| known.name == key), Error::UnknownName(self.unknown(key)));
        Ok(())
    }

    /// The error for a value with the wrong type, or for an unknown name.
    pub(super) fn misfit(&self, key: &str, value: &Value, fault: &TextFault) -> Error {
        let text = self.explain(&fault.message);
        let is_choice = || (self.choices)().iter().any(|(known, _)| *known == key);
        let error = match value {
            Value::String(_) if is_choice() => Error::UnknownName(text),
            _ => Error::Parameter(text),
        };
        error.marked(key, format!(" = {}", in_short(value)))
    }

    /// Rejects a certainty that cannot apply to the value of `key`; `values` are all values of the
    /// device.
    pub(crate) fn check_certainty(&self, key: &str, certainty: &Certainty, values: &Table) -> Result<()> {
        let known = self.keys.iter().find(|known| known.name == key);
        known.map_or(Ok(()), |known| certainty.check(known, values.get(key)))
    }

    /// Rewords a message of serde for users: it names the nearest key instead of all fields.
    pub(super) fn explain(&self, message: &str) -> String {
        let message = message.trim_end();
        match message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`')) {
            Some((key, _)) => self.unknown(key),
            // Types are named in words.
            None => message
                .replace("expected f64", "expected a number")
                .replace("expected u64", "expected a whole number of at least 0")
                .replace("expected a string", "expected a name in quotes")
                .replace("expected a map", "expected a table"),
        }
    }

    fn unknown(&self, key: &str) -> String {
        let said = in_short(&key);
        match nearest(key, self.keys.iter().map(|known| known.name)) {
            Some(near) => format!("unknown key `{said}`: did you mean `{near}`?"),
            None => format!(
                "unknown key `{said}`: `sledsim show` lists the keys of a device of the kind {}",
                self.name
            ),
        }
    }
}
