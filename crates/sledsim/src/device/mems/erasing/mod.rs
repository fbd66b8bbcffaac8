//! Devices with a medium that must be erased, many blocks at a time, before it is written again (001-F31),
//! as a wrapper around a sled.
//!
//! The device handles writes in one of two ways. In place: it erases the erase block of the write, and
//! writes back the other data of this erase block. With a log: it writes to blocks that are already erased,
//! and cleans erase blocks with old data in idle time.

mod block_map;
mod in_place;
mod log;
mod logged;

use std::ops::Range;

use super::{Erase, Mems};
use crate::counts::counts;
use crate::device::{pass_on, Coordinates, Device, Extent, Passages, Service};
use crate::energy::{IdleTime, ServiceEnergy};
use crate::params::EraseManagement;
use crate::request::{Op, Request};
use crate::time::{Span, Time};
use block_map::Run;
use log::Log;

/// A sled with a medium that must be erased. During erasing the sled does not move but stays awake; the
/// idle time of a power policy begins when nothing remains to be cleaned. The energy of cleaning in idle
/// time is added to the next request.
#[derive(Clone)]
pub struct ErasingDevice {
    device: Mems,
    erase: Erase,
    /// The log of erased blocks; None if the device erases in place.
    log: Option<Log>,
    blocks: u64,
    /// Time at which the last request or the last step of cleaning ends.
    free_at: Time,
    /// Number of requests that have been accepted and not yet served.
    pending: u32,
    /// Time spent on cleaning in the idle time since the last service, and its energy.
    behind: Span,
    behind_energy: ServiceEnergy,
    counts: ErasingCounts,
    /// Times at which blocks of the request in service reach the medium; None unless they are recorded.
    passages: Option<Passages>,
}

counts! {
    /// Counts of erasing and cleaning in the summary of a run.
    ErasingCounts {
        /// erasures of an erase block
        erased_blocks: u64,
        /// logical blocks that were copied before the erase block that held them was erased
        copied_blocks: u64,
        /// requests that waited until a step of cleaning (copying or erasing) ended
        waited_for_cleaning: u64,
        /// writes that found no room in the log and waited until a whole erase block had been cleaned
        cleaned_before_writes: u64,
    }
}

impl ErasingDevice {
    /// Creates a device with `blocks` usable blocks, all of which hold data already.
    #[must_use]
    pub fn new(device: Mems, erase: Erase, blocks: u64) -> Self {
        let log = (erase.management == EraseManagement::Log).then(|| Log::new(blocks, &erase));
        Self {
            device,
            erase,
            log,
            blocks,
            free_at: Time::ZERO,
            pending: 0,
            behind: Span::ZERO,
            behind_energy: ServiceEnergy::default(),
            counts: ErasingCounts::default(),
            passages: None,
        }
    }

    /// The first access to the medium that a request needs, at its place on the medium.
    fn first(&self, request: &Request) -> Request {
        let Some(log) = &self.log else { return *request };
        let run = match request.op {
            Op::Read => log.map.run(request.lbn, request.blocks),
            Op::Write => log.next_run(request.blocks),
        };
        on_medium(request, run, 0)
    }

    /// Time at which a service could start if it is asked for at `now`, and the wait until then for work in
    /// progress.
    fn from(&self, now: Time) -> (Time, Span) {
        (now.max(self.free_at), self.free_at.since(now))
    }

    /// Reads or writes blocks on the medium for cleaning, not for a request of the host.
    fn access(&mut self, now: Time, op: Op, run: Run) -> Service {
        self.access_for_itself(now, Request { data_until: now, ..on_its_own(op, run) })
    }

    fn access_for_itself(&mut self, now: Time, access: Request) -> Service {
        self.device.serve(now, &Request { arrival: now, is_internal: true, ..access })
    }

    /// Reads two ranges of blocks for the device itself: in one access if they are adjacent or meet in one
    /// row, otherwise in two. One of the ranges may be empty.
    fn read_parts(&mut self, now: Time, [front, back]: [Range<u64>; 2]) -> Service {
        let read = |of: Range<u64>| {
            on_its_own(Op::Read, Run { place: of.start, blocks: (of.end - of.start) as u32 })
        };
        let between = back.start - front.end;
        let are_two = !front.is_empty() && !back.is_empty();
        let meet = are_two && (between == 0 || self.device.is_one_row(front.end - 1, back.start));
        let reads = if meet {
            vec![Request { skipped_blocks: between as u32, ..read(front.start..back.end) }]
        } else {
            [front, back].into_iter().filter(|part| !part.is_empty()).map(read).collect()
        };
        let mut whole = None;
        for read in reads {
            Service::follow(&mut whole, now, |at| self.access_for_itself(at, read));
        }
        whole.expect("one of the parts has a block")
    }

    /// Erases for the duration `takes` from `now` on.
    fn erasing(&mut self, now: Time, takes: Span) -> Service {
        let mut service = self.device.stay(now, takes);
        service.energy.tips_j += self.erase.power_w * takes.as_s();
        service
    }

