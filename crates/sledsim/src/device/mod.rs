//! Devices: how long a request takes, in which phases, at what energy.

mod approach;
mod build;
mod characteristics;
mod coordinates;
mod copies;
pub mod disk;
pub mod flash;
mod hops;
mod interface;
mod load;
pub mod mems;
mod own;
mod pass_on;
mod passages;
mod registry;
mod seeks;
mod service;
mod spec;

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
pub use coordinates::{Coordinates, Extent};
pub(crate) use copies::copies;
use dyn_clone::DynClone;
pub use hops::{Hop, Hops};
pub use interface::Interface;
pub use load::{load, load_builtin, load_disk, load_flash, load_mems, BUILTIN_DEVICES};
pub use mems::ErasingDevice;
pub use own::{register_device, MakeOwn, OwnKind};
pub(crate) use pass_on::pass_on;
pub use passages::{Passage, Passages, Passed};
pub use registry::KINDS;
pub use seeks::{Arrival, Departure, Seeks};
pub use service::{Service, Source};
pub use spec::DeviceSpec;

/// A mechanism that serves one request at a time.
///
/// Looking is `&self`, acting is `&mut self`: a scheduler, which is handed `&dyn Device`, can ask for a cost
/// but cannot move anything.
pub trait Device: DynClone + Send + Sync {
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

    /// The reach of coordinates: at least one place in each direction, also where it does not matter.
    fn extent(&self) -> Extent;

    /// The device as an index over places needs it, if its times are such that there can be one.
    fn approach(&self) -> Option<&dyn Approach> {
        None
    }

    /// The device as a queue by cylinder needs it, if its positioning grows with the distance in cylinders.
    fn seeks(&self) -> Option<&dyn Seeks> {
        None
    }

    /// Whether positioning depends on where a request is, and not only on whether it reads or writes.
    fn depends_on_place(&self) -> bool {
        true
    }

    /// How many waiting requests the device holds beside the one that it serves, if it holds its queue itself and cannot
    /// hold any number.
    fn queue_depth(&self) -> Option<usize> {
        None
    }

    /// Whether there may be a time at which it begins nothing although it is free.
    fn may_stall(&self) -> bool {
        false
    }

    /// From when on, at `now` or later, it begins a service if it is free.
    fn ready_from(&self, now: Time) -> Time {
        now
    }

    /// Takes in the command of a request at `now`; returns when it is processed and can be scheduled.
    fn accept(&mut self, now: Time, request: &Request) -> Time;

    /// The command of a request is processed at `now`, and it waits for its service: from now on the data of a write
    /// demand the bus, and the request says when they cross it.
    fn admit(&mut self, _now: Time, _request: &mut Request) {}

    /// Serves `request` from `now` on: positions, reads or writes.
    fn serve(&mut self, now: Time, request: &Request) -> Service;

    /// Keeps the request served last for so much longer than [`serve`](Self::serve) said, where it is and awake; returns
    /// what energy that takes. A device without power management need do nothing.
    fn go_on(&mut self, _request: &Request, _lasts: Span) -> ServiceEnergy {
        ServiceEnergy::default()
    }

    /// Serves `request` in the same way, and notes when its blocks reach the medium, if it is a write.
    fn serve_noting(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Service {
        let service = self.serve(now, request);
        passages.note_whole(now, request, &service);
        service
    }

    /// The medium is done with the request served last, at `now`; returns when the host has it.
    fn complete(&mut self, now: Time, request: &Request) -> Time;

    /// Of the time between the end of the medium and when [`complete`](Self::complete) says that the host has the request
    /// served last, how long the bus had data of other requests.
    fn waited_for_bus(&self, _request: &Request) -> Span {
        Span::ZERO
    }

    /// When the host will have the request in service, which the medium is done with at `end`, if nothing that may still
    /// come can change that.
    fn certain(&self, _end: Time, _request: &Request) -> Option<Time> {
        None
    }

    /// Where the mechanism is, or will be at the end of the present service: names, with units, and values.
    fn location(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// What [`location`](Self::location) gives at the lower ends of what the mechanism reaches, where that is not 0.
    fn lower_ends(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Where the mechanism is at `now`, if it has served nothing since the last service: it may move meanwhile.
    fn idle_location(&self, _now: Time) -> Vec<(&'static str, f64)> {
        self.location()
    }

    /// Parts and energy of the time after the last service, or after the beginning, if nothing is served for so long.
    fn idle(&self, lasts: Span) -> IdleTime;

    /// Figures that follow from the parameters, for the data sheet of a device of one's own: name and value. Those of
    /// built-in kinds have theirs in their own types.
    fn figures(&self) -> Vec<(String, Figure)> {
        Vec::new()
    }

    /// Counts for the summary of a run: name and value.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

dyn_clone::clone_trait_object!(Device);

/// Makes so many devices of the same parameters; what is the same in all of them is made once.
type MakeDevices = dyn Fn(&DeviceParams, u32) -> Result<Vec<Box<dyn Device>>> + Send + Sync;

/// What there is of a kind of devices besides its name.
#[derive(Clone, Copy)]
pub struct DeviceKind {
    /// What a file of it may hold.
    pub file: FileKind,
    /// What makes them.
    devices: &'static MakeDevices,
}

/// One kind of devices.
pub type DeviceRow = Row<DeviceKind>;
