//! Evidence on a recording: how far its requests and times can be believed.

/// The property of a recording on which a piece of evidence bears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    /// The clock that gave the times.
    Clock,
    /// The completeness of the recording: whether it holds all requests.
    Completeness,
    /// The notation of numbers, times and columns.
    Notation,
    /// The pairing of completions with requests.
    Pairing,
    /// The plausibility of units, rates and operations.
    Plausibility,
}

impl Aspect {
    /// The name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["clock", "completeness", "notation", "pairing", "plausibility"][self as usize]
    }
}

/// A finding on a recording, made while it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The property on which it bears.
    pub aspect: Aspect,
    /// True if results of the recording may be wrong; false for a remark on how it was read.
    pub is_doubtful: bool,
    /// The finding as a sentence without a full stop.
    pub text: String,
}

impl Evidence {
    pub(super) fn remark(aspect: Aspect, text: impl Into<String>) -> Self {
        Self { aspect, is_doubtful: false, text: text.into() }
    }

    pub(super) fn doubt(aspect: Aspect, text: impl Into<String>) -> Self {
        Self { aspect, is_doubtful: true, text: text.into() }
    }
}
