//! Service of requests by a device with faults: the places of blocks, and corrections by the code
//! over tips.

use super::counts::FaultCounts;
use super::damage::Damage;
use super::mapping::BlockRun;
use super::FaultyDevice;
use crate::device::{
    pass_on, Approach, Begin, Coordinates, Device, Extent, HeadPosition, Passage, Passages, Service,
};
use crate::energy::{IdleTime, ServiceEnergy};
use crate::request::{Op, Request};
use crate::time::{Span, Time};

impl FaultyDevice {
    /// Divides a request into requests for consecutive blocks of the medium, in the order of its
    /// LBNs.
    fn parts(&self, request: &Request) -> Vec<Request> {
        let pieces = self.mapping.pieces(request.lbn, request.blocks);
        // The wanted sectors are dropped if there are several parts, because the part that holds
        // them is unknown.
        let wanted_sectors = request.wanted_sectors.filter(|_| pieces.len() == 1);
        let mut before = 0;
        let part = |BlockRun { lbn, blocks }| {
            let part = Request { wanted_sectors, ..request.part(lbn, blocks, before) };
            before += blocks;
            part
        };
        pieces.into_iter().map(part).collect()
    }

    /// The request for the first run of consecutive blocks of the medium that `request` covers.
    fn first(&self, request: &Request) -> Request {
        if self.mapping.is_plain() {
            return *request;
        }
        self.parts(request).swap_remove(0)
    }

    /// Adds to `service` the tip sectors that the code over tips corrects, and the lost blocks. A
    /// write to a part of a block first reads the rest of the block; if the rest is unreadable, the
    /// block stays lost.
    fn account(&mut self, request: &Request, service: &mut Service) {
        for lbn in request.lbn..request.lbn + u64::from(request.blocks) {
            let home = self.mapping.home(lbn);
            let place = self.mapping.place(home);
            let state = self.state(place);
            let is_read = request.op == Op::Read || request.merges_in(lbn, 1);
            if !is_read {
                self.gone.remove(&home);
                if let Some(damage) = self.damage.as_mut().filter(|_| state.lost) {
                    damage.rewrite(place);
                }
            }
            let state = if state.lost { self.state(place) } else { state };
            let lost = self.is_lost(place, state) || self.gone.contains(&home);
            service.lost_blocks += u32::from(lost);
            service.remapped_blocks += u32::from(state.spared > 0 || place != lbn);
            if is_read && !lost {
                service.corrected_tip_sectors += state.missing;
            }
        }
        self.counts.corrected_tip_sectors += u64::from(service.corrected_tip_sectors);
        self.counts.remapped_blocks += u64::from(service.remapped_blocks);
        self.counts.lost_blocks += u64::from(service.lost_blocks);
        self.counts.lost_requests += u64::from(service.lost_blocks > 0);
    }
}

impl FaultyDevice {
    /// Serves a request by calling `serve` for each of its runs of consecutive blocks on the
    /// medium.
    #[inline]
    fn serve_by(
        &mut self,
        now: Time,
        request: &Request,
        mut serve: impl FnMut(&mut dyn Device, Time, &Request) -> Service,
    ) -> Service {
        self.advance(now);
        let mut service = if self.mapping.is_plain() {
            serve(&mut *self.device, now, request)
        } else {
            let mut whole = None;
            for part in self.parts(request) {
                Service::follow(&mut whole, now, |at| serve(&mut *self.device, at, &part));
            }
            whole.expect("a request has a block")
        };
        self.account(request, &mut service);
        service
    }
}

impl Device for FaultyDevice {
    pass_on!(device: block_bytes, extent, queue_depth, accept, admit, go_on, complete, waited_for_bus, certain);
    pass_on!(device: location, idle_location, lower_ends, idle, has_write_cache, flush);

    fn blocks(&self) -> u64 {
        self.device.blocks() - self.reserve
    }

    fn begin(&mut self, now: Time) {
        self.schedule.begin(now, self.damage.as_ref().map(|damage| &damage.tips));
        self.device.begin(now);
    }

    fn positioning(&self, now: Time, request: &Request) -> Span {
        self.device.positioning(now, &self.first(request))
    }

    fn positioning_without_overheads(&self, now: Time, request: &Request) -> Span {
        self.device.positioning_without_overheads(now, &self.first(request))
    }

    /// Time that a request would take. It is served on a copy of the device if a fault is due by
    /// `now`, or if its blocks lie in several places.
    fn access(&self, now: Time, request: &Request) -> Span {
        if self.schedule.is_due(now) {
            return self.clone().serve(now, request).total();
        }
        if self.mapping.is_plain() {
            return self.device.access(now, request);
        }
        match &*self.parts(request) {
            [part] => self.device.access(now, part),
            parts => {
                let (mut device, mut whole) = (self.device.clone(), None);
                for part in parts {
                    Service::follow(&mut whole, now, |at| device.serve(at, part));
                }
                whole.expect("a request has a block").total()
            }
        }
    }

    fn distance_m(&self, now: Time, request: &Request) -> f64 {
        self.device.distance_m(now, &self.first(request))
    }

