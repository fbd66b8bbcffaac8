//! The row of an option: its name, unit, default, values and meaning.

use crate::error::in_few_digits;

/// A text of the program itself.
type Text = &'static str;

/// The values that an option may have.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// A finite number, from the least to the most.
    Number {
        /// The least and the most; infinite where unbounded.
        range: [f64; 2],
        /// True if the least and the most are allowed.
        inclusive: [bool; 2],
    },
    /// A whole number, from the least to the most.
    Whole([u64; 2]),
    /// A name from a list.
    OneOf(&'static [Text]),
    /// A width and a height: `120x1200`.
    Size,
    /// Text that the owner reads, with a description of expected values.
    Text(Text),
}

/// An option of a policy, a volume or a workload.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// Name of the option.
    pub name: Text,
    /// The unit of its value; empty if it has none.
    pub unit: Text,
    /// Default value; empty if the option is required.
    pub default: Text,
    /// Values of the option.
    pub values: Values,
    /// Meanings of the least and the most number; empty if they have no special meaning.
    pub ends: [Text; 2],
    /// Alternative word, such as `auto`; empty if the option has no such word.
    pub or: Text,
    /// Meaning, in one line.
    pub description: Text,
}

impl OptionRow {
    const fn new(name: Text, default: Text, values: Values, description: Text) -> Self {
        Self { name, unit: "", default, values, ends: [""; 2], or: "", description }
    }

    /// An option whose value is a number within a range.
    #[must_use]
    pub const fn number(name: Text, default: Text, range: [f64; 2], description: Text) -> Self {
        Self::new(name, default, Values::Number { range, inclusive: [true; 2] }, description)
    }

    /// An option whose value is a whole number within a range.
    #[must_use]
    pub const fn whole(name: Text, default: Text, range: [u64; 2], description: Text) -> Self {
        Self::new(name, default, Values::Whole(range), description)
    }

    /// An option whose value is a name from a list; the first is the default.
    #[must_use]
    pub const fn one_of(name: Text, names: &'static [Text], description: Text) -> Self {
        Self::new(name, names[0], Values::OneOf(names), description)
    }

    /// An option whose value is a width and a height.
    #[must_use]
    pub const fn size(name: Text, default: Text, description: Text) -> Self {
        Self::new(name, default, Values::Size, description)
    }

    /// An option that its owner reads; errors name `expected`.
    #[must_use]
    pub const fn text(name: Text, default: Text, expected: Text, description: Text) -> Self {
        Self::new(name, default, Values::Text(expected), description)
    }

    /// The option with the unit of its value.
    #[must_use]
    pub const fn unit(self, unit: Text) -> Self {
        Self { unit, ..self }
    }

    /// The option with an alternative word.
    #[must_use]
    pub const fn or(self, or: Text) -> Self {
        Self { or, ..self }
    }

    /// The option with another default.
    #[must_use]
    pub const fn default(self, default: Text) -> Self {
        Self { default, ..self }
    }

    /// The option with another meaning.
    #[must_use]
    pub const fn description(self, description: Text) -> Self {
        Self { description, ..self }
    }

    /// The number, excluding the least of its range.
    #[must_use]
    pub const fn above(self) -> Self {
        self.bounded([false, true])
    }

    /// The number, excluding either end of its range.
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

    /// The number with meanings of the least and the most of its range.
    #[must_use]
    pub const fn ends(self, ends: [&'static str; 2]) -> Self {
        Self { ends, ..self }
    }

    /// Values of the option, as errors name them.
    #[must_use]
    pub fn expected(&self) -> String {
        if self.unit.is_empty() {
            return self.range();
        }
        format!("{} ({})", self.range(), self.unit)
    }

    /// Values of the option, without their unit.
    #[must_use]
    pub fn range(&self) -> String {
        let text = match self.values {
            Values::Number { range, inclusive } => {
                format!("a number {}", within(range, inclusive, self.ends))
            }
            Values::Whole([least, u64::MAX]) => format!("a whole number from {least} to 2^64 - 1"),
            Values::Whole([least, most]) => format!("a whole number from {least} to {most}"),
            Values::OneOf(names) => names.join(" or "),
            Values::Size => "a width and a height such as 120x1200".to_owned(),
            Values::Text(expected) => expected.to_owned(),
        };
        if self.or.is_empty() {
            text
        } else {
            format!("{}, or {text}", self.or)
        }
    }

    /// The canonical form of equal values, so that an owner has one name: `5` for `5.0`.
    pub(super) fn canonical(&self, value: &str) -> String {
        let number = || value.parse().ok().filter(|number: &f64| number.is_finite());
        match self.values {
            // Whole numbers are exact up to 2^53; the sign of zero means nothing.
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
fn within(range: [f64; 2], inclusive: [bool; 2], ends: [&str; 2]) -> String {
    let in_words = |end: usize| {
        let (plain, scientific) = (range[end].to_string(), format!("{:e}", range[end]));
        let is_long = plain.len() > 5 && scientific.len() < plain.len();
        let number = if is_long { scientific } else { plain };
        match ends[end] {
            "" => number,
            meaning => format!("{number} ({meaning})"),
        }
    };
    let [least, most] = [in_words(0), in_words(1)];
    match (inclusive, range[1].is_finite()) {
        ([true, _], false) => format!("of at least {least}"),
        ([false, _], false) => format!("above {least}"),
        ([true, _], true) => format!("from {least} to {most}"),
        ([false, true], true) => format!("above {least} and up to {most}"),
        ([false, false], true) => format!("above {least} and below {most}"),
    }
}

/// A width and a height.
pub(super) fn size(value: &str) -> Option<[u32; 2]> {
    let (width, height) = value.split_once('x')?;
    Some([width.parse().ok()?, height.parse().ok()?])
}
