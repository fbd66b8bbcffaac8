//! Keys (parameters) of a kind of device, and the ranges of their values.

use std::fmt;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use toml::Table;

use crate::error::{ensure, fault, in_few_digits, Error, Result};
use crate::input::TextFault;

/// Key of the name of a device, which is stored with the values of its parameters.
pub(super) const NAME: &str = "name";
/// Keys of a device file that are not parameters.
pub(super) const HEADER: [&str; 5] = ["kind", "extends", "source", "paper", "certainty"];

/// A parameter with the texts that help and error messages show.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Name of the parameter, including the unit.
    pub name: &'static str,
    /// Unit as help texts print it; empty for a pure number or a name.
    pub unit: &'static str,
    /// Meaning of the parameter, in one line.
    pub description: &'static str,
    /// Range of the allowed values; None if the parameter has no declared range.
    pub range: Option<Range>,
    /// True if a device may lack the parameter.
    pub is_optional: bool,
}

/// Maximum of a whole number without a declared maximum: the largest number that a device file can contain.
const UNBOUNDED: u64 = i64::MAX as u64;

/// Range of the allowed values of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    /// Whole numbers from a minimum to a maximum.
    Whole([u64; 2]),
    /// Numbers from a minimum to a maximum.
    Within([f64; 2]),
    /// Numbers above 0 up to a maximum.
    Positive(f64),
    /// Range that depends on other parameters, in words; it is checked when these parameters are known.
    InWords(&'static str),
}

impl Range {
    /// True if the range includes `value`. A range in words includes every value here.
    pub(super) fn may_hold(&self, value: f64) -> bool {
        match *self {
            Self::Whole([least, most]) => (least as f64..=most as f64).contains(&value),
            Self::Within([least, most]) => (least..=most).contains(&value),
            Self::Positive(most) => value > 0.0 && value <= most,
            Self::InWords(_) => true,
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Whole([least, most]) if most >= UNBOUNDED => {
                write!(f, "a whole number of at least {least}")
            }
            Self::Whole([least, most]) => write!(f, "a whole number from {least} to {most}"),
            Self::Within([f64::MIN, f64::MAX]) => f.write_str("a number"),
            Self::Within([least, f64::MAX]) => write!(f, "a number of at least {least}"),
            Self::Within([f64::MIN, most]) => write!(f, "a number, at most {most}"),
            Self::Within([least, most]) => write!(f, "a number from {least} to {most}"),
            Self::Positive(most) => write!(f, "a positive number, at most {most}"),
            Self::InWords(text) => f.write_str(text),
        }
    }
}

/// All parameters of a device of one kind.
pub trait Parameters: Sized {
    /// Name of the kind, as device files give it in `kind`.
    const KIND: &'static str;

    /// All parameters of the kind, in the order in which help texts show them.
    const KEYS: &'static [Key];

    /// Checks that each value in the text of a device file has the type of its parameter.
    ///
    /// # Errors
    /// The text has a key that the kind lacks, or a value of another type.
    fn typed(text: &str) -> std::result::Result<(), TextFault>;

    /// Creates the parameters from a table of values.
    ///
    /// # Errors
    /// A key is unknown or missing, or a value has another type.
    fn of(values: Table) -> std::result::Result<Self, toml::de::Error>;

    /// Rejects values outside the declared ranges of their parameters.
    ///
    /// # Errors
    /// A value is outside its range; the message names the first such parameter.
    fn check_ranges(&self) -> Result<()>;

    /// Creates the parameters from a table of values. Checks that all required values are present, that all
    /// lie in their ranges, and that `check` accepts them.
    ///
    /// A required key is missing, a value is outside its range, or `check` rejects the parameters.
    fn complete(values: Table, check: fn(&Self) -> Result<()>) -> Result<Self> {
        let needed = Self::KEYS.iter().filter(|key| !key.is_optional).map(|key| key.name);
        if let Some(missing) = std::iter::once("name").chain(needed).find(|key| !values.contains_key(*key)) {
            return fault(format!("key `{missing}` is missing"));
        }
        let parameters = Self::of(values).map_err(|error| Error::Parameter(error.message().into()))?;
        parameters.check_ranges()?;
        check(&parameters)?;
        Ok(parameters)
    }
}

/// A figure that a paper prints for a device; data sheets show it beside the figure of the model.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct PaperFigure {
    /// Value in the unit of the figure of the model.
    pub value: f64,
    /// Place in the paper where the figure is printed.
    pub source: String,
}

/// Rejects a whole number outside the range `range` of the parameter `key`.
pub(crate) fn whole(key: &str, _unit: &str, value: u64, range: [u64; 2]) -> Result<()> {
    let expected = || Error::Parameter(format!("must be {}", Range::Whole(range)));
    ensure!((range[0]..=range[1]).contains(&value), expected().marked(key, format!(" = {value}")));
    Ok(())
}

/// Rejects NaN, and a number outside the range `range` of the parameter `key`.
pub(crate) fn within(key: &str, unit: &str, value: f64, range: [f64; 2]) -> Result<()> {
    ensure!((range[0]..=range[1]).contains(&value), beyond(key, unit, value, Range::Within(range)));
    Ok(())
}

/// Rejects a number that is not above 0, or that exceeds the maximum `most` of the parameter `key`.
pub(crate) fn positive(key: &str, unit: &str, value: f64, most: f64) -> Result<()> {
    ensure!(value > 0.0 && value <= most, beyond(key, unit, value, Range::Positive(most)));
    Ok(())
}

