//! The service of a request: its phases, and the source of its data.

use crate::energy::ServiceEnergy;
use crate::time::{Span, Time};

/// Source of the data of a read, or destination of the data of a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// The medium alone.
    #[default]
    Medium = 0,
    /// The cache, which held all blocks of a read.
    Cache = 1,
    /// Read-ahead in progress, which was reading the blocks of a read into the cache.
    ReadAhead = 2,
    /// The cache for the first blocks of a read, and the medium for the other blocks.
    CacheAndMedium = 3,
    /// The cache, for a write that completed before its data were on the medium.
    WriteCache = 4,
}

impl Source {
    /// The names of the sources. The index of a name is the number by which records store the source.
    pub const NAMES: [&'static str; 5] = ["medium", "cache", "read-ahead", "cache and medium", "write cache"];
}

/// The phases of the service of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Service {
    /// Time to process the command, if the device can serve no other request meanwhile.
    pub command: Span,
    /// Wait for the end of an earlier access to the medium, for read-ahead to bring the blocks, or for the
    /// device to wake up.
    pub wait: Span,
    /// Time until the first row could be accessed: the larger of the times in x and in y, after a turn of
    /// an idle sled in progress has ended.
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
    /// Time for which a write waited until its data had crossed the bus.
    pub hold: Span,
    /// Time of track and cylinder switches between the rows of a request; on flash, time to close erase blocks.
    pub switching: Span,
    /// Number of track and cylinder switches.
    pub switches: u32,
    /// Time in which the rows pass under the tips.
    pub transfer: Span,
    /// Number of rows that pass under the tips.
    pub rows: u32,
    /// Number of tip sectors read or written. One tip draws power for each of them while the row passes.
    pub tip_sectors: u64,
    /// Direction in y in which the first row is accessed: +1 or -1.
    pub direction: i8,
    /// Time on the bus after the last access to the medium, if the device can serve no other request
    /// meanwhile; also the time by which an episode of slow service lengthens the service.
    pub bus: Span,
    /// Source of the data of a read, or destination of the data of a write.
    pub source: Source,
    /// Number of unreadable tip sectors that error correction across tips has restored.
    pub corrected_tip_sectors: u32,
    /// Number of blocks that lie under spare tips, or at another place than the layout gives them.
    pub remapped_blocks: u32,
    /// Number of blocks that could not be read or written.
    pub lost_blocks: u32,
    /// Energy of the service.
    pub energy: ServiceEnergy,
}

impl Service {
    /// Time from the start of the service until the device can serve the next request.
    #[must_use]
    pub fn total(&self) -> Span {
        self.command + self.wait + self.positioning + self.hold + self.switching + self.transfer + self.bus
    }

    /// Appends a later access of the same request. Its hold, transfer and bus time are added to the same
    /// phases; all of its other phases are added to the switching time.
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

    /// Appends an access to the service `whole`: the access begins when `whole` ends. Without a service in
    /// `whole`, the access begins at `now` and becomes the service.
    pub(crate) fn follow(whole: &mut Option<Self>, now: Time, next: impl FnOnce(Time) -> Self) {
        match whole {
            Some(whole) => whole.append(&next(now + whole.total())),
            None => *whole = Some(next(now)),
        }
    }
}
