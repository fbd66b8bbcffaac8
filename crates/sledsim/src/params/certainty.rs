//! Certainty of a value in a device file: the evidence for it, and the range in which its true value may lie.

use std::fmt;

use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Value;

use super::keys::Key;
use crate::choice::choice;
use crate::error::{ensure, in_few_digits, Result};

/// Keys that the table of a certainty may have, in words.
const EXPECTED: &str = "one of the keys kind, low, high, log and reason";

choice! {
    /// Kind of evidence for a value, as a device file states it.
    Evidence, "kind of number" {
        "measured" => Measured, "measured on a device or a drive";
        "stated" => Stated, "stated by a paper, a data sheet or a simulator without a measurement";
        "derived" => Derived, "derived from other numbers by arithmetic";
        "assumed" => Assumed, "assumed: a guess, or a choice of this project";
    }
}

/// Certainty of a value in a device file.
#[derive(Clone, Debug, PartialEq)]
pub struct Certainty {
    /// Kind of evidence for the value.
    pub kind: Evidence,
    /// Range in which the true value may lie; None if no range is stated.
    pub spread: Option<Spread>,
}

/// Range in which the true value of a parameter may lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Lower end of the range, in the unit of the parameter.
    pub low: f64,
    /// Upper end of the range, in the unit of the parameter.
    pub high: f64,
    /// True if the range covers orders of magnitude; the logarithm of the value is then drawn uniformly,
    /// otherwise the value.
    pub is_log: bool,
    /// Reason for the range, as a sentence.
    pub reason: String,
}

impl Certainty {
    /// Creates a certainty with the evidence `kind` and without a range.
    #[must_use]
    pub fn of(kind: Evidence) -> Self {
        Self { kind, spread: None }
    }

