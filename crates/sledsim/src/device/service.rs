//! The service of a request: its phases, and the source of its data.

use crate::energy::ServiceEnergy;
use crate::time::{Span, Time};

/// Source or destination of the data of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// The medium.
    #[default]
    Medium = 0,
    /// The cache, which held all data.
    Cache = 1,
    /// Read-ahead, which was bringing the data.
    ReadAhead = 2,
    /// The cache for the first blocks, and the medium for the rest.
    CacheAndMedium = 3,
    /// The cache, in which the data of a write were when the write completed.
    WriteCache = 4,
}

impl Source {
    /// The names of the sources, by the numbers that records contain.
    pub const NAMES: [&'static str; 5] = ["medium", "cache", "read-ahead", "cache and medium", "write cache"];
}

/// The phases of the service of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Service {
    /// Command processing during which the device can serve no other request.
    pub command: Span,
    /// Wait until an earlier access to the medium was done, read-ahead had brought the blocks, or
    /// the device was awake.
    pub wait: Span,
    /// Time until the first row could be accessed: the larger of the times in x and y, and the wait
    /// for an idle sled to turn.
    pub positioning: Span,
    /// Seek in x; contained in `positioning`.
    pub seek_x: Span,
    /// Settling after the seek in x; contained in `positioning`.
    pub settle: Span,
    /// Seek in y without turnarounds; contained in `positioning`.
    pub seek_y: Span,
    /// Turnarounds before and after the seek in y; contained in `positioning`.
    pub turnaround: Span,
    /// Number of turnarounds.
    pub turnarounds: u16,
    /// Wait for the rotation of a disk; contained in `positioning`.
    pub rotation: Span,
    /// Wait for the data of a write to cross the bus.
    pub hold: Span,
    /// Track and cylinder switches between the rows of the request, or the closing of erase blocks.
    pub switching: Span,
    /// Number of track and cylinder switches.
    pub switches: u32,
    /// Time in which the rows pass under the tips.
    pub transfer: Span,
    /// Number of rows that pass under the tips.
    pub rows: u32,
    /// Number of tip sectors read or written; for each, one tip is on while a row passes.
    pub tip_sectors: u64,
    /// Direction in y in which the first row is accessed: +1 or -1.
    pub direction: i8,
    /// Time for the bus that remains after the medium is done and during which the device can serve
    /// no other request; also the extra time of a slow-down.
    pub bus: Span,
    /// Source of the data of a read, or destination of the data of a write.
    pub source: Source,
    /// Missing tip sectors that a code over tips has corrected.
    pub corrected_tip_sectors: u32,
    /// Number of blocks that lie under spare tips or at another place than the layout gives.
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

    /// Appends a later service of the same request; all of its phases but `hold`, `transfer` and
    /// `bus` count as switching.
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

    /// Appends to `whole` a service that begins when `whole` ends; without an earlier service, it
    /// begins at `now`.
    pub(crate) fn follow(whole: &mut Option<Self>, now: Time, next: impl FnOnce(Time) -> Self) {
        match whole {
            Some(whole) => whole.append(&next(now + whole.total())),
            None => *whole = Some(next(now)),
        }
    }
}
