//! Options of policies and workloads, as they stand in the name: `asptf:weight=5`, `random:rate=100`.

use crate::error::{in_few_digits, normalise, unknown_name, Error, Result};

/// The values that an option may have.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// A finite number, from the least to the most.
    Number {
        /// The least and the most; infinite where there is no bound.
        range: [f64; 2],
        /// Whether the least and the most itself may be.
        inclusive: [bool; 2],
    },
    /// A whole number, from the least to the most.
    Whole([u64; 2]),
    /// One of a few names.
    OneOf(&'static [&'static str]),
    /// A width and a height: `120x1200`.
    Size,
    /// Anything that its owner reads: what is expected.
    Text(&'static str),
}

/// One option of a policy, a volume, a workload: all that is said of it.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// Its name.
    pub name: &'static str,
    /// The unit of its value; empty if it has none.
    pub unit: &'static str,
    /// Its value where none is given; empty if one has to be.
    pub default: &'static str,
    /// What it may be.
    pub values: Values,
    /// What it may be instead: a word such as `auto`; empty if there is none.
    pub or: &'static str,
    /// What it means.
    pub description: &'static str,
}

impl OptionRow {
    const fn new(
        name: &'static str,
        default: &'static str,
        values: Values,
        description: &'static str,
    ) -> Self {
        Self { name, unit: "", default, values, or: "", description }
    }

    /// An option whose value is a number within a range.
    #[must_use]
    pub const fn number(
        name: &'static str,
        default: &'static str,
        range: [f64; 2],
        description: &'static str,
    ) -> Self {
        Self::new(name, default, Values::Number { range, inclusive: [true; 2] }, description)
    }

    /// An option whose value is a whole number within a range.
    #[must_use]
    pub const fn whole(
        name: &'static str,
        default: &'static str,
        range: [u64; 2],
        description: &'static str,
    ) -> Self {
        Self::new(name, default, Values::Whole(range), description)
    }

    /// An option whose value is one of a few names.
    #[must_use]
    pub const fn one_of(
        name: &'static str,
        default: &'static str,
        names: &'static [&'static str],
        description: &'static str,
    ) -> Self {
        Self::new(name, default, Values::OneOf(names), description)
    }

    /// An option whose value is a width and a height.
    #[must_use]
    pub const fn size(name: &'static str, default: &'static str, description: &'static str) -> Self {
        Self::new(name, default, Values::Size, description)
    }

    /// An option that its owner reads; errors say what is `expected`.
    #[must_use]
    pub const fn text(
        name: &'static str,
        default: &'static str,
        expected: &'static str,
        description: &'static str,
    ) -> Self {
        Self::new(name, default, Values::Text(expected), description)
    }

    /// The option with the unit of its value.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The option with a word that may stand instead of a value.
    #[must_use]
    pub const fn or(self, or: &'static str) -> Self {
        Self { or, ..self }
    }

    /// The option with another default.
    #[must_use]
    pub const fn default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// The option with another meaning.
    #[must_use]
    pub const fn description(self, description: &'static str) -> Self {
        Self { description, ..self }
    }

    /// The number without the least of its range.
    #[must_use]
    pub const fn above(self) -> Self {
        self.bounded([false, true])
    }

    /// The number without either end of its range.
    #[must_use]
    pub const fn between(self) -> Self {
        self.bounded([false; 2])
    }

    const fn bounded(self, inclusive: [bool; 2]) -> Self {
        match self.values {
            Values::Number { range, .. } => Self { values: Values::Number { range, inclusive }, ..self },
            _ => panic!("only numbers have ends that may be left out"),
        }
    }

    /// What may be given, as errors and listings say it.
    #[must_use]
    pub fn expected(&self) -> String {
        let mut text = match self.values {
            Values::Number { range, inclusive } => format!("a number {}", within(range, inclusive)),
            Values::Whole([least, u64::MAX]) => format!("a whole number of at least {least}"),
            Values::Whole([least, most]) => format!("a whole number from {least} to {most}"),
            Values::OneOf(names) => names.join(" or "),
            Values::Size => "a width and a height such as 120x1200".to_owned(),
            Values::Text(expected) => expected.to_owned(),
        };
        if !self.unit.is_empty() {
            text = format!("{text} ({})", self.unit);
        }
        if self.or.is_empty() {
            text
        } else {
            format!("{}, or {text}", self.or)
        }
    }

    /// The one form of all that are the same value, so that an owner has one name: `5` for `5.0`.
    fn canonical(&self, value: &str) -> String {
        let number = || value.parse().ok().filter(|number: &f64| number.is_finite());
        match self.values {
            // Beyond 2^53 whole numbers are not exact; zero has a sign that means nothing.
            Values::Number { .. } | Values::Whole(_) => number()
                .filter(|number| number.abs() < 9e15)
                .map_or(value.to_owned(), |number| in_few_digits(number + 0.0)),
            Values::Size => {
                size(value).map_or(value.to_owned(), |[width, height]| format!("{width}x{height}"))
            }
            Values::OneOf(_) | Values::Text(_) => value.to_owned(),
        }
    }
}

