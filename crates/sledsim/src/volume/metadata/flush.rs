//! The flush: now and then changed metadata also go to the disk, when it is idle (003-F3, D5).

use crate::time::Span;

/// Units that are read and written at once.
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

/// Metadata that are to be flushed or are being flushed.
#[derive(Clone, Debug, Default)]
pub(super) struct Flush {
    pub every: Option<Span>,
    pub is_timed: bool,
    /// Slots that have changed.
    pub changed: Vec<u32>,
    /// Slots of `changed` that this flush has still to write, in reverse order.
    pub rest: Vec<u32>,
    /// Ranges that are being read, each at once.
    pub runs: Vec<Run>,
    /// Jobs that read or write: each writes what goes to the disk as one, so that a request that waits for its range
    /// waits for that only.
    pub jobs: u32,
    /// Whether it waits for the store behind to forget.
    pub stalled: bool,
    /// Whether the MEMS device has failed, and something is on its way to the disk that is newer than what is there.
    pub outlives_mems: bool,
}

impl Flush {
    /// Nothing is to be flushed any more; what is on its way to the disk arrives.
    pub fn lose(&mut self) {
        self.changed.clear();
        self.rest.clear();
        self.stalled = false;
        self.outlives_mems = self.jobs > 0;
    }
}
