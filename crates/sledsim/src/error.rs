//! Errors that a user can cause, with messages that say how to correct the input.

use thiserror::Error;

/// Largest number of characters that an error message shows of the value it complains about.
const FOUND_CHARS: usize = 200;

/// The result of a function that may fail because of the user's input.
pub type Result<T> = std::result::Result<T, Error>;

/// An error in the user's input; never a bug of the program.
#[derive(Debug, Error)]
pub enum Error {
    /// A parameter, a name or an option is wrong.
    #[error("{0}")]
    Parameter(String),
    /// A name is unknown among the names of its kind.
    #[error("{0}")]
    UnknownName(String),
    /// A trace or workload cannot be used; the message has the file, the place there, and what was expected and found.
    #[error("{0}")]
    Trace(String),
    /// A file is not a trace in a known format.
    #[error("{0}")]
    NotATrace(String),
    /// A request extends beyond the end of the device, and no rule for such requests was given.
    #[error("{0}")]
    PastEnd(String),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Path of the file, as the user gave it.
        path: String,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The caller has stopped the work, for instance by Ctrl-C.
    #[error("interrupted")]
    Interrupted,
    /// An error at a place, which is a file, a member of a volume, or a key.
    #[error("{place}{mark}: {error}")]
    At {
        /// Name of the place.
        place: String,
        /// Text that messages put after the name of the place: line and column for a file (`:3:1`), the value
        /// for a key (` = 5`), or nothing.
        mark: String,
        /// The error at this place.
        error: Box<Error>,
    },
}

impl Error {
    /// Adds the place `place` to the error, unless the error already has this place. Errors of the operating
    /// system get no place, because their message contains the path of the file.
    #[must_use]
    pub fn at(self, place: impl Into<String>) -> Self {
        let place = place.into();
        match &self {
            Self::Io { .. } | Self::Interrupted => self,
            Self::At { place: own, .. } if *own == place => self,
            _ => self.marked(place, ""),
        }
    }

    /// Adds the place `place` to the error. `mark` is a text that follows the place in messages, such as the
    /// value of a key or the line in a file.
    #[must_use]
    pub(crate) fn marked(self, place: impl Into<String>, mark: impl Into<String>) -> Self {
        Self::At { place: place.into(), mark: mark.into(), error: Box::new(self) }
    }

    /// The error without its places. The variant of the returned error is the kind of the error.
    #[must_use]
    pub fn cause(&self) -> &Self {
        match self {
            Self::At { error, .. } => error.cause(),
            error => error,
        }
    }

    /// The names of the places of the error, from the outermost to the innermost.
    #[must_use]
    pub fn places(&self) -> Vec<&str> {
        std::iter::successors(Some(self), |error| match error {
            Self::At { error, .. } => Some(error.as_ref()),
            _ => None,
        })
        .filter_map(|error| match error {
            Self::At { place, .. } => Some(place.as_str()),
            _ => None,
        })
        .collect()
    }
}

/// Returns an error about a parameter, a name or an option, with the message `text`.
///
/// # Errors
/// The function always returns an error.
pub(crate) fn fault<T>(text: String) -> Result<T> {
    Err(Error::Parameter(text))
}

/// Returns an error about the value of the key `key`, with the message `text`.
///
/// # Errors
/// The function always returns an error.
pub(crate) fn fault_of<T>(key: &str, text: String) -> Result<T> {
    Err(Error::Parameter(text).at(key))
}

/// Returns an error from the calling function if the condition is false. The arguments after the condition are
/// the error itself, or the format of the message of an error about a parameter.
macro_rules! ensure {
    ($condition:expr, $text:literal $(, $value:expr)* $(,)?) => {
        if $condition {
        } else {
            return $crate::error::fault(format!($text $(, $value)*));
        }
    };
    ($condition:expr, $error:expr $(,)?) => {
        if $condition {
        } else {
            return Err($error);
        }
    };
}

pub(crate) use ensure;

