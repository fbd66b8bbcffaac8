//! Devices: how long each request takes, its phases and its energy.

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

/// A device that serves one request at a time.
///
/// Questions take `&self` and actions take `&mut self`. A scheduler receives `&dyn Device`: it can ask how
/// long a request would take, but it cannot move anything.
pub trait Device: DynClone + Send + Sync {
    /// Number of logical blocks on the device.
    fn blocks(&self) -> u64;

    /// Number of bytes in a logical block.
    fn block_bytes(&self) -> u64;

    /// Number of whole sectors of 512 bytes on the device.
    fn sectors(&self) -> u64 {
        self.blocks() * self.block_bytes() / SECTOR_BYTES
    }

    /// Begins a run at `now`; idle time before `now` does not count.
    fn begin(&mut self, now: Time);

    /// Time until the first row of `request` could be accessed if its service started at `now`. A write
    /// also waits for its data.
    fn positioning(&self, now: Time, request: &Request) -> Span;

    /// Positioning time of `request`, as a driver estimates it that does not know the command overheads of
    /// the device.
    fn positioning_without_overheads(&self, now: Time, request: &Request) -> Span {
        self.positioning(now, request)
    }

    /// Time until all rows of `request` could be accessed if its service started at `now`: positioning,
    /// transfer, and all waits and switches between them.
    fn access(&self, now: Time, request: &Request) -> Span;

    /// Straight distance in metres that the sled moves from its place to the first row of `request`; the
    /// shorter distance, if the row can be accessed in both directions.
    fn distance_m(&self, now: Time, request: &Request) -> f64;

    /// Coordinates of block `lbn`, by which policies sort their queues. A device that moves blocks during a
    /// run reports the coordinates of the original place.
    fn coordinates(&self, lbn: u64) -> Coordinates;

    /// Number of different coordinates in x and in y; at least 1 each, even if a coordinate has no effect on times.
    fn extent(&self) -> Extent;

    /// Interface for schedulers that index waiting requests by place; None if the positioning times of the
    /// device do not allow an index.
    fn approach(&self) -> Option<&dyn Approach> {
        None
    }

    /// Interface for schedulers that sort their queue by cylinder; None unless positioning times grow with
    /// the distance in cylinders.
    fn seeks(&self) -> Option<&dyn Seeks> {
        None
    }

    /// True if the positioning time depends on the place of a request, and not only on its operation.
    fn depends_on_place(&self) -> bool {
        true
    }

    /// Maximum number of requests that wait inside the device, without the request in service; None if
    /// requests wait at the host, or if the queue inside the device has no limit.
    fn queue_depth(&self) -> Option<usize> {
        None
    }

    /// True if the device may delay the start of a service even though it serves no other request.
    fn may_stall(&self) -> bool {
        false
    }

    /// Earliest time, at `now` or later, at which a device that serves no request can start a service.
    fn ready_from(&self, now: Time) -> Time {
        now
    }

    /// Accepts the command of a request at `now`. Returns the time at which the command has been processed
    /// and the request enters the queue.
    fn accept(&mut self, now: Time, request: &Request) -> Time;

    /// Admits a request at `now`, when its command has been processed. For a write, reserves the bus and
    /// stores the times of the transfer in `request`.
    fn admit(&mut self, _now: Time, _request: &mut Request) {}

    /// True if a completed write may still be in a cache of the device: a flush then waits until it is on the medium. On
    /// every other device a flush is complete on arrival.
    fn has_write_cache(&self) -> bool {
        false
    }

    /// Flushes the cache from `now` on, when the device is free; at the end of the service every completed write is on
    /// the medium. Called only on a device that [has a write cache](Self::has_write_cache).
    fn flush(&mut self, _now: Time, _request: &Request) -> Service {
        Service::default()
    }

    /// Serves `request` from `now` on: positions for it, and reads or writes its blocks.
    fn serve(&mut self, now: Time, request: &Request) -> Service;

    /// Extends the last service of [`serve`](Self::serve) by the duration `lasts`, in which the device
    /// stays in place and awake. Returns the energy of this duration; the default is zero.
    fn go_on(&mut self, _request: &Request, _lasts: Span) -> ServiceEnergy {
        ServiceEnergy::default()
    }

    /// Serves `request` as [`serve`](Self::serve) does. For a write, also adds to `passages` the times at
    /// which its blocks reach the medium.
    fn serve_noting(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Service {
        let service = self.serve(now, request);
        passages.note_whole(now, request, &service);
        service
    }

    /// Ends the request that was served last, whose last row was accessed at `now`. Returns the time at
    /// which the host has the reply.
    fn complete(&mut self, now: Time, request: &Request) -> Time;

    /// Time by which transfers of other requests delayed the last request on the bus, between the end of
    /// its access to the medium and the time that [`complete`](Self::complete) returned.
    fn waited_for_bus(&self, _request: &Request) -> Span {
        Span::ZERO
    }

    /// Time at which the host will have the reply to the request in service, whose access to the medium
    /// ends at `end`. None if a later event can still change this time.
    fn certain(&self, _end: Time, _request: &Request) -> Option<Time> {
        None
    }

    /// Place of the sled (or arm) after the last service: pairs of a name with its unit and a value.
    fn location(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Smallest possible values of [`location`](Self::location); empty if each of them is 0.
    fn lower_ends(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Place of the sled (or arm) at `now`, if the device has been idle since the last service and may have moved.
    fn idle_location(&self, _now: Time) -> Vec<(&'static str, f64)> {
        self.location()
    }

    /// Phases and energy of an idle time of the duration `lasts`, after the last service or after the start
    /// of a run.
    fn idle(&self, lasts: Span) -> IdleTime;

    /// Names and values of figures for the data sheet of a custom device. Devices of built-in kinds compute
    /// their figures elsewhere.
    fn figures(&self) -> Vec<(String, Figure)> {
        Vec::new()
    }

    /// Names and values of counts that the summary of a run shows.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

dyn_clone::clone_trait_object!(Device);

/// Function that builds a number of devices with the same parameters. The devices share their tables.
type MakeDevices = dyn Fn(&DeviceParams, u32) -> Result<Vec<Box<dyn Device>>> + Send + Sync;

/// Keys and constructor of a kind of device; the name of the kind is stored beside them in the table of kinds.
#[derive(Clone, Copy)]
pub struct DeviceKind {
    /// Keys that a device file of this kind may contain, and their checks.
    pub file: FileKind,
    /// Function that builds devices of this kind.
    devices: &'static MakeDevices,
}

/// An entry of the table of kinds of devices.
pub type DeviceRow = Row<DeviceKind>;
