//! A flush of the cache.

use std::collections::BTreeSet;

use crate::volume::Job;

/// A flush that waits for write-backs.
#[derive(Clone)]
pub(super) struct Flush {
    /// The job that ends with the flush.
    pub job: Job,
    /// Numbers of the lines with sectors that no write-back has taken yet.
    pub lines: BTreeSet<u64>,
    /// Write-backs in flight that the flush waits for.
    pub backs: Vec<Job>,
}
