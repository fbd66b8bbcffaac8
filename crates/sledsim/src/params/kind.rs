//! The description of a device kind that reading, checking and merging device files need.

use toml::{Table, Value};

use super::keys::{Key, Parameters};
use super::{Certainty, DeviceParams, Provenance};
use crate::error::{ensure, in_short, nearest, Error, Result};
use crate::input::TextFault;

/// Parameters with named choices, their names and meanings.
pub type Choices = Vec<(&'static str, Vec<(&'static str, &'static str)>)>;

/// Rejects values of a text that are not of the type of their parameter.
pub(crate) type Typed = dyn Fn(&str) -> std::result::Result<(), TextFault> + Send + Sync;
/// Completes the parameters, and rejects impossible ones.
pub(crate) type Complete = dyn Fn(Table) -> Result<DeviceParams> + Send + Sync;

/// A device kind: the parameters of its files, and functions that check, merge and complete them.
#[derive(Clone, Copy)]
pub struct FileKind {
    /// The name, as files give it.
    pub name: &'static str,
    /// Every parameter.
    pub keys: &'static [Key],
    /// Parameters that are tables, which may lie in files of their own.
    pub(crate) tables: &'static [&'static str],
    /// Rejects values that are not of the type of their parameter.
    pub(crate) typed: &'static Typed,
    /// Parameters with named choices.
    pub choices: fn() -> Choices,
    /// Rejects keys that give one quantity twice.
    pub(crate) check: fn(&Table) -> Result<()>,
    /// Applies the effects of an upper layer on the lower layer besides the upper layer's keys: removed or added
    /// values, and their provenance.
    pub(crate) merge: fn(&Table, &mut Table, &mut Provenance),
    /// Completes the parameters, and rejects impossible ones.
    pub(crate) complete: &'static Complete,
    /// Name and meaning of every figure of the data sheet.
    pub characteristics: &'static [(&'static str, &'static str)],
}

impl FileKind {
    /// A kind without tables, choices and equivalent keys.
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

    /// A kind that a program adds.
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

    /// The error for a value that has the wrong type, or is no name of the parameter.
    pub(super) fn misfit(&self, key: &str, value: &Value, fault: &TextFault) -> Error {
        let text = self.explain(&fault.message);
        let is_choice = || (self.choices)().iter().any(|(known, _)| *known == key);
        let error = match value {
            Value::String(_) if is_choice() => Error::UnknownName(text),
            _ => Error::Parameter(text),
        };
        error.marked(key, format!(" = {}", in_short(value)))
    }

    /// Rejects a certainty that cannot apply to these values, which are all that the device has.
    pub(crate) fn check_certainty(&self, key: &str, certainty: &Certainty, values: &Table) -> Result<()> {
        let known = self.keys.iter().find(|known| known.name == key);
        known.map_or(Ok(()), |known| certainty.check(known, values.get(key)))
    }

    /// The message of serde for a fault, in words for users: names the nearest key instead of all fields.
    pub(super) fn explain(&self, message: &str) -> String {
        let message = message.trim_end();
        match message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`')) {
            Some((key, _)) => self.unknown(key),
            // Types are described in words.
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
