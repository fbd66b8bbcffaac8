//! The table of parameters, and the ranges of numbers.

use crate::error::{in_few_digits, Error, Result};

/// One parameter as users see it.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The name, with the unit in it.
    pub name: &'static str,
    /// The unit in words, empty for a pure number or a name.
    pub unit: &'static str,
    /// What it means.
    pub description: &'static str,
    /// Whether a device may be without it.
    pub is_optional: bool,
}

/// Refuses a number below the least or above the most that a parameter can be; what is no number is neither.
pub(super) fn within(keys: &[Key], key: &str, value: f64, [least, most]: [f64; 2]) -> Result<()> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    refuse(keys, key, value, &format!("must be a number from {least} to {most}"))
}

/// Refuses what is not above 0, or above the most that a parameter can be.
pub(super) fn positive(keys: &[Key], key: &str, value: f64, most: f64) -> Result<()> {
    if value > 0.0 && value <= most {
        return Ok(());
    }
    refuse(keys, key, value, &format!("must be a positive number, at most {most}"))
}

fn refuse(keys: &[Key], key: &str, value: f64, range: &str) -> Result<()> {
    let unit = keys.iter().find(|known| known.name == key).map_or("", |known| known.unit);
    let space = if unit.is_empty() { "" } else { " " };
    Err(Error::Parameter(format!("{key} = {}: {range}{space}{unit}", in_few_digits(value))))
}

/// Declares every parameter of a kind of device once: the complete set, what a file may hold of it, and the table
/// of keys.
macro_rules! parameters {
    (
        $(#[doc = $about:literal])+ $params:ident;
        required { $( $(#[doc = $doc:literal])+ $key:ident: $type:ty, $unit:literal; )* }
        optional { $( $(#[doc = $odoc:literal])+ $okey:ident: $otype:ty, $ounit:literal; )* }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
        pub struct $params {
            /// The name of the device, from its file.
            pub name: String,
            $( $(#[doc = $doc])+ pub $key: $type, )*
            $( $(#[doc = $odoc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $okey: Option<$otype>, )*
        }

        /// What a device file may hold: any of the parameters, each of its type.
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "reading is the check")]
        struct File {
            name: Option<String>,
            kind: Option<String>,
            extends: Option<String>,
            source: Option<std::collections::BTreeMap<String, String>>,
            paper: Option<std::collections::BTreeMap<String, $crate::params::PaperFigure>>,
            $( $key: Option<$type>, )*
            $( $okey: Option<$otype>, )*
        }

        /// Every parameter, in the order in which help texts show them.
        pub const KEYS: &[Key] = &[
            $( Key { name: stringify!($key), unit: $unit, description: concat!($($doc,)+), is_optional: false }, )*
            $( Key { name: stringify!($okey), unit: $ounit, description: concat!($($odoc,)+), is_optional: true }, )*
        ];
    };
}

pub(super) use parameters;