/// The error for an unknown `name` among the names `known` of a kind; the message gives the nearest known
/// name and all known names.
#[must_use]
pub fn unknown_name<'a>(kind: &str, name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Error {
    let all: Vec<&str> = known.clone().into_iter().collect();
    let hint = match nearest(name, known) {
        Some(near) => format!("did you mean {near:?}? "),
        None => String::new(),
    };
    Error::UnknownName(format!("unknown {kind} {name:?}: {hint}known: {}", all.join(", ")))
}

/// The known name that is most similar to `name`; `None` if none is similar enough.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = normalise(name);
    known
        .into_iter()
        .filter_map(|candidate| {
            let other = normalise(candidate);
            // A known name of more than twice the length, or less than half, is not similar; a given name may
            // be a megabyte long.
            let is_about_as_long = name.len() <= 2 * other.len() && other.len() <= 2 * name.len();
            is_about_as_long.then(|| (strsim::normalized_damerau_levenshtein(&name, &other), candidate))
        })
        .filter(|(likeness, _)| *likeness >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// Changes a name to lower case without hyphens, underscores and dots, so that names can be compared:
/// `C-LOOK_LBN` becomes `clooklbn`.
#[must_use]
pub fn normalise(name: &str) -> String {
    name.trim()
        .chars()
        .filter(|sign| !matches!(sign, '-' | '_' | '.'))
        .map(|sign| sign.to_ascii_lowercase())
        .collect()
}

/// Formats a number. A very small or very large number is written with an exponent, such as `1e-300`, because
/// it would have hundreds of zeros otherwise.
#[must_use]
pub fn in_few_digits(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-9..1e16).contains(&size) {
        return value.to_string();
    }
    format!("{value:e}")
}

/// Formats a value for an error message; the text is cut after 200 characters.
#[must_use]
pub fn in_short(value: &impl std::fmt::Display) -> String {
    let text = value.to_string();
    match text.char_indices().nth(FOUND_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        let error = unknown_name("scheduler", "stpf", ["fcfs", "sptf"]).to_string();
        assert_eq!(error, "unknown scheduler \"stpf\": did you mean \"sptf\"? known: fcfs, sptf");
    }

    #[test]
    fn a_name_is_compared_without_what_people_put_between_its_parts_alone() {
        assert_eq!(normalise(" C-LOOK_LBN.x"), "clooklbnx");
        for other in ["fcfs'", "f c f s", "fcfs漢", "sptf!!"] {
            assert_eq!(normalise(other), other);
        }
    }

    #[test]
    fn an_error_names_places_from_the_outside_in() {
        let error = Error::PastEnd("it ends".into()).marked("row", " = 3").at("a.trace").at("a.trace");
        assert_eq!(error.to_string(), "a.trace: row = 3: it ends");
        assert_eq!(error.places(), ["a.trace", "row"]);
        assert!(matches!(error.cause(), Error::PastEnd(_)));
        assert!(matches!(Error::Interrupted.at("a.trace"), Error::Interrupted));
    }

    #[test]
    fn a_name_is_near_where_half_of_it_is_there() {
        assert_eq!(nearest("ab", ["abcd", "abcde"]), Some("abcd"));
        assert_eq!(nearest("abcd", ["ab", "a"]), Some("ab"));
        assert_eq!(nearest("ab", ["abcde"]), None);
        assert_eq!(nearest("abc", ["a"]), None);
        // A comparison of all pairs of letters would take a minute.
        let long = "k".repeat(1 << 20);
        assert_eq!(nearest(&long, std::iter::repeat_n("kind", 100)), None);
    }

    #[test]
    fn a_long_value_is_cut() {
        assert_eq!(in_short(&"e".repeat(200)), "e".repeat(200));
        assert_eq!(in_short(&"e\u{301}".repeat(200)), "e\u{301}".repeat(100) + "...");
    }

    #[test]
    fn a_name_like_nothing_gets_no_hint() {
        assert_eq!(nearest("zzzzzz", ["fcfs", "sptf"]), None);
    }
}