/// A range of numbers in words.
fn within([least, most]: [f64; 2], inclusive: [bool; 2]) -> String {
    let short = |bound: f64| {
        let (plain, scientific) = (bound.to_string(), format!("{bound:e}"));
        if plain.len() > 5 && scientific.len() < plain.len() {
            scientific
        } else {
            plain
        }
    };
    match (inclusive, most.is_finite()) {
        ([true, _], false) => format!("of at least {}", short(least)),
        ([false, _], false) => format!("above {}", short(least)),
        ([true, _], true) => format!("from {} to {}", short(least), short(most)),
        ([false, true], true) => format!("above {} and up to {}", short(least), short(most)),
        ([false, false], true) => format!("above {} and below {}", short(least), short(most)),
    }
}

/// A width and a height.
fn size(value: &str) -> Option<[u32; 2]> {
    let (width, height) = value.split_once('x')?;
    Some([width.parse().ok()?, height.parse().ok()?])
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
            values.map(|(value, row)| value.map_or(row.default.into(), |value| row.canonical(&value)));
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

    /// A number within the range of the option, or the word that may stand instead, where that is one: `0`, `inf`.
    ///
    /// # Errors
    /// Another value.
    pub fn number(&self, name: &str) -> Result<f64> {
        let (row, text) = (&self.rows[self.place(name)], self.text(name));
        let Values::Number { range: [least, most], inclusive } = row.values else {
            panic!("{name} is no number")
        };
        let is_within = |value: f64| {
            let is_above = value > least || (inclusive[0] && value == least);
            is_above && (value < most || (inclusive[1] && value == most)) && value.is_finite()
        };
        let value = text.parse().ok().filter(|value| is_within(*value) || text == row.or);
        value.ok_or_else(|| self.fault(name, &row.expected()))
    }

    /// A whole number within the range of the option.
    ///
    /// # Errors
    /// Another value.
    pub fn whole(&self, name: &str) -> Result<u64> {
        let row = &self.rows[self.place(name)];
        let Values::Whole([least, most]) = row.values else { panic!("{name} is no whole number") };
        let value = self.text(name).parse().ok().filter(|value| (least..=most).contains(value));
        value.ok_or_else(|| self.fault(name, &row.expected()))
    }

    /// A whole number within a range that the option's owner knows.
    ///
    /// # Errors
    /// Another value.
    pub fn whole_within(&self, name: &str, least: u64, most: u64) -> Result<u64> {
        let value = self.text(name).parse().ok().filter(|value| (least..=most).contains(value));
        value.ok_or_else(|| self.fault(name, &format!("a whole number from {least} to {most}")))
    }

    /// A width and a height.
    ///
    /// # Errors
    /// Another value, answered with what was `expected`.
    pub fn size(&self, name: &str, expected: &str) -> Result<[u32; 2]> {
        size(self.text(name)).ok_or_else(|| self.fault(name, expected))
    }

    /// What the name that was given stands for: `values` are in the order of the option's names.
    ///
    /// # Errors
    /// Another name.
    pub fn one_of<T: Copy>(&self, name: &str, values: &[T]) -> Result<T> {
        let row = &self.rows[self.place(name)];
        let Values::OneOf(names) = row.values else { panic!("{name} has no names") };
        assert_eq!(names.len(), values.len(), "{name}: each name stands for something");
        let at = names.iter().position(|known| normalise(known) == normalise(self.text(name)));
        at.map(|at| values[at]).ok_or_else(|| self.fault(name, &row.expected()))
    }

    /// Whether a name was given, of the names that the option has.
    ///
    /// # Errors
    /// Another name.
    pub fn is(&self, name: &str, which: &str) -> Result<bool> {
        let Values::OneOf(names) = self.rows[self.place(name)].values else { panic!("{name} has no names") };
        self.one_of(name, names).map(|given| given == which)
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
}
