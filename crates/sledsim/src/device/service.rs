//! The service of one request: its phases, and the source of its data.

use crate::energy::ServiceEnergy;
use crate::time::{Span, Time};

/// Source or destination of the data of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// The medium.
    #[default]
    Medium = 0,
    /// The cache held all data.
    Cache = 1,
    /// Read-ahead was bringing the data.
    ReadAhead = 2,
    /// The cache held the front, and the rest came from the medium.
    CacheAndMedium = 3,
    /// A write was complete with its data in the cache.
    WriteCache = 4,
}

impl Source {
    /// The names, by the numbers that records hold.
    pub const NAMES: [&'static str; 5] = ["medium", "cache", "read-ahead", "cache and medium", "write cache"];
}

/// The service of one request on the medium, in phases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Service {
    /// Command processing while nothing else can be served.
    pub command: Span,
    /// Wait until an earlier access to the medium was done, the read-ahead had brought the blocks, or the device was
    /// awake.
    pub wait: Span,
    /// Time until the first row could be accessed: the larger of x and y, and any wait for an idle sled to turn.
    pub positioning: Span,
    /// Seek in x, part of positioning.
    pub seek_x: Span,
    /// Settling after the seek in x, part of positioning.
    pub settle: Span,
    /// Seek in y, without turnarounds; part of positioning.
    pub seek_y: Span,
    /// Turnarounds before and after the seek in y; part of positioning.
    pub turnaround: Span,
    /// Number of turnarounds.
    pub turnarounds: u16,
    /// Waiting for the medium to turn, part of positioning.
    pub rotation: Span,
    /// Waiting for the data of a write to cross the bus.
    pub hold: Span,
    /// Track and cylinder switches between the rows of the request; closing erase blocks.
    pub switching: Span,
    /// Number of track and cylinder switches.
    pub switches: u32,
    /// Rows passing under the tips.
    pub transfer: Span,
    /// Number of rows that pass under the tips.
    pub rows: u32,
    /// Number of tip sectors read or written: each keeps one tip on while one row passes.
    pub tip_sectors: u64,
    /// Direction in y of the first row: +1 or -1.
    pub direction: i8,
    /// Time for the bus that remains after the medium was done, while nothing else can be served; includes the extra
    /// time of a slow-down.
    pub bus: Span,
    /// Source or destination of the data.
    pub source: Source,
    /// Missing tip sectors that a code over tips has corrected.
    pub corrected_tip_sectors: u32,
    /// Number of blocks that lie under spare tips, or elsewhere than at the place of their number.
    pub remapped_blocks: u32,
    /// Number of blocks that could not be read or written.
    pub lost_blocks: u32,
    /// Energy of the service.
    pub energy: ServiceEnergy,
}

impl Service {
    /// Time from the start of service until the next request can be served.
    #[must_use]
    pub fn total(&self) -> Span {
        self.command + self.wait + self.positioning + self.hold + self.switching + self.transfer + self.bus
    }

    /// Appends a later part of a service, all of which lies between the first row and the last.
    pub(crate) fn append(&mut self, next: &Self) {
        self.switching += next.command + next.wait + next.positioning + next.switching;
        self.switches += next.switches + 1;
        self.hold += next.hold;
        self.transfer += next.transfer;
        self.rows += next.rows;
        self.tip_sectors += next.tip_sectors;
        self.bus += next.bus;
        self.energy += next.energy;
    }

    /// Adds to the `whole` a service that begins once all before are done; the first begins at `now`.
    pub(crate) fn follow(whole: &mut Option<Self>, now: Time, next: impl FnOnce(Time) -> Self) {
        match whole {
            Some(whole) => whole.append(&next(now + whole.total())),
            None => *whole = Some(next(now)),
        }
    }
}
