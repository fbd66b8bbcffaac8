//! A flush of a write buffer.

use crate::volume::Job;

/// A flush that waits for batches on their way to the log.
#[derive(Clone, Copy)]
pub(super) struct Flush {
    /// The job that ends with the flush.
    pub job: Job,
    /// Position in the log of the last batch that the flush waits for.
    pub last: u64,
}
