//! Layers: the values that a device file or the user sets. A device consists of layers, in which upper
//! values replace lower ones.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::{Table, Value};

use super::keys::{HEADER, NAME};
use super::kind::FileKind;
use super::{Certainty, PaperFigure, Provenance, Rows};
use crate::error::{Error, Result};
use crate::input::{from_toml, read_toml, toml_fault, TextFault};

/// A layer: values of some parameters of a device of one kind.
#[derive(Clone)]
pub(crate) struct Layer {
    pub kind: FileKind,
    /// Values of parameters by key, and the name of the device.
    pub values: Table,
    /// Provenance (source and certainty) of the values.
    pub said: Provenance,
    /// Figures that papers print for the device, by the name of the figure on the data sheet.
    pub paper: BTreeMap<String, PaperFigure>,
}

/// Header of a device file: all of its keys that are not parameters.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Header {
    pub kind: Option<String>,
    pub extends: Option<String>,
    /// Value of the key `volume`. Only volumes have this key, so a file with it does not describe a device.
    pub volume: Option<String>,
    source: BTreeMap<String, String>,
    paper: BTreeMap<String, PaperFigure>,
    /// Certainties as they stand in the file. They are checked after the values, so that errors in values
    /// are reported first, with their line.
    certainty: Option<Value>,
}

impl Header {
    /// Reads the header from the text of a device file. Returns an empty header for an invalid text,
    /// because the error is reported when the values are read.
    pub fn of(text: &str) -> Self {
        from_toml(text).unwrap_or_default()
    }
}

impl Layer {
    /// Reads the values from the text of a device file. `origin` is the name of the file in messages, and
    /// `path` its path (None for a built-in file).
    ///
    /// # Errors
    /// The contents of the file are invalid; the message names the line.
    pub fn read(
        kind: FileKind,
        text: &str,
        header: Header,
        origin: &str,
        path: Option<&Path>,
    ) -> Result<Self> {
        (kind.typed)(text)
            .map_err(|error| toml_fault(&error, text, origin, &kind.explain(&error.message)))?;
        let mut values: Table = read_toml(text, origin)?;
        values.retain(|key, _| !HEADER.contains(&key));
        let Header { mut source, paper, certainty, .. } = header;
        let certainty: BTreeMap<String, Certainty> = certainty
            .map_or_else(|| Ok(BTreeMap::new()), Value::try_into)
            .map_err(|error| fault(&format!("{origin}: [certainty]"), error.message()))?;
        for (table, key) in
            source.keys().map(|key| ("source", key)).chain(certainty.keys().map(|key| ("certainty", key)))
        {
            kind.known(key).map_err(|error| error.at(format!("[{table}]")).at(origin))?;
        }
        (kind.check)(&values).map_err(|error| error.at(origin))?;
        for key in values.keys().filter(|key| *key != NAME) {
            source.entry(key.clone()).or_insert_with(|| format!("{origin}: no source given"));
        }
        let stem =
            Path::new(origin).file_stem().map(|stem| Value::String(stem.to_string_lossy().into_owned()));
        if let (false, Some(stem)) = (values.contains_key(NAME), stem) {
            values.insert(NAME.into(), stem);
        }
        Self { kind, values, said: Provenance { source, certainty }, paper }.with_tables(path)
    }

    /// Creates a layer from values of the user. Each value is checked by itself, so that an error names its key.
    ///
    /// # Errors
    /// A key or a value is invalid.
    pub fn given(kind: FileKind, mut values: Table) -> Result<Self> {
        for (key, value) in &mut values {
            if key != NAME {
                kind.known(key)?;
            }
            if let Err(error) = typed(kind, key, value) {
                // `sledsim show` prints true and false as "yes" and "no", so these words are
                // accepted as values.
                let truth = match value.as_str() {
                    Some("yes") => Value::Boolean(true),
                    Some("no") => Value::Boolean(false),
                    _ => return Err(kind.misfit(key, value, &error)),
                };
                typed(kind, key, &truth).map_err(|_| kind.misfit(key, value, &error))?;
                *value = truth;
            }
        }
        (kind.check)(&values)?;
        Self { kind, values, said: Provenance::default(), paper: BTreeMap::new() }.with_tables(None)
    }

    /// Lays this layer over a lower layer of the same kind: its values replace those of the lower layer.
    pub fn over(mut self, mut lower: Self) -> Self {
        (self.kind.merge)(&self.values, &mut lower.values, &mut lower.said);
        self.said.over(lower.said, |key| self.values.contains_key(key));
        for (key, value) in lower.values {
            self.values.entry(key).or_insert(value);
        }
        self
    }

    /// Reads the tables of numbers for which the layer names CSV files. Relative paths are relative to the
    /// folder of the file `named_by`.
    fn with_tables(mut self, named_by: Option<&Path>) -> Result<Self> {
        for key in self.kind.tables {
            if let Some(Value::String(name)) = self.values.get(*key) {
                let rows = Rows::File(name.clone()).read(named_by)?;
                let rows = Value::try_from(rows).expect("rows consist of numbers");
                self.values.insert((*key).into(), rows);
            }
        }
        Ok(self)
    }
}

/// Rejects a value of the wrong type for the parameter `key`.
fn typed(kind: FileKind, key: &str, value: &Value) -> std::result::Result<(), TextFault> {
    (kind.typed)(&Table::from_iter([(key.to_owned(), value.clone())]).to_string())
}

fn fault(place: &str, said: &str) -> Error {
    Error::Parameter(said.to_owned()).at(place)
}
