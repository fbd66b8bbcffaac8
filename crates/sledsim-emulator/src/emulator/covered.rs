//! The writes that a flush covers.

/// The writes that were answered when a flush was submitted.
#[derive(Clone, Copy, Default)]
pub(super) struct Covered {
    /// Number of the first write to the contents that the flush does not cover.
    pub below: u64,
    /// Number of answers to writes in the history.
    pub answers: u64,
}
