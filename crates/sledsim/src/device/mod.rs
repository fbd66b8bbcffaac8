//! Devices: the duration, phases and energy of each request.

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
/// Queries take `&self` and actions take `&mut self`: a scheduler receives `&dyn Device`, so it can
/// ask for costs but cannot move anything.
pub trait Device: DynClone + Send + Sync {
    /// Number of logical blocks on the device.
    fn blocks(&self) -> u64;

    /// Number of bytes in a logical block.
    fn block_bytes(&self) -> u64;

    /// Number of whole sectors of 512 bytes on the device.
    fn sectors(&self) -> u64 {
        self.blocks() * self.block_bytes() / SECTOR_BYTES
    }

    /// Begins a run of the simulation at `now`; earlier events do not count.
    fn begin(&mut self, now: Time);

    /// Time until the first row of `request` could be accessed if its service started at `now`:
    /// positioning, and the wait for the data of a write.
    fn positioning(&self, now: Time, request: &Request) -> Span;

    /// Positioning time as computed by a driver that does not know the overheads of the device.
    fn positioning_without_overheads(&self, now: Time, request: &Request) -> Span {
        self.positioning(now, request)
    }

    /// Time until the medium would be done with `request` if its service started at `now`:
    /// positioning and transfer, including all waits and switches between them.
    fn access(&self, now: Time, request: &Request) -> Span;

    /// Straight distance in metres from the current place of the medium to the nearer end of the
    /// first row of `request`, for both directions of access.
    fn distance_m(&self, now: Time, request: &Request) -> f64;

    /// Coordinates of block `lbn`. A block that moves during a run keeps the coordinates that
    /// belong to its number, because policies sort their queues by coordinates.
    fn coordinates(&self, lbn: u64) -> Coordinates;

    /// Ranges of the coordinates: at least one place in each direction, even in a direction that
    /// has no effect.
    fn extent(&self) -> Extent;

    /// The interface for schedulers with an index over places; None if the times of the device do
    /// not allow an index.
    fn approach(&self) -> Option<&dyn Approach> {
        None
    }

    /// The interface for a queue that is sorted by cylinder; None unless positioning grows with the
    /// distance in cylinders.
    fn seeks(&self) -> Option<&dyn Seeks> {
        None
    }

    /// True if positioning depends on the place of a request as well as on its operation.
    fn depends_on_place(&self) -> bool {
        true
    }

    /// Maximum number of waiting requests that the device holds in addition to the one in service;
    /// None unless the queue is inside the device and limited.
    fn queue_depth(&self) -> Option<usize> {
        None
    }

    /// True if the device may delay the start of a service although it is free.
    fn may_stall(&self) -> bool {
        false
    }

    /// Earliest time, at `now` or later, at which a free device can start a service.
    fn ready_from(&self, now: Time) -> Time {
        now
    }

    /// Accepts the command of a request at `now`; returns the time at which it is processed, so
    /// that the request can be scheduled.
    fn accept(&mut self, now: Time, request: &Request) -> Time;

    /// Admits a request at `now`, when its command is processed. From then on the data of a write
    /// wait for the bus, and `request` receives the times at which they cross it.
    fn admit(&mut self, _now: Time, _request: &mut Request) {}

    /// Serves `request` from `now` on: positions, and reads or writes.
    fn serve(&mut self, now: Time, request: &Request) -> Service;

    /// Extends the last service of [`serve`](Self::serve) by `lasts`; the device stays in place and
    /// awake. Returns the energy of the extension. A device without power management need not
    /// change anything.
    fn go_on(&mut self, _request: &Request, _lasts: Span) -> ServiceEnergy {
        ServiceEnergy::default()
    }

    /// Serves `request` as [`serve`](Self::serve) does, and records in `passages` when the blocks
    /// of a write reach the medium.
    fn serve_noting(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Service {
        let service = self.serve(now, request);
        passages.note_whole(now, request, &service);
        service
    }

    /// Ends the request that was served last; the medium is done at `now`. Returns the time at
    /// which the host has the data.
    fn complete(&mut self, now: Time, request: &Request) -> Time;

    /// Time for which data of other requests kept the bus while the request served last waited for
    /// it: between the end of its access to the medium and the time that
    /// [`complete`](Self::complete) returned.
    fn waited_for_bus(&self, _request: &Request) -> Span {
        Span::ZERO
    }

    /// Time at which the host will have the data of the request in service, whose access to the
    /// medium ends at `end`; None if a later event can change this time.
    fn certain(&self, _end: Time, _request: &Request) -> Option<Time> {
        None
    }

    /// Place of the mechanism now or at the end of the current service: names with units, and
    /// values.
    fn location(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Values of [`location`](Self::location) at the lower ends of the mechanism's reach; empty if
    /// all are 0.
    fn lower_ends(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Place of the mechanism at `now`, if it has been idle since the last service; an idle
    /// mechanism may move.
    fn idle_location(&self, _now: Time) -> Vec<(&'static str, f64)> {
        self.location()
    }

    /// Phases and energy of an idle time of length `lasts` after the last service or after the
    /// start.
    fn idle(&self, lasts: Span) -> IdleTime;

    /// Name and value of figures for the data sheet of a custom device. Built-in kinds compute
    /// their figures in their own types.
    fn figures(&self) -> Vec<(String, Figure)> {
        Vec::new()
    }

    /// Name and value of counts for the summary of a run.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

dyn_clone::clone_trait_object!(Device);

/// Function that builds devices of the same parameters; the devices share their tables.
type MakeDevices = dyn Fn(&DeviceParams, u32) -> Result<Vec<Box<dyn Device>>> + Send + Sync;

/// Properties of a kind of device, in addition to its name.
#[derive(Clone, Copy)]
pub struct DeviceKind {
    /// Keys that a device file of the kind may contain.
    pub file: FileKind,
    /// Function that builds devices.
    devices: &'static MakeDevices,
}

/// An entry of the table of kinds of devices.
pub type DeviceRow = Row<DeviceKind>;