    fn coordinates(&self, lbn: u64) -> Coordinates {
        let home = self.mapping.home(lbn);
        self.device.coordinates(if self.stays { self.mapping.place(home) } else { home })
    }

    /// Returns the interface for policies that search requests by place; `None` if blocks may move
    /// during the run.
    fn approach(&self) -> Option<&dyn Approach> {
        if !self.stays {
            return None;
        }
        let inner = self.device.approach()?;
        Some(if self.mapping.is_plain() { inner } else { self })
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        self.serve_by(now, request, |device, at, part| device.serve(at, part))
    }

    fn serve_noting(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Service {
        let mut on_medium = Passages::default();
        let service =
            self.serve_by(now, request, |device, at, part| device.serve_noting(at, part, &mut on_medium));
        if self.mapping.is_plain() {
            passages.extend(on_medium);
        } else {
            for Passage { blocks, from, until } in on_medium {
                // Blocks of the medium that the host does not count may be erased and written
                // together with blocks of a write.
                let counted = blocks.filter_map(|place| self.mapping.lbn_at(place));
                counted.for_each(|lbn| passages.note(lbn..lbn + 1, from, until));
            }
        }
        service
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        let [regions_under_spare_tips, regions_missing] =
            self.damage.as_ref().map_or([0; 2], Damage::regions);
        let counts = FaultCounts {
            tip_failures: self.failed_tips.len() as u64,
            regions_under_spare_tips,
            regions_missing,
            slipped_blocks: self.mapping.slipped.len() as u64,
            blocks_put_elsewhere: self.mapping.elsewhere.len() as u64,
            ..self.counts
        };
        [counts.rows(), self.device.counts()].concat()
    }
}

/// Implements the interface for policies that search requests by place; used only if the inner
/// device has this interface.
impl Approach for FaultyDevice {
    /// The place at which the first blocks of a request begin; the request takes at least the time
    /// for these blocks.
    fn begin(&self, request: &Request) -> Begin {
        let parts = self.parts(request);
        let begin = self.held().begin(&parts[0]);
        let exact_from = if parts.len() == 1 { begin.exact_from } else { Time::MAX };
        Begin { exact_from, ..begin }
    }

    fn head_position(&self, now: Time) -> HeadPosition<'_> {
        self.held().head_position(now)
    }

    fn x(&self, here: &HeadPosition<'_>, cylinder: u32) -> Span {
        self.held().x(here, cylinder)
    }
}

impl FaultyDevice {
    fn held(&self) -> &dyn Approach {
        self.device.approach().expect("the inner device has this interface")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{build, load};
    use crate::faults::{BadBlocks, FaultPlan, Remapping, TipFailure};
    use crate::request::Partial;

    fn faulty(plan: &FaultPlan) -> FaultyDevice {
        let params = load("osdi00", toml::Table::new()).unwrap().into_parameters();
        let mut device = FaultyDevice::new(build(&params, 1).unwrap().remove(0), &params, plan, 0).unwrap();
        Device::begin(&mut device, Time::ZERO);
        device
    }

    /// Checks that a block whose data were lost before it moved stays lost until the whole block is
    /// written.
    #[test]
    fn what_is_lost_is_lost_until_all_of_it_is_written() {
        let bad_blocks = vec![BadBlocks { lbn: 100, blocks: 1, at_s: Some(1.0) }];
        let gone = FaultPlan {
            bad_blocks,
            remapping: Remapping::Elsewhere,
            reserve_blocks: 9,
            ..FaultPlan::default()
        };
        let mut device = faulty(&gone);
        let mut at_s = 1;
        let mut is_lost = |op: Op, first: bool| {
            at_s += 1;
            let partial = Partial { first, last: first };
            let request = Request { partial, ..Request::new(0, 100, 1, op) };
            device.serve(Time::ZERO + Span::from_s(f64::from(at_s)), &request).lost_blocks > 0
        };
        let steps = [
            (Op::Read, false),
            (Op::Read, false),
            (Op::Write, true),
            (Op::Read, false),
            (Op::Write, false),
            (Op::Read, false),
        ];
        assert_eq!(
            steps.map(|(op, is_partial)| is_lost(op, is_partial)),
            [true, true, true, true, false, false]
        );
    }

    /// Checks that a write of whole blocks reads no tip sector, and therefore corrects none.
    #[test]
    fn reads_correct_what_is_missing_and_writes_do_not() {
        let tip_failures = vec![TipFailure { tip: 0, at_s: Some(1.0) }];
        let mut device =
            faulty(&FaultPlan { check_tips: 1, spread: false, tip_failures, ..FaultPlan::default() });
        let mut corrected = |op| {
            let request = Request::new(0, 0, 2_000, op);
            device.serve(Time::ZERO + Span::from_s(2.0), &request).corrected_tip_sectors
        };
        let found = [Op::Read, Op::Write, Op::Read].map(&mut corrected);
        assert!(found[0] > 0, "the blocks have a tip sector under each tip");
        assert_eq!(found, [found[0], 0, found[0]]);
    }
}
