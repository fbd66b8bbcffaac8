//! Evidence on a recording: how far its requests and times can be believed.

/// The property of a recording on which a piece of evidence bears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    /// The clock that gave the times.
    Clock,
    /// Whether the recording holds all requests.
    Completeness,
    /// How numbers, times and columns are written.
    Notation,
    /// Which completion belongs to which request.
    Pairing,
    /// Whether units, rates and operations are likely.
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
