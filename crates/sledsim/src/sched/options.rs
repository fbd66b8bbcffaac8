//! Options of policies, as they stand in a policy's name: `asptf:weight=5`.

use crate::error::{normalise, unknown_name, Error, Result};

/// One option of a policy.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// Its name.
    pub name: &'static str,
    /// Its value where none is given.
    pub default: &'static str,
    /// What it means, with its unit.
    pub description: &'static str,
}

/// A value for every option of one policy.
#[derive(Clone, Debug)]
pub struct Options {
    policy: &'static str,
    rows: &'static [OptionRow],
    values: Vec<String>,
}

impl Options {
    /// The options of `policy` as `text` says, such as `zone=120x1200,parity=joined`.
    ///
    /// # Errors
    /// An option that the policy does not have, one without a value, one that comes twice.
    pub fn parse(policy: &'static str, rows: &'static [OptionRow], text: &str) -> Result<Self> {
        let mut given: Vec<Option<String>> = vec![None; rows.len()];
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let fault = |text: String| Err(Error::Parameter(format!("{policy}: {text}")));
            let Some((name, value)) = part.split_once('=') else {
                return fault(format!("expected option=value, found {part:?}"));
            };
            let Some(at) = rows.iter().position(|row| normalise(row.name) == normalise(name)) else {
                if rows.is_empty() {
                    return fault(format!("it has no options, found {part:?}"));
                }
                let kind = format!("option of {policy}");
                return Err(unknown_name(&kind, name.trim(), rows.iter().map(|row| row.name)));
            };
            if given[at].replace(value.trim().to_owned()).is_some() {
                return fault(format!("{} is given twice", rows[at].name));
            }
        }
        let values = given.into_iter().zip(rows).map(|(value, row)| value.unwrap_or(row.default.into()));
        Ok(Self { policy, rows, values: values.collect() })
    }

    /// The value of an option as it was given.
    ///
    /// # Panics
    /// If the policy has no such option: that is a bug of the policy.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        let at =
            self.rows.iter().position(|row| row.name == name).expect("a policy asks for its own options");
        &self.values[at]
    }

    /// A finite number that is `allowed`.
    ///
    /// # Errors
    /// Another value, answered with what was `expected`.
    pub fn number(&self, name: &str, expected: &str, allowed: impl Fn(f64) -> bool) -> Result<f64> {
        let value = self.text(name).parse().ok().filter(|value: &f64| value.is_finite() && allowed(*value));
        value.ok_or_else(|| self.fault(name, expected))
    }

    /// A whole number.
    ///
    /// # Errors
    /// Another value.
    pub fn whole(&self, name: &str, expected: &str) -> Result<usize> {
        self.text(name).parse().map_err(|_| self.fault(name, expected))
    }

    /// A width and a height: `120x1200`.
    ///
    /// # Errors
    /// Another value.
    pub fn size(&self, name: &str, expected: &str) -> Result<[u32; 2]> {
        let parts = self.text(name).split_once('x').map(|(width, height)| [width.parse(), height.parse()]);
        match parts {
            Some([Ok(width), Ok(height)]) => Ok([width, height]),
            _ => Err(self.fault(name, expected)),
        }
    }

    /// One of a few names, with what it stands for.
    ///
    /// # Errors
    /// Another name.
    pub fn one_of<T: Copy>(&self, name: &str, known: &[(&str, T)]) -> Result<T> {
        let found = known.iter().find(|(known, _)| normalise(known) == normalise(self.text(name)));
        let names: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
        found.map(|(_, value)| *value).ok_or_else(|| self.fault(name, &names.join(" or ")))
    }

    /// The error for a value that cannot be.
    #[must_use]
    pub fn fault(&self, name: &str, expected: &str) -> Error {
        Error::Parameter(format!("{}: {name} = {}: expected {expected}", self.policy, self.text(name)))
    }

    /// The policy's name with its options; only those that are not at their default, unless `all`.
    #[must_use]
    pub fn name(&self, all: bool) -> String {
        let shown = self.rows.iter().zip(&self.values).filter(|(row, value)| all || row.default != **value);
        let shown: Vec<String> = shown.map(|(row, value)| format!("{}={value}", row.name)).collect();
        if shown.is_empty() {
            return self.policy.to_owned();
        }
        format!("{}:{}", self.policy, shown.join(","))
    }
}
