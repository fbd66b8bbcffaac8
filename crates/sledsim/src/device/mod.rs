//! Devices: how long a request takes, in which phases, at what energy.

mod approach;
mod build;
mod characteristics;
pub mod disk;
pub mod flash;
mod interface;
mod load;
pub mod mems;
mod pass_on;
mod registry;

use crate::energy::{IdleTime, ServiceEnergy};
use crate::error::Result;
use crate::media::SECTOR_BYTES;
use crate::params::{DeviceParams, FileKind};
use crate::request::Request;
use crate::table::Row;
use crate::time::{Span, Time};
pub use approach::{Approach, Begin, HeadPosition, XBounds};
pub use build::build;
pub use characteristics::Figure;
pub use interface::Interface;
pub use load::{load, load_builtin, load_disk, load_flash, load_mems, DeviceSpec, BUILTIN_DEVICES};
pub use mems::ErasingDevice;
pub(crate) use pass_on::pass_on;
pub use registry::KINDS;

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
    /// Time for the bus that remains after the medium was done, while nothing else can be served.
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

/// Where a block lies, in the units in which policies reckon distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// Bit column in x: the same on all sleds that move as one.
    pub cylinder: u32,
    /// Track, counted over the whole device: cylinder by cylinder, and one sled after the other.
    pub track: u64,
    /// The middle of its row, in bits from the lower end of the region in y.
    pub y_bits: u32,
}

/// How far coordinates reach on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Bit columns in x.
    pub cylinders: u32,
    /// Bits of a region in y.
    pub y_bits: u32,
}

/// A mechanism that serves one request at a time.
///
/// Looking is `&self`, acting is `&mut self`: a scheduler, which is handed `&dyn Device`, can ask for a cost
/// but cannot move anything.
pub trait Device: Send {
    /// Logical blocks on the device.
    fn blocks(&self) -> u64;

    /// Bytes in a logical block.
    fn block_bytes(&self) -> u64;

    /// Whole sectors of 512 bytes on the device.
    fn sectors(&self) -> u64 {
        self.blocks() * self.block_bytes() / SECTOR_BYTES
    }

    /// A run begins at `now`: what was before does not count.
    fn begin(&mut self, now: Time);

    /// How long it would take until the first row of `request` could be accessed if its service started at
    /// `now`: positioning, and waiting for the data of a write.
    fn positioning(&self, now: Time, request: &Request) -> Span;

    /// Positioning as a driver sees it that knows nothing of the overheads of the device.
    fn positioning_without_overheads(&self, now: Time, request: &Request) -> Span {
        self.positioning(now, request)
    }

    /// How long it would take until the medium was done with `request` if its service started at `now`:
    /// positioning and transfer, with all that comes between.
    fn access(&self, now: Time, request: &Request) -> Span;

    /// How far the medium would have to move in a straight line to the nearer end of the first row of `request`,
    /// whichever way the row may be accessed, in metres.
    fn distance_m(&self, now: Time, request: &Request) -> f64;

    /// Where a block lies; of blocks that move during a run, where they are counted, for policies keep queues by it.
    fn coordinates(&self, lbn: u64) -> Coordinates;

    /// How far coordinates reach.
    fn extent(&self) -> Extent;

    /// The device as an index over places needs it, if its times are such that there can be one.
    fn approach(&self) -> Option<&dyn Approach> {
        None
    }

    /// How many waiting requests the device holds beside the one that it serves, if it holds its queue itself and cannot
    /// hold any number.
    fn queue_depth(&self) -> Option<usize> {
        None
    }

    /// Takes in the command of a request at `now`; returns when it is processed and can be scheduled.
    fn accept(&mut self, now: Time, request: &Request) -> Time;

    /// The command of a request is processed at `now`, and it waits for its service: from now on the data of a write
    /// demand the bus, and the request says when they cross it.
    fn admit(&mut self, _now: Time, _request: &mut Request) {}

    /// Serves `request` from `now` on: positions, reads or writes.
    fn serve(&mut self, now: Time, request: &Request) -> Service;

    /// The medium is done with the request served last, at `now`; returns when the host has it.
    fn complete(&mut self, now: Time, request: &Request) -> Time;

    /// Parts and energy of the time after the last service, or after the beginning, if nothing is served for so long.
    fn idle(&self, lasts: Span) -> IdleTime;

    /// Counts for the summary of a run: name and value.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

/// Makes so many devices of the same parameters; what is the same in all of them is made once.
type MakeDevices = fn(&DeviceParams, u32) -> Result<Vec<Box<dyn Device>>>;

/// What there is of a kind of devices besides its name.
#[derive(Clone, Copy)]
pub struct DeviceKind {
    /// What a file of it may hold.
    pub file: FileKind,
    /// What makes them.
    devices: MakeDevices,
}

/// One kind of devices.
pub type DeviceRow = Row<DeviceKind>;

/// So many devices in the state of one.
fn copies<D: Device + Clone + 'static>(device: &D, count: u32) -> Vec<Box<dyn Device>> {
    (0..count).map(|_| Box::new(device.clone()) as Box<dyn Device>).collect()
}
