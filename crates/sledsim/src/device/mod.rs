//! Devices: duration, phases and energy of a request.

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
/// Queries take `&self`, actions `&mut self`: a scheduler, which gets `&dyn Device`, can ask for a cost but cannot
/// move anything.
pub trait Device: DynClone + Send + Sync {
    /// Number of logical blocks on the device.
    fn blocks(&self) -> u64;

    /// Number of bytes in a logical block.
    fn block_bytes(&self) -> u64;

    /// Number of whole sectors of 512 bytes on the device.
    fn sectors(&self) -> u64 {
        self.blocks() * self.block_bytes() / SECTOR_BYTES
    }

    /// Begins a run at `now`; earlier events do not count.
    fn begin(&mut self, now: Time);

    /// Time until the first row of `request` could be accessed if its service started at `now`: positioning, and
    /// waiting for the data of a write.
    fn positioning(&self, now: Time, request: &Request) -> Span;

    /// Positioning, for a driver that does not know the overheads of the device.
    fn positioning_without_overheads(&self, now: Time, request: &Request) -> Span {
        self.positioning(now, request)
    }

    /// Time until the medium would be done with `request` if its service started at `now`: positioning and transfer,
    /// with everything in between.
    fn access(&self, now: Time, request: &Request) -> Span;

    /// Straight distance of the medium to the nearer end of the first row of `request`, whichever way the row may be
    /// accessed, in metres.
    fn distance_m(&self, now: Time, request: &Request) -> f64;

    /// Coordinates of a block. Blocks that move during a run keep the coordinates of their number, for policies keep
    /// queues by them.
    fn coordinates(&self, lbn: u64) -> Coordinates;

    /// The extent of the coordinates: at least one place in each direction, even where it does not matter.
    fn extent(&self) -> Extent;

    /// The device as an index over places needs it, if its times allow an index.
    fn approach(&self) -> Option<&dyn Approach> {
        None
    }

    /// The device as a queue by cylinder needs it, if its positioning grows with the distance in cylinders.
    fn seeks(&self) -> Option<&dyn Seeks> {
        None
    }

    /// True if positioning depends on the place of a request, and not only on its operation.
    fn depends_on_place(&self) -> bool {
        true
    }

    /// Number of waiting requests that the device holds beside the request in service, if it holds its queue itself and
    /// the number is limited.
    fn queue_depth(&self) -> Option<usize> {
        None
    }

    /// True if the device may start nothing for a time although it is free.
    fn may_stall(&self) -> bool {
        false
    }

    /// Time from which, at `now` or later, a free device starts a service.
    fn ready_from(&self, now: Time) -> Time {
        now
    }

    /// Accepts the command of a request at `now`; returns when it is processed and can be scheduled.
    fn accept(&mut self, now: Time, request: &Request) -> Time;

    /// Admits a request at `now`, when its command is processed: from now on the data of a write demand the bus, and
    /// the request reports when they cross it.
    fn admit(&mut self, _now: Time, _request: &mut Request) {}

    /// Serves `request` from `now` on: positions, reads or writes.
    fn serve(&mut self, now: Time, request: &Request) -> Service;

    /// Extends the service returned last by [`serve`](Self::serve), in place and awake; returns the energy of the
    /// extension. A device without power management need do nothing.
    fn go_on(&mut self, _request: &Request, _lasts: Span) -> ServiceEnergy {
        ServiceEnergy::default()
    }

    /// Serves `request` in the same way, and notes when its blocks reach the medium, if it is a write.
    fn serve_noting(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Service {
        let service = self.serve(now, request);
        passages.note_whole(now, request, &service);
        service
    }

    /// Ends the request served last, with which the medium is done at `now`; returns when the host has the data.
    fn complete(&mut self, now: Time, request: &Request) -> Time;

    /// Time for which the bus had data of other requests, between the end of the medium and the time at which, by
    /// [`complete`](Self::complete), the host has the request served last.
    fn waited_for_bus(&self, _request: &Request) -> Span {
        Span::ZERO
    }

    /// Time at which the host will have the request in service, which the medium is done with at `end`, if no later
    /// event can change it.
    fn certain(&self, _end: Time, _request: &Request) -> Option<Time> {
        None
    }

    /// Place of the mechanism, now or at the end of the present service: names, with units, and values.
    fn location(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Values of [`location`](Self::location) at the lower ends of the mechanism's reach, where that is not 0.
    fn lower_ends(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Place of the mechanism at `now`, after idling since the last service: it may move meanwhile.
    fn idle_location(&self, _now: Time) -> Vec<(&'static str, f64)> {
        self.location()
    }

    /// Parts and energy of an idle time after the last service, or after the start.
    fn idle(&self, lasts: Span) -> IdleTime;

    /// Figures that follow from the parameters, for the data sheet of a custom device: name and value. Built-in kinds
    /// have figures in their own types.
    fn figures(&self) -> Vec<(String, Figure)> {
        Vec::new()
    }

    /// Counts for the summary of a run: name and value.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

dyn_clone::clone_trait_object!(Device);

/// Builds devices of the same parameters, which share their tables.
type MakeDevices = dyn Fn(&DeviceParams, u32) -> Result<Vec<Box<dyn Device>>> + Send + Sync;

/// Properties of a kind of devices, besides its name.
#[derive(Clone, Copy)]
pub struct DeviceKind {
    /// Keys that a device file of the kind may hold.
    pub file: FileKind,
    /// Function that builds devices.
    devices: &'static MakeDevices,
}

/// A row of the table of kinds of devices.
pub type DeviceRow = Row<DeviceKind>;
