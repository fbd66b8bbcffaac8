//! A kind of device, as far as reading, checking and merging of device files need it.

use toml::{Table, Value};

use super::keys::{Key, Parameters};
use super::{Certainty, DeviceParams, Provenance};
use crate::error::{ensure, in_short, nearest, Error, Result};
use crate::input::TextFault;

/// The parameters that take one of several names: for each parameter, these names with their meanings.
pub type Choices = Vec<(&'static str, Vec<(&'static str, &'static str)>)>;

/// Function that rejects the text of a device file in which a value has the wrong type.
pub(crate) type Typed = dyn Fn(&str) -> std::result::Result<(), TextFault> + Send + Sync;
/// Function that creates all parameters of a device from a table of values, and rejects impossible ones.
pub(crate) type Complete = dyn Fn(Table) -> Result<DeviceParams> + Send + Sync;

/// A kind of device: its parameters, and functions that check, merge and complete device files.
#[derive(Clone, Copy)]
pub struct FileKind {
    /// Name of the kind, as device files give it in `kind`.
    pub name: &'static str,
    /// All parameters of the kind.
    pub keys: &'static [Key],
    /// Keys whose values are tables of numbers. A device file may give the name of a CSV file instead of
    /// such a table.
    pub(crate) tables: &'static [&'static str],
    /// Function that rejects the text of a device file in which a value has the wrong type.
    pub(crate) typed: &'static Typed,
    /// Function that returns the parameters that take one of several names.
    pub choices: fn() -> Choices,
    /// Function that rejects a table in which the same quantity is given by two keys.
    pub(crate) check: fn(&Table) -> Result<()>,
    /// Function that prepares the values of a device (second argument) for the values of a file that
    /// extends it (first argument): it removes values that the file replaces by other keys, and adds values
    /// that follow.
    pub(crate) merge: fn(&Table, &mut Table, &mut Provenance),
    /// Function that creates all parameters of a device from a table of values, and rejects impossible ones.
    pub(crate) complete: &'static Complete,
    /// Name and meaning of each figure on the data sheet of a device.
    pub characteristics: &'static [(&'static str, &'static str)],
}

impl FileKind {
    /// Creates a kind without tables, without parameters that take names, and without several keys for one
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

    /// Creates a custom kind, which a program adds.
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

    /// Rejects a key that is no parameter of this kind.
    pub(super) fn known(&self, key: &str) -> Result<()> {
        ensure!(self.keys.iter().any(|known| known.name == key), Error::UnknownName(self.unknown(key)));
        Ok(())
    }

    /// The error for a value of the wrong type, or for a name that the parameter does not have.
    pub(super) fn misfit(&self, key: &str, value: &Value, fault: &TextFault) -> Error {
        let text = self.explain(&fault.message);
        let is_choice = || (self.choices)().iter().any(|(known, _)| *known == key);
        let error = match value {
            Value::String(_) if is_choice() => Error::UnknownName(text),
            _ => Error::Parameter(text),
        };
        error.marked(key, format!(" = {}", in_short(value)))
    }

    /// Rejects a certainty that does not fit the parameter `key`; `values` has the values of all parameters.
    pub(crate) fn check_certainty(&self, key: &str, certainty: &Certainty, values: &Table) -> Result<()> {
        let known = self.keys.iter().find(|known| known.name == key);
        known.map_or(Ok(()), |known| certainty.check(known, values.get(key)))
    }

    /// Rewords an error message of the TOML reader for users. For an unknown key, it suggests the most
    /// similar key instead of listing all keys.
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
