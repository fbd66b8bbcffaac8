//! The flush: copies of changed metadata are written to the disk at intervals, while the disk is idle (003-F3, D5).

use crate::time::Span;
use crate::volume::{Io, Job, Urgency};

/// Largest number of units of metadata that a flush reads and writes at a time.
pub(super) const TOGETHER: usize = 64;

/// Consecutive sectors of the disk that a flush copies from the MEMS device: first sectors on the two members, number
/// of sectors, and place in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub mems: u64,
    pub sector: u64,
    pub sectors: u64,
    /// Place of the data in the buffer of the flush, in sectors.
    pub at: u64,
}

/// State of the flush: the metadata that wait for a flush, and those that a flush is copying.
#[derive(Clone, Debug, Default)]
pub(super) struct Flush {
    pub every: Option<Span>,
    pub is_timed: bool,
    /// Slots on the MEMS device whose metadata have changed since their last flush began.
    pub changed: Vec<u32>,
    /// Slots that the current flush has not yet started to copy; the last one is copied next.
    pub rest: Vec<u32>,
    /// Runs that the flush is reading from the MEMS device now; adjacent runs are read with one part.
    pub runs: Vec<Run>,
    /// Number of jobs of the flush that are reading or writing. Each write to the disk is a job of its own, so that a
    /// request that overlaps it waits for this job alone.
    pub jobs: u32,
    /// True if the flush waits because older versions of sectors are still in flight from the store below to the disk.
    pub stalled: bool,
    /// Requests of the host for durable data that wait for this flush, and for the next.
    pub served: Vec<Job>,
    pub asked: Vec<Job>,
    /// True if the MEMS device failed during a flush, and the flush is still writing data to the disk.
    pub outlives_mems: bool,
}

impl Flush {
    /// True if nothing is to be done.
    pub fn is_over(&self) -> bool {
        self.jobs == 0 && self.rest.is_empty()
    }

    /// The urgency of the flush: that of the most urgent request that waits for it.
    pub fn urgency(&self, io: &Io) -> Urgency {
        let is_urgent = self.served.iter().any(|job| io.urgency(*job) == Urgency::Foreground);
        if is_urgent {
            Urgency::Foreground
        } else {
            Urgency::Background
        }
    }

    /// Ends the flush after a failure of the MEMS device. Parts in flight to the disk still complete.
    pub fn lose(&mut self) {
        self.changed.clear();
        self.rest.clear();
        self.stalled = false;
        self.outlives_mems = self.jobs > 0;
    }
}
