//! Errors that a user can cause, with messages that say how to fix them.

use thiserror::Error;

/// Number of characters of a found value in messages.
const FOUND_CHARS: usize = 200;

/// The result of functions that read a user's input.
pub type Result<T> = std::result::Result<T, Error>;

/// A fault in the user's input, never a bug of the program.
#[derive(Debug, Error)]
pub enum Error {
    /// A parameter, a name or an option is wrong.
    #[error("{0}")]
    Parameter(String),
    /// A name that does not exist for its kind.
    #[error("{0}")]
    UnknownName(String),
    /// An unusable trace or workload: file, place, expected and found.
    #[error("{0}")]
    Trace(String),
    /// A file that is no trace in a known format.
    #[error("{0}")]
    NotATrace(String),
    /// A request past the end of the device, without a rule for such requests.
    #[error("{0}")]
    PastEnd(String),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file as the user named it.
        path: String,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// A stop at the caller's request (for instance by Ctrl-C).
    #[error("interrupted")]
    Interrupted,
    /// An error about a place: a file, a member of a volume, a key.
    #[error("{place}{mark}: {error}")]
    At {
        /// The name of the place.
        place: String,
        /// Line and column behind the name of a file (`:3:1`), the value behind a key (` = 5`), or nothing.
        mark: String,
        /// The error at that place.
        error: Box<Error>,
    },
}

impl Error {
    /// Adds a place to the error, once; errors of the operating system name their file already.
    #[must_use]
    pub fn at(self, place: impl Into<String>) -> Self {
        let place = place.into();
        match &self {
            Self::Io { .. } | Self::Interrupted => self,
            Self::At { place: own, .. } if *own == place => self,
            _ => self.marked(place, ""),
        }
    }

    /// The error at a place with a mark, such as the value of a key or a line of a file.
    #[must_use]
    pub(crate) fn marked(self, place: impl Into<String>, mark: impl Into<String>) -> Self {
        Self::At { place: place.into(), mark: mark.into(), error: Box::new(self) }
    }

    /// The error without its places, which determines its kind.
    #[must_use]
    pub fn cause(&self) -> &Self {
        match self {
            Self::At { error, .. } => error.cause(),
            error => error,
        }
    }

    /// The places in the error, from the outside in.
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

/// Returns an error about a parameter, a name or an option.
///
/// # Errors
/// Always.
pub(crate) fn fault<T>(text: String) -> Result<T> {
    Err(Error::Parameter(text))
}

/// Returns an error about the value of a key.
///
/// # Errors
/// Always.
pub(crate) fn fault_of<T>(key: &str, text: String) -> Result<T> {
    Err(Error::Parameter(text).at(key))
}

/// Returns from a function with an error unless a condition holds: the error itself, or the text of a parameter
/// error.
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

/// The error for an unknown name of a kind, with the most similar known names.
#[must_use]
pub fn unknown_name<'a>(kind: &str, name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Error {
    let all: Vec<&str> = known.clone().into_iter().collect();
    let hint = match nearest(name, known) {
        Some(near) => format!("did you mean {near:?}? "),
        None => String::new(),
    };
    Error::UnknownName(format!("unknown {kind} {name:?}: {hint}known: {}", all.join(", ")))
}

/// The known name most similar to `name`, if any is similar.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = normalise(name);
    known
        .into_iter()
        .filter_map(|candidate| {
            let other = normalise(candidate);
            // A name more than twice as long is not similar, and may be a megabyte long.
            let is_about_as_long = name.len() <= 2 * other.len() && other.len() <= 2 * name.len();
            is_about_as_long.then(|| (strsim::normalized_damerau_levenshtein(&name, &other), candidate))
        })
        .filter(|(likeness, _)| *likeness >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// Names are compared without case, hyphens, underscores and dots: `C-LOOK_LBN` is `clook_lbn`.
#[must_use]
pub fn normalise(name: &str) -> String {
    name.trim()
        .chars()
        .filter(|sign| !matches!(sign, '-' | '_' | '.'))
        .map(|sign| sign.to_ascii_lowercase())
        .collect()
}

/// A number in few digits, such as `1e-300`, which otherwise has hundreds of zeros.
#[must_use]
pub fn in_few_digits(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-9..1e16).contains(&size) {
        return value.to_string();
    }
    format!("{value:e}")
}

/// A found value, cut if it is long.
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
        // A comparison letter by letter would take a minute.
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
