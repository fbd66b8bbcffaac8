//! The flush: copies of changed metadata are written to the disk at intervals, while the disk is idle (003-F3, D5).

use crate::time::Span;

/// Largest number of units that a flush reads and writes together.
pub(super) const TOGETHER: usize = 64;

/// Consecutive sectors that a flush reads from the MEMS device and writes to the disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub mems: u64,
    pub sector: u64,
    pub sectors: u64,
    /// First sector of the data in the buffer of the flush.
    pub at: u64,
}

/// State of the flush: metadata that wait for a flush, or that a flush is copying.
#[derive(Clone, Debug, Default)]
pub(super) struct Flush {
    pub every: Option<Span>,
    pub is_timed: bool,
    /// Slots on the MEMS device whose metadata have changed since they were last flushed.
    pub changed: Vec<u32>,
    /// Slots that the present flush has still to copy, in reverse order.
    pub rest: Vec<u32>,
    /// Runs that the flush is reading from the MEMS device, each with one request.
    pub runs: Vec<Run>,
    /// Number of jobs of the flush that read or write. Each job writes to the disk with one request, so that
    /// a request of the host to these sectors waits for one job only.
    pub jobs: u32,
    /// True if the flush waits until the store below has stopped writing forgotten sectors.
    pub stalled: bool,
    /// True if the MEMS device has failed while a flush was writing newer data to the disk.
    pub outlives_mems: bool,
}

impl Flush {
    /// Ends the flush after a failure of the MEMS device; data in flight to the disk still arrive.
    pub fn lose(&mut self) {
        self.changed.clear();
        self.rest.clear();
        self.stalled = false;
        self.outlives_mems = self.jobs > 0;
    }
}
