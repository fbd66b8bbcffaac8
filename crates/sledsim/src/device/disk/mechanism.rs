//! A disk drive as a device that serves one request at a time: from the start of the service until the host
//! has the reply.

use super::{Disk, ServicePhases, Source};
use crate::device::{Coordinates, Device, Extent, Passages, Seeks, Service};
use crate::energy::{IdleTime, ServiceEnergy};
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Assumed width of a cylinder in metres, from which policies compute distances; device files of drives do
/// not give the real width.
const PITCH_M: f64 = 1e-6;

impl Disk {
    /// Converts the phases of a service of the drive to the phases that all devices have. A write that
    /// completes once its data are in the cache has no seek, rotation or transfer.
    fn phases(served: &ServicePhases) -> Service {
        let ServicePhases { overhead, wait, seek, rotation, hold, transfer, bus, source, .. } = *served;
        let at_once = Service { command: overhead, wait, bus, source, ..Service::default() };
        if source == Source::WriteCache {
            return at_once;
        }
        Service { positioning: seek + rotation, rotation, hold, transfer, ..at_once }
    }

    /// Energy in joules of a service that takes the time `lasts`.
    fn active_j(&self, lasts: Span) -> f64 {
        lasts.as_s() * 1e-3 * self.params().active_power_mw.unwrap_or(0.0)
    }

    /// Time at which the drive can take the next request: when the host has all data or, with `preseeks`,
    /// as soon as the medium is done. A write to the cache may complete even earlier.
    fn free_for_next(&self, now: Time, served: &ServicePhases) -> Time {
        if self.params().preseeks == Some(true) {
            served.medium_done.min(served.complete).max(now)
        } else {
            served.complete
        }
    }

    /// Stores the completion time of a service that begins at `now`, and converts its phases to those that
    /// all devices have.
    fn service(&mut self, now: Time, served: &ServicePhases) -> Service {
        self.completion = served.complete;
        let free = self.free_for_next(now, served);
        let electronics_j = self.active_j(free - now);
        let energy = ServiceEnergy { electronics_j, ..ServiceEnergy::default() };
        let phases = Self::phases(served);
        Service { energy, bus: Span(phases.bus.0 - (served.complete - free).0), ..phases }
    }
}

impl Device for Disk {
    fn blocks(&self) -> u64 {
        self.layout().blocks
    }

    fn block_bytes(&self) -> u64 {
        crate::media::SECTOR_BYTES
    }

    /// Does nothing: the platters turn since time 0, and the arm keeps its place.
    fn begin(&mut self, _now: Time) {}

    /// Time until the first block passes; the overhead alone for a read that a segment of the cache holds. A read of
    /// data that wait for the destage counts by their place: looking each of them up would take too long.
    fn positioning(&self, now: Time, request: &Request) -> Span {
        let overhead = self.overhead(request.op);
        let end = request.lbn + u64::from(request.blocks);
        if request.op == Op::Read && self.cache.holding(request.lbn, end).is_some() {
            return overhead;
        }
        overhead + self.mechanical(now + overhead, request.op, request.lbn)
    }

    fn positioning_without_overheads(&self, now: Time, request: &Request) -> Span {
        self.mechanical(now, request.op, request.lbn)
    }

    fn access(&self, now: Time, request: &Request) -> Span {
        let served = self.clone().serve_seeing(now, request, |_| ());
        self.free_for_next(now, &served) - now
    }

    fn distance_m(&self, _now: Time, request: &Request) -> f64 {
        let cylinder = self.layout().place(request.lbn).track.cylinder;
        f64::from(cylinder.abs_diff(self.arm.cylinder)) * PITCH_M
    }

    /// Coordinates of a block: cylinder, track, and as y coordinate the angle in sectors.
    fn coordinates(&self, lbn: u64) -> Coordinates {
        let place = self.layout().place(lbn);
        let track = self.layout().track_number(lbn);
        Coordinates { cylinder: place.track.cylinder, track, y_bits: place.slot }
    }

    fn extent(&self) -> Extent {
        let layout = self.layout();
        Extent { cylinders: layout.cylinders, y_bits: layout.sectors_per_track_max() }
    }

    fn seeks(&self) -> Option<&dyn Seeks> {
        Some(self)
    }

    fn queue_depth(&self) -> Option<usize> {
        self.params().queue_depth.map(|depth| depth as usize)
    }

    /// Processes the command of a request that waits in the drive, after all earlier commands. The request
    /// counts as a hit if its data are then in the cache, or if read-ahead is about to bring them.
    fn accept(&mut self, now: Time, request: &Request) -> Time {
        self.destage_before(now);
        self.inside += 1;
        if self.fixed.rules.acceptance.is_none() {
            return now;
        }
        let ready = now.max(self.controller_free) + self.acceptance(now, request);
        self.controller_free = ready;
        ready
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        let served = self.serve_seeing(now, request, |_| ());
        self.service(now, &served)
    }

    fn has_write_cache(&self) -> bool {
        self.params().writes_back()
    }

    fn flush(&mut self, now: Time, _request: &Request) -> Service {
        let served = self.flush_cache(now);
        self.service(now, &served)
    }

    /// Serves a request and adds one passage for each block that the head writes.
    fn serve_noting(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Service {
        let turn_ns = self.fixed.medium.mechanics.turn_ns();
        let served = self.serve_seeing(now, request, |run| {
            for (block, [from, until]) in run.passages(turn_ns) {
                passages.note(block..block + 1, from, until);
            }
        });
        self.service(now, &served)
    }

    /// Extends the transfer of the last request over the bus by `lasts`, and delays all later transfers by
    /// this time. Accesses to the medium in the background are not delayed.
    fn go_on(&mut self, _request: &Request, lasts: Span) -> ServiceEnergy {
        (self.completion, self.bus_free) = (self.completion + lasts, self.bus_free + lasts);
        ServiceEnergy { electronics_j: self.active_j(lasts), ..ServiceEnergy::default() }
    }

    fn complete(&mut self, now: Time, request: &Request) -> Time {
        if !request.is_flush() {
            self.inside = self.inside.saturating_sub(1);
        }
        self.completion.max(now)
    }

    fn certain(&self, end: Time, _request: &Request) -> Option<Time> {
        Some(self.completion.max(end))
    }

    fn location(&self) -> Vec<(&'static str, f64)> {
        vec![("cylinder", f64::from(self.arm.cylinder))]
    }

    fn idle(&self, lasts: Span) -> IdleTime {
        IdleTime::ready(lasts, 1e-3 * self.params().idle_power_mw.unwrap_or(0.0))
    }
}
