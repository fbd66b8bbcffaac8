//! Parameters of custom devices, whose kinds programs add: numbers and names, each with a default.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use toml::{Spanned, Table, Value};

use super::keys::{Key, Range};
use super::{Certainty, PaperFigure};
use crate::error::{ensure, fault, in_few_digits, in_short, Error, Result};
use crate::input::TextFault;

/// A parameter of a custom kind.
#[derive(Clone, Debug)]
pub struct OwnKey {
    /// Name, unit, range and meaning of the parameter.
    pub key: Key,
    /// Default of the parameter; its type is the type of the parameter.
    pub default: Value,
}

/// All parameters of a custom device, with the values that runs use.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OwnParams {
    /// Name of the kind.
    #[serde(skip)]
    pub kind: &'static str,
    /// Name of the device, from its file.
    pub name: String,
    /// Description of the device, in one line.
    pub description: String,
    /// All other parameters, each a number or a name.
    #[serde(flatten)]
    pub values: Table,
}

impl OwnParams {
    /// Creates all parameters from the values in `given`, and from defaults for the other parameters.
    ///
    /// # Errors
    /// A key is unknown, a value has another type, or a number is outside its range.
    pub(crate) fn complete(
        kind: &'static str,
        summary: &str,
        keys: &[OwnKey],
        mut given: Table,
    ) -> Result<Self> {
        let mut text = |key: &str, default: &str| match given.remove(key) {
            Some(Value::String(text)) => text,
            _ => default.to_owned(),
        };
        let (name, description) = (text("name", kind), text("description", summary));
        let mut values = Table::new();
        for OwnKey { key, default } in keys {
            let value = given.remove(key.name).unwrap_or_else(|| default.clone());
            let value = of_type(default, value.clone()).map_err(|message| {
                Error::Parameter(message).marked(key.name, format!(" = {}", in_short(&value)))
            })?;
            within(key, &value)?;
            values.insert(key.name.into(), value);
        }
        match given.keys().next() {
            Some(unknown) => fault(format!("unknown key `{unknown}` of a device of the kind {kind}")),
            None => Ok(Self { kind, name, description, values }),
        }
    }
}

/// Rejects the text of a device file that has an unknown key or a value of the wrong type.
pub(crate) fn typed(keys: &[OwnKey], text: &str) -> std::result::Result<(), TextFault> {
    let given: BTreeMap<Spanned<String>, Spanned<Value>> = toml::from_str(text)?;
    for (key, value) in given {
        let at = |message: String, span| TextFault { message, span: Some(span) };
        let (key_span, value_span) = (key.span(), value.span());
        let value = value.into_inner();
        let checked = match key.get_ref().as_str() {
            "name" | "kind" | "extends" | "description" => value.try_into::<String>().map(drop),
            "source" => value.try_into::<BTreeMap<String, String>>().map(drop),
            "paper" => value.try_into::<BTreeMap<String, PaperFigure>>().map(drop),
            "certainty" => value.try_into::<BTreeMap<String, Certainty>>().map(drop),
            name => match keys.iter().find(|known| known.key.name == name) {
                None => return Err(at(format!("unknown field `{name}`"), key_span)),
                Some(known) => {
                    of_type(&known.default, value).map_err(|message| at(message, value_span))?;
                    continue;
                }
            },
        };
        checked.map_err(|error| at(error.message().into(), value_span))?;
    }
    Ok(())
}

/// Converts a value to the type of the default; a whole number is accepted for a real number, too.
fn of_type(default: &Value, value: Value) -> std::result::Result<Value, String> {
    let converted = match default {
        Value::Integer(_) => value.try_into::<u64>().map(|whole| Value::Integer(whole as i64)),
        Value::Float(_) => value.try_into::<f64>().map(Value::Float),
        _ => value.try_into::<String>().map(Value::String),
    };
    converted.map_err(|error| error.message().trim_end().to_owned())
}

fn within(key: &Key, value: &Value) -> Result<()> {
    let number = match value {
        Value::Integer(whole) => *whole as f64,
        Value::Float(number) => *number,
        _ => return Ok(()),
    };
    let range = key.range.unwrap_or(Range::Within([f64::MIN, f64::MAX]));
    let space = if key.unit.is_empty() { "" } else { " " };
    ensure!(
        range.may_hold(number),
        "{} = {}: must be {range}{space}{}",
        key.name,
        in_few_digits(number),
        key.unit
    );
    Ok(())
}

/// Rejects parameters with the same name or a reserved name, and defaults outside their ranges.
pub(crate) fn check_keys(kind: &str, keys: &[OwnKey]) -> Result<()> {
    let mut seen =
        BTreeSet::from(["name", "kind", "extends", "description", "source", "paper", "certainty", "volume"]);
    for OwnKey { key, default } in keys {
        ensure!(
            seen.insert(key.name),
            "device = {kind}: parameter `{}`: expected a new name, but another parameter or a key of every device file has this name",
            key.name
        );
        within(key, default)
            .map_err(|error| Error::Parameter(format!("device = {kind}: the default {error}")))?;
    }
    Ok(())
}