fn beyond(key: &str, unit: &str, value: f64, range: Range) -> Error {
    let space = if unit.is_empty() { "" } else { " " };
    Error::Parameter(format!("must be {range}{space}{unit}"))
        .marked(key, format!(" = {}", in_few_digits(value)))
}

/// Removes the optional value of `key` from a table and returns it. Never inlined, because about a hundred
/// parameters call it for each kind.
#[inline(never)]
pub(crate) fn taken<T: DeserializeOwned>(
    values: &mut Table,
    key: &str,
) -> std::result::Result<Option<T>, toml::de::Error> {
    values.remove(key).map(toml::Value::try_into).transpose()
}

/// Removes the required value of `key` from a table and returns it.
#[inline(never)]
pub(crate) fn needed<T: DeserializeOwned>(
    values: &mut Table,
    key: &'static str,
) -> std::result::Result<T, toml::de::Error> {
    taken(values, key)?.ok_or_else(|| toml::de::Error::missing_field(key))
}

/// Rejects a table in which values are left after all known keys have been removed, apart from header keys
/// such as `source`.
pub(crate) fn nothing_else(values: &Table) -> std::result::Result<(), toml::de::Error> {
    match values.keys().find(|key| !HEADER.contains(&key.as_str())) {
        Some(key) => Err(toml::de::Error::custom(format!("unknown field `{key}`"))),
        None => Ok(()),
    }
}

/// Declares each parameter of a kind of device once, and generates from it the struct of all parameters,
/// the type of a device file, the list of keys, and the checks of ranges. A range is `whole` or `within`
/// (minimum and maximum), `positive` (maximum), or `in_words` if other parameters restrict it.
macro_rules! parameters {
    (@range) => { None };
    (@range whole $range:expr) => { Some($crate::params::Range::Whole($range)) };
    (@range within $range:expr) => { Some($crate::params::Range::Within($range)) };
    (@range positive $most:expr) => { Some($crate::params::Range::Positive($most)) };
    (@range in_words $text:expr) => { Some($crate::params::Range::InWords($text)) };
    (@check in_words ($key:expr, $unit:expr, $value:expr, $range:expr)) => { let _ = $value; };
    (@check $check:ident $arguments:tt) => { $crate::params::$check $arguments ? };
    (@key $key:ident, $unit:literal, $is_optional:literal, [$($range:tt)*] $($doc:literal)+) => {
        Key {
            name: stringify!($key),
            unit: $unit,
            description: concat!($($doc,)+),
            range: parameters!(@range $($range)*),
            is_optional: $is_optional,
        }
    };
    (
        $(#[doc = $about:literal])+ $params:ident, $kind:literal;
        required {
            $( $(#[doc = $doc:literal])+ $key:ident: $type:ty, $unit:literal $(, $check:ident $range:expr)?; )*
        }
        optional {
            $( $(#[doc = $odoc:literal])+ $okey:ident: $otype:ty, $ounit:literal $(, $ocheck:ident $orange:expr)?; )*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        pub struct $params {
            /// Name of the device, from its file.
            pub name: String,
            $( $(#[doc = $doc])+ pub $key: $type, )*
            $( $(#[doc = $odoc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $okey: Option<$otype>, )*
        }

        /// The contents of a device file: any of the parameters, each with its type.
        #[cfg(feature = "places")]
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "reading is the check")]
        struct File {
            name: Option<String>,
            kind: Option<String>,
            extends: Option<String>,
            source: Option<std::collections::BTreeMap<String, String>>,
            paper: Option<std::collections::BTreeMap<String, $crate::params::PaperFigure>>,
            certainty: Option<std::collections::BTreeMap<String, $crate::params::Certainty>>,
            $( $key: Option<$type>, )*
            $( $okey: Option<$otype>, )*
        }

        impl $crate::params::Parameters for $params {
            const KIND: &'static str = $kind;

            const KEYS: &'static [Key] = &[
                $( parameters!(@key $key, $unit, false, [$($check $range)?] $($doc)+), )*
                $( parameters!(@key $okey, $ounit, true, [$($ocheck $orange)?] $($odoc)+), )*
            ];

            #[cfg(feature = "places")]
            fn typed(text: &str) -> std::result::Result<(), $crate::input::TextFault> {
                Ok(toml::from_str::<File>(text).map(drop)?)
            }

            #[cfg(not(feature = "places"))]
            fn typed(text: &str) -> std::result::Result<(), $crate::input::TextFault> {
                use $crate::params::keys::{nothing_else, taken};
                let mut values: toml::Table = toml::from_str(text)?;
                taken::<String>(&mut values, "name")?;
                $( taken::<$type>(&mut values, stringify!($key))?; )*
                $( taken::<$otype>(&mut values, stringify!($okey))?; )*
                Ok(nothing_else(&values)?)
            }

            fn of(mut values: toml::Table) -> std::result::Result<Self, toml::de::Error> {
                use $crate::params::keys;
                let parameters = Self {
                    name: keys::needed(&mut values, "name")?,
                    $( $key: keys::needed(&mut values, stringify!($key))?, )*
                    $( $okey: keys::taken(&mut values, stringify!($okey))?, )*
                };
                keys::nothing_else(&values)?;
                Ok(parameters)
            }

            fn check_ranges(&self) -> $crate::error::Result<()> {
                $( $( parameters!(@check $check (stringify!($key), $unit, self.$key, $range)); )? )*
                $( $( if let Some(value) = self.$okey {
                    parameters!(@check $ocheck (stringify!($okey), $ounit, value, $orange));
                } )? )*
                Ok(())
            }
        }
    };
}

pub(super) use parameters;