    /// Cleans erase blocks in the idle time until `now`. The last step is finished even if it ends after `now`.
    fn clean_behind(&mut self, now: Time) {
        if self.pending > 0 {
            return;
        }
        while self.free_at < now {
            let Some(service) = self.clean(self.free_at, false) else { return };
            self.free_at = self.free_at + service.total();
            self.behind += service.total();
            self.behind_energy += service.energy;
        }
    }
}

/// Creates an internal read or write, which belongs to no request of the host.
fn on_its_own(op: Op, run: Run) -> Request {
    Request::new(u32::MAX, run.place, run.blocks, op)
}

/// The part of a request that is stored in the places of `run`, after `before` blocks of the request.
fn on_medium(request: &Request, run: Run, before: u32) -> Request {
    let wanted_sectors = request.wanted_sectors.filter(|_| run.blocks == request.blocks);
    Request { wanted_sectors, ..request.part(run.place, run.blocks, before) }
}

impl Device for ErasingDevice {
    pass_on!(device: block_bytes, coordinates, extent, admit, complete, waited_for_bus, certain, location, idle_location, lower_ends);

    fn blocks(&self) -> u64 {
        self.blocks
    }

    fn begin(&mut self, now: Time) {
        self.free_at = now;
        self.device.begin(now);
    }

    fn positioning(&self, now: Time, request: &Request) -> Span {
        let (from, wait) = self.from(now);
        wait + self.device.positioning(from, &self.first(request))
    }

    fn positioning_without_overheads(&self, now: Time, request: &Request) -> Span {
        let (from, wait) = self.from(now);
        wait + self.device.positioning_without_overheads(from, &self.first(request))
    }

    /// Time of the whole access; a request that needs several accesses is served on a copy of the device.
    fn access(&self, now: Time, request: &Request) -> Span {
        let (from, wait) = self.from(now);
        let first = self.first(request);
        let takes = match (request.op, &self.log) {
            (Op::Read, None) => self.device.access(from, request),
            (Op::Read, Some(log)) if first.blocks < request.blocks => self.reading_mapped(from, request),
            (Op::Write, Some(log)) if !log.has_room(request.blocks) || request.merged_blocks() > 0 => {
                self.clone().append(from, request).total()
            }
            (_, Some(_)) => self.device.access(from, &first),
            (Op::Write, None) => self.clone().write_in_place(from, request).total(),
        };
        wait + takes
    }

    fn distance_m(&self, now: Time, request: &Request) -> f64 {
        self.device.distance_m(self.from(now).0, &self.first(request))
    }

    fn accept(&mut self, now: Time, request: &Request) -> Time {
        self.clean_behind(now);
        self.pending += 1;
        self.device.accept(now, request)
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        self.pending = self.pending.saturating_sub(1);
        let (from, wait) = self.from(now);
        self.counts.waited_for_cleaning += u64::from(wait > Span::ZERO);
        let mut service = match (request.op, self.log.is_some()) {
            (Op::Read, false) => self.device.serve(from, request),
            (Op::Read, true) => self.read_mapped(from, request),
            (Op::Write, false) => self.write_in_place(from, request),
            (Op::Write, true) => self.append(from, request),
        };
        service.wait += wait;
        self.free_at = now + service.total();
        service.energy += std::mem::take(&mut self.behind_energy);
        self.behind = Span::ZERO;
        service
    }

    fn go_on(&mut self, request: &Request, lasts: Span) -> ServiceEnergy {
        self.free_at = self.free_at + lasts;
        self.device.go_on(request, lasts)
    }

    fn serve_noting(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Service {
        self.passages = Some(std::mem::take(passages));
        let service = self.serve(now, request);
        *passages = self.passages.take().expect("serving leaves the passages in place");
        service
    }

    /// Phases of an idle time: first the cleaning, then the idle time of the sled.
    fn idle(&self, lasts: Span) -> IdleTime {
        let working = self.behind.min(lasts);
        if working == Span::ZERO {
            return self.device.idle(lasts);
        }
        let (work, _) = self.behind_energy.split(working.as_s() / self.behind.as_s());
        IdleTime { working, work, ..self.device.idle(lasts.saturating_sub(working)) }
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        [self.counts.rows(), self.device.counts()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_mems;

    /// Two adjacent ranges are read in one access, even if a row, a track or a cylinder ends between them.
    #[test]
    fn parts_side_by_side_are_read_as_one() {
        let params = load_mems("osdi00-erase");
        let (mems, erase) = (Mems::new(&params).unwrap(), params.erase().unwrap().unwrap());
        let blocks = params.usable_blocks(mems.geometry()).unwrap();
        let device = ErasingDevice::new(mems, erase, blocks);
        for between in 1..6000 {
            let [mut apart, mut whole] = [(); 2].map(|()| device.clone());
            let found = apart.read_parts(Time::ZERO, [between - 1..between, between..between + 1]);
            let both = on_its_own(Op::Read, Run { place: between - 1, blocks: 2 });
            assert_eq!(found, whole.access_for_itself(Time::ZERO, both), "on both sides of {between}");
        }
    }
}
