//! The service of one request: its phases, and where its data come from.

use crate::energy::ServiceEnergy;
use crate::time::{Span, Time};

/// Source or destination of the data of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// The medium.
    #[default]
    Medium = 0,
    /// All was in the cache.
    Cache = 1,
    /// It was being read ahead.
    ReadAhead = 2,
    /// The front was in the cache, the rest came from the medium.
    CacheAndMedium = 3,
    /// A write was complete with its data in the cache.
    WriteCache = 4,
}

impl Source {
    /// The names, by the numbers that stand in records.
    pub const NAMES: [&'static str; 5] = ["medium", "cache", "read-ahead", "cache and medium", "write cache"];
}

/// The service of one request on the medium, in phases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Service {
    /// Command processing while nothing else can be served.
    pub command: Span,
    /// Wait until an earlier access to the medium was done, blocks read ahead were there, or the device was awake.
    pub wait: Span,
    /// Time until the first row could be accessed: the larger of x and y, and any wait for an idle sled to turn.
    pub positioning: Span,
    /// Seek in x, part of positioning.
    pub seek_x: Span,
    /// Settling after it, part of positioning.
    pub settle: Span,
    /// Seek in y, without turnarounds; part of positioning.
    pub seek_y: Span,
    /// Turnarounds before and after it; part of positioning.
    pub turnaround: Span,
    /// How many those were.
    pub turnarounds: u16,
    /// Waiting for the medium to turn there, part of positioning.
    pub rotation: Span,
    /// Waiting for the data of a write to cross the bus.
    pub hold: Span,
    /// Track and cylinder switches between the rows of the request; closing erase blocks.
    pub switching: Span,
    /// How many there were.
    pub switches: u32,
    /// Rows passing under the tips.
    pub transfer: Span,
    /// How many rows.
    pub rows: u32,
    /// Tip sectors read or written: each keeps one tip on while one row passes.
    pub tip_sectors: u64,
    /// Direction in y of the first row: +1 or -1.
    pub direction: i8,
    /// Time for the bus that remains after the medium was done, while nothing else can be served; what a slow-down adds.
    pub bus: Span,
    /// Source or destination of its data.
    pub source: Source,
    /// Missing tip sectors that a code over tips has made up for.
    pub corrected_tip_sectors: u32,
    /// Blocks that lie under spare tips, or elsewhere than they are counted.
    pub remapped_blocks: u32,
    /// Blocks that could not be read or written.
    pub lost_blocks: u32,
    /// Energy of all this.
    pub energy: ServiceEnergy,
}

impl Service {
    /// From the start of service until the next request can be served.
    #[must_use]
    pub fn total(&self) -> Span {
        self.command + self.wait + self.positioning + self.hold + self.switching + self.transfer + self.bus
    }

    /// Adds what follows in a service: all of it lies between the first row and the last.
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

    /// Adds a service that begins once all before are done to the `whole`; the first begins `now`.
    pub(crate) fn follow(whole: &mut Option<Self>, now: Time, next: impl FnOnce(Time) -> Self) {
        match whole {
            Some(whole) => whole.append(&next(now + whole.total())),
            None => *whole = Some(next(now)),
        }
    }
}
