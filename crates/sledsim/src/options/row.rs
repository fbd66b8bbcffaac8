//! Description of one option: its name, unit, default, permitted values and meaning.

use crate::error::in_few_digits;

/// Text that is part of the program, not given by a user.
type Text = &'static str;

/// The values that are permitted for an option.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// A finite number within a range.
    Number {
        /// The least and the greatest permitted number; infinite if there is no limit.
        range: [f64; 2],
        /// Two flags: true if the least number itself is permitted, and true if the greatest number itself is
        /// permitted.
        inclusive: [bool; 2],
    },
    /// A whole number from the least to the greatest number; both are permitted.
    Whole([u64; 2]),
    /// A name from a list of names.
    OneOf(&'static [Text]),
    /// A width and a height, such as `120x1200`.
    Size,
    /// Any other text, which the owner of the option interprets; the field describes valid texts.
    Text(Text),
}

/// An option of a policy, a volume or a workload.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// Name of the option.
    pub name: Text,
    /// Unit of the value, such as `ms`; empty if the value has no unit.
    pub unit: Text,
    /// Default value; empty if the option is required.
    pub default: Text,
    /// Values that are permitted for the option.
    pub values: Values,
    /// Special meanings of the least and of the greatest number, such as "no limit"; an empty text for a number
    /// without a special meaning.
    pub ends: [Text; 2],
    /// Word that is permitted besides the values, such as `auto`; empty if the option has no such word.
    pub or: Text,
    /// Meaning of the option, in one line.
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

    /// An option whose value is one name of a list; the first name is the default.
    #[must_use]
    pub const fn one_of(name: Text, names: &'static [Text], description: Text) -> Self {
        Self::new(name, names[0], Values::OneOf(names), description)
    }

    /// An option whose value is a width and a height.
    #[must_use]
    pub const fn size(name: Text, default: Text, description: Text) -> Self {
        Self::new(name, default, Values::Size, description)
    }

    /// An option whose value is text that its owner interprets; error messages say what was `expected`.
    #[must_use]
    pub const fn text(name: Text, default: Text, expected: Text, description: Text) -> Self {
        Self::new(name, default, Values::Text(expected), description)
    }

    /// Sets the unit of the option's value.
    #[must_use]
    pub const fn unit(self, unit: Text) -> Self {
        Self { unit, ..self }
    }

    /// Adds a word that is permitted besides the option's values.
    #[must_use]
    pub const fn or(self, or: Text) -> Self {
        Self { or, ..self }
    }

    /// Sets the default of the option.
    #[must_use]
    pub const fn default(self, default: Text) -> Self {
        Self { default, ..self }
    }

    /// Sets the meaning of the option.
    #[must_use]
    pub const fn description(self, description: Text) -> Self {
        Self { description, ..self }
    }

    /// Excludes the least number of the range from the permitted values.
    #[must_use]
    pub const fn above(self) -> Self {
        self.bounded([false, true])
    }

    /// Excludes the least and the most number of the range from the permitted values.
    #[must_use]
    pub const fn between(self) -> Self {
        self.bounded([false; 2])
    }

    const fn bounded(self, inclusive: [bool; 2]) -> Self {
        match self.values {
            Values::Number { range, .. } => Self { values: Values::Number { range, inclusive }, ..self },
            _ => panic!("only the range of an option of kind Number can exclude its ends"),
        }
    }

    /// Sets special meanings of the least and of the most number of the range.
    #[must_use]
    pub const fn ends(self, ends: [&'static str; 2]) -> Self {
        Self { ends, ..self }
    }

    /// Description of the permitted values with their unit, for error messages.
    #[must_use]
    pub fn expected(&self) -> String {
        if self.unit.is_empty() {
            return self.range();
        }
        format!("{} ({})", self.range(), self.unit)
    }

    /// Description of the permitted values without their unit.
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

    /// The shortest way to write a value, so that equal values read the same: `5` for `5.0`.
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

/// Describes the permitted range of a number in words. `inclusive` has a flag for the lower and for the upper
/// limit, true if the limit itself is permitted. `ends` has their special meanings.
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

/// Reads a width and a height from a text such as `120x1200`.
pub(super) fn size(value: &str) -> Option<[u32; 2]> {
    let (width, height) = value.split_once('x')?;
    Some([width.parse().ok()?, height.parse().ok()?])
}
