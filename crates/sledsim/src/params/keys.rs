//! The keys of a kind of devices, and the ranges of numbers.

use std::fmt;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use toml::Table;

use crate::error::{ensure, fault, in_few_digits, Error, Result};
use crate::input::TextFault;

/// The name of a device, which is a value beside the parameters.
pub(super) const NAME: &str = "name";
/// Keys of a file besides those of values.
pub(super) const HEADER: [&str; 5] = ["kind", "extends", "source", "paper", "certainty"];

/// A parameter as users see it.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The name, with the unit in it.
    pub name: &'static str,
    /// The unit in words, empty for a pure number or a name.
    pub unit: &'static str,
    /// Meaning, in one line.
    pub description: &'static str,
    /// Range of the parameter's numbers, if declared.
    pub range: Option<Range>,
    /// True if a device may lack the parameter.
    pub is_optional: bool,
}

/// The largest whole number of an unrestricted parameter: the largest that a file can hold.
const UNBOUNDED: u64 = i64::MAX as u64;

/// The numbers that a parameter may be.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    /// Whole numbers from the least to the most.
    Whole([u64; 2]),
    /// Numbers from the least to the most.
    Within([f64; 2]),
    /// Numbers above 0 up to the most.
    Positive(f64),
    /// Range that other parameters leave, in words; checked where these parameters are known.
    InWords(&'static str),
}

impl Range {
    /// True if the range may hold a number, as far as other parameters do not restrict it.
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

/// The parameters of a kind of devices.
pub trait Parameters: Sized {
    /// The name of the kind, as files of devices give it.
    const KIND: &'static str;

    /// Every parameter, in the order in which help texts show them.
    const KEYS: &'static [Key];

    /// Checks that every value in a text has the type of its parameter.
    ///
    /// # Errors
    /// A key that no device of the kind has, a value of another type.
    fn typed(text: &str) -> std::result::Result<(), TextFault>;

    /// Reads the parameters from their values, each of its type.
    ///
    /// # Errors
    /// Errors of [`typed`](Self::typed), and a missing key.
    fn of(values: Table) -> std::result::Result<Self, toml::de::Error>;

    /// Rejects a number outside its declared range.
    ///
    /// # Errors
    /// The first number outside its range.
    fn check_ranges(&self) -> Result<()>;

    /// Reads the parameters from their values: complete, within their ranges, and accepted by `check`.
    ///
    /// # Errors
    /// A missing key, a number outside its range, and errors of `check`.
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

/// A figure that a paper prints for a device, to be shown beside ours.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct PaperFigure {
    /// Value, in the unit of the characteristic.
    pub value: f64,
    /// Place where the figure is printed.
    pub source: String,
}

/// Rejects a whole number below the minimum or above the maximum of a parameter.
pub(crate) fn whole(key: &str, _unit: &str, value: u64, range: [u64; 2]) -> Result<()> {
    let expected = || Error::Parameter(format!("must be {}", Range::Whole(range)));
    ensure!((range[0]..=range[1]).contains(&value), expected().marked(key, format!(" = {value}")));
    Ok(())
}

/// Rejects a number below the minimum or above the maximum of a parameter, and NaN.
pub(crate) fn within(key: &str, unit: &str, value: f64, range: [f64; 2]) -> Result<()> {
    ensure!((range[0]..=range[1]).contains(&value), beyond(key, unit, value, Range::Within(range)));
    Ok(())
}

/// Rejects a number that is not above 0, or above the maximum of a parameter.
pub(crate) fn positive(key: &str, unit: &str, value: f64, most: f64) -> Result<()> {
    ensure!(value > 0.0 && value <= most, beyond(key, unit, value, Range::Positive(most)));
    Ok(())
}

fn beyond(key: &str, unit: &str, value: f64, range: Range) -> Error {
    let space = if unit.is_empty() { "" } else { " " };
    Error::Parameter(format!("must be {range}{space}{unit}"))
        .marked(key, format!(" = {}", in_few_digits(value)))
}

/// Takes an optional value out of others. Never inlined: a device has a hundred of them.
#[inline(never)]
pub(crate) fn taken<T: DeserializeOwned>(
    values: &mut Table,
    key: &str,
) -> std::result::Result<Option<T>, toml::de::Error> {
    values.remove(key).map(toml::Value::try_into).transpose()
}

/// Takes a required value out of others.
#[inline(never)]
pub(crate) fn needed<T: DeserializeOwned>(
    values: &mut Table,
    key: &'static str,
) -> std::result::Result<T, toml::de::Error> {
    taken(values, key)?.ok_or_else(|| toml::de::Error::missing_field(key))
}

/// Rejects values that remain after all known ones have been taken, except those of the file's header.
pub(crate) fn nothing_else(values: &Table) -> std::result::Result<(), toml::de::Error> {
    match values.keys().find(|key| !HEADER.contains(&key.as_str())) {
        Some(key) => Err(toml::de::Error::custom(format!("unknown field `{key}`"))),
        None => Ok(()),
    }
}

/// Declares every parameter of a kind of device once: the complete set, the contents of a file, the table of keys,
/// and the ranges: `whole` or `within` from the least to the most, `positive` up to the most, `in_words` where other
/// parameters bound it.
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
            /// The name of the device, from its file.
            pub name: String,
            $( $(#[doc = $doc])+ pub $key: $type, )*
            $( $(#[doc = $odoc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $okey: Option<$otype>, )*
        }

        /// A device file: any of the parameters, each of its type.
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