    /// Rejects a certainty that does not fit the parameter `key` with the value `value`.
    ///
    /// # Errors
    /// The parameter has no value on this device; the certainty has a range, but the value is no number; or
    /// the range does not include the value, exceeds the allowed range of the parameter, or has fractional
    /// ends for a whole number.
    pub(super) fn check(&self, key: &Key, value: Option<&Value>) -> Result<()> {
        let name = key.name;
        ensure!(
            value.is_some(),
            "{name}: expected a parameter that has a value on this device, but this one has none"
        );
        let Some(Spread { low, high, .. }) = self.spread else { return Ok(()) };
        let [from, to] = [low, high].map(in_few_digits);
        let number = match value {
            Some(Value::Integer(whole)) => *whole as f64,
            Some(Value::Float(number)) => *number,
            _ => f64::NAN,
        };
        ensure!(!number.is_nan(), "{name}: a range applies to numbers only, found {from} to {to}");
        let is_whole = matches!(value, Some(Value::Integer(_)));
        ensure!(
            !is_whole || low.fract() == 0.0 && high.fract() == 0.0,
            "{name}: expected a range of whole numbers, found {from} to {to}"
        );
        ensure!(
            (low..=high).contains(&number),
            "{name}: expected a range that includes the value {}, found {from} to {to}",
            in_few_digits(number)
        );
        if let Some(range) = key.range {
            for (end, value) in [("low", low), ("high", high)] {
                ensure!(range.may_hold(value), "{name}: {end} = {}: must be {range}", in_few_digits(value));
            }
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Certainty {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

/// Reader of a certainty, which is either the name of a kind of evidence or a table.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Certainty;

    fn expecting(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(
            to,
            "a kind of number in quotes, or a table with some of the keys kind, low, high, log and reason"
        )
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> std::result::Result<Certainty, E> {
        Evidence::try_from(name.to_owned()).map(Certainty::of).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Certainty, A::Error> {
        let mut given = Given::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "kind" => given.kind = Some(map.next_value()?),
                "low" => given.low = Some(map.next_value()?),
                "high" => given.high = Some(map.next_value()?),
                "log" => given.log = Some(map.next_value()?),
                "reason" => given.reason = Some(map.next_value()?),
                other => {
                    map.next_value::<IgnoredAny>()?;
                    return Err(A::Error::custom(format!("expected {EXPECTED}, found `{other}`")));
                }
            }
        }
        given.certainty().map_err(A::Error::custom)
    }
}

/// Values in the table of a certainty, before they are checked.
#[derive(Default)]
struct Given {
    kind: Option<Evidence>,
    low: Option<f64>,
    high: Option<f64>,
    log: Option<bool>,
    reason: Option<String>,
}

impl Given {
    fn certainty(self) -> std::result::Result<Certainty, String> {
        let kind =
            self.kind.ok_or("expected a kind (measured, stated, derived or assumed), found no kind")?;
        let (low, high) = match (self.low, self.high) {
            (Some(low), Some(high)) => (low, high),
            (None, None) if self.log.is_none() && self.reason.is_none() => return Ok(Certainty::of(kind)),
            (None, None) => {
                return Err("expected low and high together with log or reason, found no low and high".into())
            }
            _ => return Err("expected low and high, found only one of the two".into()),
        };
        let is_log = self.log.unwrap_or(false);
        let reason = self.reason.unwrap_or_default();
        let found = [low, high].map(in_few_digits).join(" to ");
        if !(low < high && low.is_finite() && high.is_finite()) {
            return Err(format!("expected a range with low below high, found {found}"));
        }
        if is_log && low <= 0.0 {
            return Err(format!("expected a range above 0 with log = true, found {found}"));
        }
        if reason.trim().is_empty() {
            return Err(format!("expected a reason for the range {found}, found no reason"));
        }
        Ok(Certainty { kind, spread: Some(Spread { low, high, is_log, reason }) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Range;

    fn read(text: &str) -> std::result::Result<Certainty, String> {
        let all: std::collections::BTreeMap<String, Certainty> =
            toml::from_str(text).map_err(|error| error.message().to_owned())?;
        Ok(all["a"].clone())
    }

    fn key(range: Option<Range>) -> Key {
        Key { name: "a", unit: "ms", description: "", range, is_optional: false }
    }

    #[test]
    fn a_kind_alone_and_a_range_are_read() {
        assert_eq!(read("a = 'stated'"), Ok(Certainty::of(Evidence::Stated)));
        assert_eq!(read("a = { kind = 'measured' }"), Ok(Certainty::of(Evidence::Measured)));
        let spread = Spread { low: 1.0, high: 20.5, is_log: false, reason: "so".into() };
        let expected = Certainty { kind: Evidence::Assumed, spread: Some(spread.clone()) };
        assert_eq!(read("a = { kind = 'assumed', low = 1, high = 20.5, reason = 'so' }"), Ok(expected));
        let found = read("a = { kind = 'derived', low = 1, high = 20.5, log = true, reason = 'so' }");
        assert_eq!(found.unwrap().spread, Some(Spread { is_log: true, ..spread }));
    }

    #[test]
    fn errors_of_certainties_name_what_is_expected() {
        for (value, said) in [
            ("'sure'", "unknown kind of number \"sure\": did you mean \"measured\"? known: measured, stated, derived, assumed"),
            ("5", "invalid type: integer `5`, expected a kind of number in quotes, or a table with some of the keys kind, low, high, log and reason"),
            ("{ low = 1, high = 2, reason = 'r' }", "expected a kind (measured, stated, derived or assumed), found no kind"),
            ("{ kind = 'stated', lo = 1 }", "expected one of the keys kind, low, high, log and reason, found `lo`"),
            ("{ kind = 'stated', low = 1 }", "expected low and high, found only one of the two"),
            ("{ kind = 'stated', reason = 'r' }", "expected low and high together with log or reason, found no low and high"),
            ("{ kind = 'stated', low = 2, high = 2, reason = 'r' }", "expected a range with low below high, found 2 to 2"),
            ("{ kind = 'stated', low = 1, high = inf, reason = 'r' }", "expected a range with low below high, found 1 to inf"),
            ("{ kind = 'stated', low = nan, high = 2, reason = 'r' }", "expected a range with low below high, found NaN to 2"),
            (
                "{ kind = 'stated', low = 0, high = 2, log = true, reason = 'r' }",
                "expected a range above 0 with log = true, found 0 to 2",
            ),
            ("{ kind = 'stated', low = 1, high = 2 }", "expected a reason for the range 1 to 2, found no reason"),
            ("{ kind = 'stated', low = 1, high = 2, reason = ' ' }", "expected a reason for the range 1 to 2, found no reason"),
        ] {
            assert_eq!(read(&format!("a = {value}")), Err(said.to_owned()), "{value}");
        }
    }

    #[test]
    fn a_range_holds_the_value_and_is_one_of_the_parameter() {
        let of = |low, high| {
            let spread = Spread { low, high, is_log: false, reason: "so".into() };
            Certainty { kind: Evidence::Stated, spread: Some(spread) }
        };
        let checked = |certainty: &Certainty, range, value| {
            certainty.check(&key(range), value).map_err(|error| error.to_string())
        };
        let (half, two) = (Value::Float(0.5), Value::Integer(2));
        assert_eq!(checked(&of(0.5, 2.0), None, Some(&half)), Ok(()));
        assert_eq!(checked(&of(2.0, 3.0), Some(Range::Whole([1, 3])), Some(&two)), Ok(()));
        for (certainty, range, value, said) in [
            (
                of(0.6, 2.0),
                None,
                Some(&half),
                "a: expected a range that includes the value 0.5, found 0.6 to 2",
            ),
            (of(0.1, 2.5), None, Some(&two), "a: expected a range of whole numbers, found 0.1 to 2.5"),
            (
                of(1.0, 4.0),
                Some(Range::Whole([1, 3])),
                Some(&two),
                "a: high = 4: must be a whole number from 1 to 3",
            ),
            (
                of(0.0, 1.0),
                Some(Range::Positive(3.0)),
                Some(&half),
                "a: low = 0: must be a positive number, at most 3",
            ),
            (
                of(-1.0, 1.0),
                Some(Range::Within([0.0, 3.0])),
                Some(&half),
                "a: low = -1: must be a number from 0 to 3",
            ),
            (
                of(1.0, 2.0),
                None,
                Some(&Value::Boolean(true)),
                "a: a range applies to numbers only, found 1 to 2",
            ),
            (
                of(1.0, 2.0),
                None,
                None,
                "a: expected a parameter that has a value on this device, but this one has none",
            ),
        ] {
            assert_eq!(checked(&certainty, range, value), Err(said.to_owned()));
        }
        assert_eq!(checked(&of(0.0, 1e300), Some(Range::InWords("some")), Some(&half)), Ok(()));
    }
}
