//! Values of options that a user writes after the name of a policy, volume or workload: `asptf:weight=5`,
//! `random:rate=100`.

mod row;

use self::row::size;
pub use self::row::{OptionRow, Values};
use crate::error::{ensure, fault, normalise, unknown_name, Error, Result};

/// The options of one policy, volume or workload (the owner of the options), each with its value.
#[derive(Clone, Debug)]
pub struct Options {
    owner: &'static str,
    rows: Vec<OptionRow>,
    values: Vec<String>,
}

impl Options {
    /// Reads options from the text after the owner's name, such as `zone=120x1200,parity=joined`. `owner`
    /// is the name of the policy, volume or workload, `rows` lists its options.
    ///
    /// # Errors
    /// The text names an unknown option, an option without a value, or the same option twice.
    pub fn parse(owner: &'static str, rows: &[OptionRow], text: &str) -> Result<Self> {
        let part = |part: &'_ str| match part.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
            None => fault(format!("{owner}: expected option=value, found {part:?}")),
        };
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(part);
        Self::given(owner, rows, parts.collect::<Result<Vec<_>>>()?)
    }

    /// Reads options from pairs of a name and a value. `owner` is the name of the policy, volume or
    /// workload, `rows` lists its options.
    ///
    /// # Errors
    /// The pairs name an unknown option, or the same option twice.
    pub fn given(owner: &'static str, rows: &[OptionRow], pairs: Vec<(String, String)>) -> Result<Self> {
        let mut given: Vec<Option<String>> = vec![None; rows.len()];
        for (name, value) in pairs {
            let Some(at) = rows.iter().position(|row| normalise(row.name) == normalise(&name)) else {
                ensure!(!rows.is_empty(), "{owner} has no options: found \"{name}={value}\"");
                let kind = format!("option of {owner}");
                return Err(unknown_name(&kind, &name, rows.iter().map(|row| row.name)));
            };
            ensure!(given[at].replace(value).is_none(), "{owner}: {} is given twice", rows[at].name);
        }
        let values = given.into_iter().zip(rows);
        let values =
            values.map(|(value, row)| value.map_or(row.default.into(), |value| row.canonical(&value)));
        Ok(Self { owner, values: values.collect(), rows: rows.to_vec() })
    }

    /// Name and value of every option, in the order in which the owner lists its options.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.rows.iter().zip(&self.values).map(|(row, value)| (row.name, value.as_str()))
    }

    /// The value of the option `name` as text: the value that the user gave, or the default. Numbers and sizes
    /// are in their shortest form.
    ///
    /// # Panics
    /// The owner has no option `name` (a bug of the owner).
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        &self.values[self.place(name)]
    }

    /// Returns true if the value of an option equals its default.
    ///
    /// # Panics
    /// The owner has no option `name` (a bug of the owner).
    #[must_use]
    pub fn is_default(&self, name: &str) -> bool {
        let at = self.place(name);
        self.values[at] == self.rows[at].default
    }

    /// A copy of the options in which the option `name` has its default value.
    ///
    /// # Panics
    /// The owner has no option `name` (a bug of the owner).
    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        let (at, mut without) = (self.place(name), self.clone());
        without.rows[at].default.clone_into(&mut without.values[at]);
        without
    }

    fn place(&self, name: &str) -> usize {
        self.rows.iter().position(|row| row.name == name).expect("the owner must have an option of this name")
    }

    /// The value of an option as a number within its permitted range. A word that is permitted besides numbers
    /// is accepted if it can be parsed as a number, such as `inf`.
    ///
    /// # Errors
    /// The value is not a number within the permitted range.
    pub fn number(&self, name: &str) -> Result<f64> {
        let (row, text) = (&self.rows[self.place(name)], self.text(name));
        let Values::Number { range: [least, most], inclusive } = row.values else {
            panic!("the option {name} is not declared as a number")
        };
        let is_within = |value: f64| {
            let is_above = value > least || (inclusive[0] && value == least);
            is_above && (value < most || (inclusive[1] && value == most)) && value.is_finite()
        };
        let value = text.parse().ok().filter(|value| is_within(*value) || text == row.or);
        value.ok_or_else(|| self.fault(name, &row.expected()))
    }

    /// The value of an option as a whole number within its permitted range.
    ///
    /// # Errors
    /// The value is not a whole number within the permitted range.
    pub fn whole(&self, name: &str) -> Result<u64> {
        let row = &self.rows[self.place(name)];
        let Values::Whole([least, most]) = row.values else {
            panic!("the option {name} is not declared as a whole number")
        };
        let value = self.text(name).parse().ok().filter(|value| (least..=most).contains(value));
        value.ok_or_else(|| self.fault(name, &row.expected()))
    }

    /// The value of an option as a whole number from `least` to `most`, for a range that depends on the
    /// device.
    ///
    /// # Errors
    /// The value is not a whole number from `least` to `most`.
    pub fn whole_within(&self, name: &str, least: u64, most: u64) -> Result<u64> {
        let value = self.text(name).parse().ok().filter(|value| (least..=most).contains(value));
        value.ok_or_else(|| self.fault(name, &format!("a whole number from {least} to {most}")))
    }

    /// The value of an option as a width and a height, such as `120x1200`.
    ///
    /// # Errors
    /// The value is not a width and a height; the message says what was `expected`.
    pub fn size(&self, name: &str, expected: &str) -> Result<[u32; 2]> {
        size(self.text(name)).ok_or_else(|| self.fault(name, expected))
    }

    /// The entry of `values` that belongs to the name that the user chose for an option. `values` has one entry
    /// for each permitted name, in the same order.
    ///
    /// # Errors
    /// The value of the option is not one of its permitted names.
    pub fn one_of<T: Copy>(&self, name: &str, values: &[T]) -> Result<T> {
        let row = &self.rows[self.place(name)];
        let Values::OneOf(names) = row.values else {
            panic!("the option {name} has no list of permitted names")
        };
        assert_eq!(
            names.len(),
            values.len(),
            "option {name}: expected one entry in `values` for each permitted name"
        );
        let at = names.iter().position(|known| normalise(known) == normalise(self.text(name)));
        at.map(|at| values[at]).ok_or_else(|| self.fault(name, &row.expected()))
    }

    /// Returns true if the value of the option `name` is the permitted name `which`.
    ///
    /// # Errors
    /// The value of the option is not one of its permitted names.
    pub fn is(&self, name: &str, which: &str) -> Result<bool> {
        let Values::OneOf(names) = self.rows[self.place(name)].values else {
            panic!("the option {name} has no list of permitted names")
        };
        self.one_of(name, names).map(|given| given == which)
    }

    /// The error message for an invalid or missing value of the option `name`; `expected` describes valid
    /// values.
    #[must_use]
    pub fn fault(&self, name: &str, expected: &str) -> Error {
        let found = self.text(name);
        if found.is_empty() {
            return Error::Parameter(format!("{name} is missing: expected {expected}")).at(self.owner);
        }
        Error::Parameter(format!("expected {expected}")).marked(name, format!(" = {found}")).at(self.owner)
    }

    /// The owner's name, followed by its options with their values. Options that have their default value are
    /// omitted unless `all` is true.
    #[must_use]
    pub fn name(&self, all: bool) -> String {
        self.name_with(|_| all)
    }

    /// The owner's name, followed by those options that differ from their defaults or for whose names `always`
    /// returns true.
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

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[OptionRow] = &[
        OptionRow::number("weight", "5", [0.0, 10.0], ""),
        OptionRow::size("zone", "auto", "").or("auto"),
        OptionRow::number("rate", "day", [0.0, f64::INFINITY], "").unit("1/s").above().or("day"),
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

    #[test]
    fn long_bounds_are_written_in_powers_of_ten_if_shorter() {
        for (most, told) in [
            (10_000.0, "10000"),
            (99_999.0, "99999"),
            (100_000.0, "1e5"),
            (123_456.0, "123456"),
            (2_500_000_000.0, "2.5e9"),
            (0.125, "0.125"),
            (0.001, "0.001"),
            (0.0001, "1e-4"),
        ] {
            let row = OptionRow::number("weight", "5", [0.0, most], "");
            assert_eq!(row.range(), format!("a number from 0 to {told}"));
        }
    }
}
