//! Options of policies and workloads, as they stand in the name: `asptf:weight=5`, `random:rate=100`.

use crate::error::{in_few_digits, normalise, unknown_name, Error, Result};

/// One option of a policy or a workload.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// Its name.
    pub name: &'static str,
    /// The unit of its value; empty if it has none.
    pub unit: &'static str,
    /// Its value where none is given; empty if one has to be.
    pub default: &'static str,
    /// What it means.
    pub description: &'static str,
}

/// A value for every option of one policy or workload.
#[derive(Clone, Debug)]
pub struct Options {
    owner: &'static str,
    rows: Vec<OptionRow>,
    values: Vec<String>,
}

impl Options {
    /// The options of `owner` as `text` says, such as `zone=120x1200,parity=joined`.
    ///
    /// # Errors
    /// An option that the owner does not have, one without a value, one that comes twice.
    pub fn parse(owner: &'static str, rows: &[OptionRow], text: &str) -> Result<Self> {
        let part = |part: &'_ str| match part.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
            None => Err(Error::Parameter(format!("{owner}: expected option=value, found {part:?}"))),
        };
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(part);
        Self::given(owner, rows, parts.collect::<Result<Vec<_>>>()?)
    }

    /// The options of `owner` from names and values.
    ///
    /// # Errors
    /// An option that the owner does not have, one that comes twice.
    pub fn given(owner: &'static str, rows: &[OptionRow], pairs: Vec<(String, String)>) -> Result<Self> {
        let mut given: Vec<Option<String>> = vec![None; rows.len()];
        for (name, value) in pairs {
            let fault = |text: String| Err(Error::Parameter(format!("{owner}: {text}")));
            let Some(at) = rows.iter().position(|row| normalise(row.name) == normalise(&name)) else {
                if rows.is_empty() {
                    return fault(format!("it has no options, found \"{name}={value}\""));
                }
                let kind = format!("option of {owner}");
                return Err(unknown_name(&kind, &name, rows.iter().map(|row| row.name)));
            };
            if given[at].replace(value).is_some() {
                return fault(format!("{} is given twice", rows[at].name));
            }
        }
        let values = given.into_iter().zip(rows);
        let values =
            values.map(|(value, row)| value.map_or(row.default.into(), |value| canonical(&value, row)));
        Ok(Self { owner, values: values.collect(), rows: rows.to_vec() })
    }

    /// Every option and its value.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.rows.iter().zip(&self.values).map(|(row, value)| (row.name, value.as_str()))
    }

    /// The value of an option as it was given; a number and a size in their shortest form.
    ///
    /// # Panics
    /// If the owner has no such option: that is a bug of the owner.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        &self.values[self.place(name)]
    }

    /// Whether an option has its default.
    ///
    /// # Panics
    /// If the owner has no such option: that is a bug of the owner.
    #[must_use]
    pub fn is_default(&self, name: &str) -> bool {
        let at = self.place(name);
        self.values[at] == self.rows[at].default
    }

    fn place(&self, name: &str) -> usize {
        self.rows.iter().position(|row| row.name == name).expect("an owner asks for its own options")
    }

    /// A finite number that is `allowed`.
    ///
    /// # Errors
    /// Another value, answered with what was `expected`.
    pub fn number(&self, name: &str, expected: &str, allowed: impl Fn(f64) -> bool) -> Result<f64> {
        let value = self.text(name).parse().ok().filter(|value: &f64| value.is_finite() && allowed(*value));
        value.ok_or_else(|| self.fault(name, expected))
    }

    /// A whole number from `least` to `most`.
    ///
    /// # Errors
    /// Another value.
    pub fn whole_within(&self, name: &str, least: u64, most: u64) -> Result<u64> {
        let value = self.text(name).parse().ok().filter(|value| (least..=most).contains(value));
        value.ok_or_else(|| self.fault(name, &format!("a whole number from {least} to {most}")))
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
        let found = self.text(name);
        if found.is_empty() {
            return Error::Parameter(format!("{}: {name} is missing: expected {expected}", self.owner));
        }
        Error::Parameter(format!("{}: {name} = {found}: expected {expected}", self.owner))
    }

    /// The owner's name with its options; only those that are not at their default, unless `all`.
    #[must_use]
    pub fn name(&self, all: bool) -> String {
        self.name_with(|_| all)
    }

    /// The owner's name with the options that are not at their default, and those that are `always` shown.
    #[must_use]
    pub fn name_with(&self, always: impl Fn(&str) -> bool) -> String {
        let shown = self.rows.iter().zip(&self.values);
        let shown = shown.filter(|(row, value)| row.default != **value || always(row.name));
        let shown: Vec<String> = shown.map(|(row, value)| format!("{}={value}", row.name)).collect();
        if shown.is_empty() {
            return self.owner.to_owned();
        }
        format!("{}:{}", self.owner, shown.join(","))
    }
}

/// The one form of all that are the same number or size, so that an owner has one name: `5` for `5.0`.
fn canonical(value: &str, row: &OptionRow) -> String {
    let whole = |text: &str| text.parse::<u32>().ok();
    if let Some([Some(width), Some(height)]) = value.split_once('x').map(|(w, h)| [whole(w), whole(h)]) {
        return format!("{width}x{height}");
    }
    let number = value.parse().ok().filter(|number: &f64| number.is_finite() && is_numeric(row));
    // Beyond 2^53 whole numbers are not exact; zero has a sign that means nothing.
    number.filter(|number| number.abs() < 9e15).map_or(value.to_owned(), |number| in_few_digits(number + 0.0))
}

/// Whether the values of an option are numbers; what has to be given is one, and what has a unit.
fn is_numeric(row: &OptionRow) -> bool {
    row.default.is_empty() || !row.unit.is_empty() || row.default.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[OptionRow] = &[
        OptionRow { name: "weight", unit: "", default: "5", description: "" },
        OptionRow { name: "zone", unit: "", default: "auto", description: "" },
        OptionRow { name: "rate", unit: "1/s", default: "day", description: "" },
    ];

    fn name(text: &str) -> String {
        Options::parse("own", ROWS, text).unwrap().name(false)
    }

    #[test]
    fn a_value_has_one_form() {
        for same in ["weight=5", "weight=5.0", "weight=05", "weight=+5e0", "zone=auto"] {
            assert_eq!(name(same), "own", "{same}");
        }
        assert_eq!(name("weight=0.50,zone=060x0600"), "own:weight=0.5,zone=60x600");
        assert_eq!(name("weight=-0.0"), "own:weight=0");
        assert_eq!(name("rate=1e3"), "own:rate=1000");
        assert_eq!(name("rate=day"), "own");
        for other in ["weight=nan", "weight=1e300", "weight=quick", "zone=5.0", "zone=60x", "zone=1x2x3"] {
            assert_eq!(name(other), format!("own:{other}"));
        }
    }
}
