//! The flush: changed metadata are also written to the disk at intervals, when it is idle (003-F3, D5).

use crate::time::Span;

/// Number of units that are read and written together.
pub(super) const TOGETHER: usize = 64;

/// Sectors that are read from the MEMS device and written to the disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub mems: u64,
    pub sector: u64,
    pub sectors: u64,
    /// Place in memory.
    pub at: u64,
}

/// Metadata to be flushed or being flushed.
#[derive(Clone, Debug, Default)]
pub(super) struct Flush {
    pub every: Option<Span>,
    pub is_timed: bool,
    /// Slots that have changed.
    pub changed: Vec<u32>,
    /// Slots of `changed` that this flush has still to write, in reverse order.
    pub rest: Vec<u32>,
    /// Ranges that are being read, each with one request.
    pub runs: Vec<Run>,
    /// Jobs that read or write. Each writes its data to the disk with one request, so that a request that waits for the
    /// range waits for one job only.
    pub jobs: u32,
    /// True if the flush waits until the store behind has dropped sectors.
    pub stalled: bool,
    /// True if the MEMS device has failed while newer data are on their way to the disk.
    pub outlives_mems: bool,
}

impl Flush {
    /// Ends the flush; data on their way to the disk still arrive.
    pub fn lose(&mut self) {
        self.changed.clear();
        self.rest.clear();
        self.stalled = false;
        self.outlives_mems = self.jobs > 0;
    }
}
