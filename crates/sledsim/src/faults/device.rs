//! A device on which something breaks: it holds another one and stands in its place.

use std::collections::BTreeSet;

use super::damage::{Damage, State};
use super::mapping::{Mapping, Piece};
use super::plan::FaultPlan;
use super::schedule::{Fault, Schedule};
use super::tips::Tips;
use super::Remapping;
use crate::device::{Approach, Begin, Coordinates, Delivery, Device, Extent, Here, Service};
use crate::energy::IdleEnergy;
use crate::error::{Error, Result};
use crate::params::DeviceParams;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// A device with the faults of a plan.
///
/// A tip that fails is known at once, and what can be reconstructed is under its spare, or elsewhere, at once: that
/// takes no time. A block of which too much is missing is read as lost, in the time that reading it takes.
pub struct FaultyDevice {
    device: Box<dyn Device>,
    reserve: u64,
    remapping: Remapping,
    remap_at: u32,
    schedule: Schedule,
    damage: Option<Damage>,
    mapping: Mapping,
    /// Blocks of the medium that cannot be read.
    bad: BTreeSet<u64>,
    /// Blocks, by their homes, whose data were gone when they were put elsewhere.
    gone: BTreeSet<u64>,
    /// Whether blocks stay where they are for the whole run.
    stays: bool,
    counts: Counts,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    tip_failures: u64,
    media_defects: u64,
    spared: u64,
    missing: u64,
    put_elsewhere: u64,
    not_remapped: u64,
    corrected_tip_sectors: u64,
    remapped_blocks: u64,
    lost_blocks: u64,
    lost_requests: u64,
}

impl FaultyDevice {
    /// Puts a device of those parameters under a plan; `number` tells devices of one plan apart.
    ///
    /// # Errors
    /// The plan does not go with the device; the message names the key.
    pub fn new(
        device: Box<dyn Device>,
        params: &DeviceParams,
        plan: &FaultPlan,
        number: u64,
    ) -> Result<Self> {
        let tips = tips(params, plan)?;
        let blocks = device.blocks();
        if plan.reserve_blocks >= blocks {
            return Err(Error::Parameter(format!(
                "reserve_blocks = {}: expected less than the {blocks} blocks of {}",
                plan.reserve_blocks,
                params.name()
            )));
        }
        let schedule = Schedule::new(plan, tips.as_ref(), blocks, number)?;
        let uses_spares = plan.remapping == Remapping::SpareTip;
        let mut made = Self {
            device,
            reserve: plan.reserve_blocks,
            remapping: plan.remapping,
            remap_at: plan.remap_at,
            damage: tips.map(|tips| Damage::new(tips, plan.check_tips, uses_spares)),
            mapping: Mapping::new(blocks, plan.reserve_blocks, Vec::new()),
            stays: matches!(plan.remapping, Remapping::SpareTip | Remapping::Leave) || !schedule.goes_on(),
            schedule,
            bad: BTreeSet::new(),
            gone: BTreeSet::new(),
            counts: Counts::default(),
        };
        made.manufacture()?;
        Ok(made)
    }

    /// What is broken before the run.
    fn manufacture(&mut self) -> Result<()> {
        let mut bad = BTreeSet::new();
        for fault in std::mem::take(&mut self.schedule.at_manufacture) {
            bad.extend(self.break_down(fault, false));
        }
        if self.remapping == Remapping::Slip {
            let blocks = self.device.blocks();
            if bad.len() as u64 > self.reserve {
                return Err(Error::Parameter(format!(
                    "remapping = \"slip\": {} blocks are bad from the start, more than reserve_blocks = {}: expected \
                     a larger reserve, or remap_at above {}",
                    bad.len(),
                    self.reserve,
                    self.remap_at
                )));
            }
            // Those of the reserve itself need no block in their place, but count as none of it either.
            self.mapping = Mapping::new(blocks, self.reserve, bad.into_iter().collect());
        } else {
            self.put_elsewhere(bad, false);
        }
        for fault in std::mem::take(&mut self.schedule.before_run) {
            self.grow(fault);
        }
        Ok(())
    }

    /// Something breaks that holds data.
    fn grow(&mut self, fault: Fault) {
        let bad = self.break_down(fault, true);
        self.put_elsewhere(bad, true);
    }

    /// Something breaks; returns the blocks of the medium that are bad since, where those are remapped.
    fn break_down(&mut self, fault: Fault, has_data: bool) -> Vec<u64> {
        let moves = matches!(self.remapping, Remapping::Slip | Remapping::Elsewhere);
        let mut groups = Vec::new();
        let area = match fault {
            Fault::Blocks { lbn, blocks } => {
                let struck: Vec<u64> = (lbn..lbn + blocks).collect();
                self.bad.extend(&struck);
                return if moves { struck } else { Vec::new() };
            }
            Fault::Tips { tips, area, is_failure } => {
                *if is_failure { &mut self.counts.tip_failures } else { &mut self.counts.media_defects } += 1;
                let damage = self.damage.as_mut().expect("only devices with tips have faults of tips");
                for tip in tips {
                    let (hit, group) = damage.strike(tip, area, has_data);
                    self.counts.spared += hit.spared;
                    self.counts.missing += hit.missing;
                    groups.extend(group);
                }
                area
            }
        };
        let Some(damage) = self.damage.as_ref().filter(|_| moves) else { return Vec::new() };
        groups.sort_unstable();
        groups.dedup();
        let all = groups.into_iter().flat_map(|group| damage.tips().blocks(group, area));
        all.filter(|lbn| damage.state(*lbn).missing >= self.remap_at).collect()
    }

    /// Puts blocks of the medium elsewhere; `has_data` says whether something was there.
    fn put_elsewhere(&mut self, bad: impl IntoIterator<Item = u64>, has_data: bool) {
        let end = self.device.blocks() - self.reserve + self.mapping.slips();
        for place in bad {
            // One that holds what was put elsewhere before is not moved again: it stays damaged.
            if place >= end || !self.mapping.holds_data(place) || self.mapping.is_elsewhere(place) {
                continue;
            }
            let is_lost = has_data && self.is_lost(place, self.state(place));
            let (damage, unreadable) = (&self.damage, &self.bad);
            let is_good = |at: u64| {
                let whole = damage.as_ref().is_none_or(|damage| damage.state(at).missing == 0);
                whole && !unreadable.contains(&at)
            };
            if !self.mapping.put(place, is_good) {
                self.counts.not_remapped += 1;
                continue;
            }
            self.counts.put_elsewhere += 1;
            if is_lost {
                self.gone.insert(place);
            }
        }
    }

    fn state(&self, place: u64) -> State {
        self.damage.as_ref().map_or(State::default(), |damage| damage.state(place))
    }

    fn is_lost(&self, place: u64, state: State) -> bool {
        state.lost || self.bad.contains(&place)
    }

    /// All that has broken by now.
    fn advance(&mut self, now: Time) {
        while let Some(fault) = self.schedule.next(now, self.damage.as_ref().map(Damage::tips)) {
            self.grow(fault);
        }
    }

    /// The parts of a request on the medium, in their order.
    fn parts(&self, request: &Request) -> Vec<Request> {
        let part = |Piece { lbn, blocks }| Request { lbn, blocks, ..*request };
        self.mapping.pieces(request.lbn, request.blocks).into_iter().map(part).collect()
    }

    /// The part with which a request begins.
    fn first(&self, request: &Request) -> Request {
        if self.mapping.is_plain() {
            return *request;
        }
        self.parts(request).swap_remove(0)
    }

    /// Notes in a service what the code over tips did, and what it could not.
    fn account(&mut self, request: &Request, service: &mut Service) {
        for lbn in request.lbn..request.lbn + u64::from(request.blocks) {
            let home = self.mapping.home(lbn);
            let place = self.mapping.place(home);
            let state = self.state(place);
            if request.op == Op::Write {
                self.gone.remove(&home);
                if let Some(damage) = self.damage.as_mut().filter(|_| state.lost) {
                    damage.rewrite(place);
                }
            }
            let state = if state.lost { self.state(place) } else { state };
            let lost = self.is_lost(place, state) || self.gone.contains(&home);
            service.lost_blocks += u32::from(lost);
            service.remapped_blocks += u32::from(state.spared > 0 || place != lbn);
            if request.op == Op::Read && !lost {
                service.corrected_tip_sectors += state.missing;
            }
        }
        self.counts.corrected_tip_sectors += u64::from(service.corrected_tip_sectors);
        self.counts.remapped_blocks += u64::from(service.remapped_blocks);
        self.counts.lost_blocks += u64::from(service.lost_blocks);
        self.counts.lost_requests += u64::from(service.lost_blocks > 0);
    }
}

/// The tips of a device that has some; a plan for others names none.
fn tips(params: &DeviceParams, plan: &FaultPlan) -> Result<Option<Tips>> {
    if let DeviceParams::Mems(params) = params {
        return Tips::new(params, plan).map(Some);
    }
    let (life, start) = (&plan.life, &plan.manufacture);
    let of_tips = [
        ("remapping = \"spare-tip\"", plan.remapping == Remapping::SpareTip),
        ("check_tips", plan.check_tips > 0),
        ("spare_tips", plan.spare_tips > 0),
        ("tip_failures", !plan.tip_failures.is_empty()),
        ("media_defects", !plan.media_defects.is_empty()),
        ("manufacture.tip_failure_probability", start.tip_failure_probability > 0.0),
        ("manufacture.media_defects", start.media_defects > 0.0),
        ("life.tip_failures_per_tip_hour", life.tip_failures_per_tip_hour > 0.0),
        ("life.media_defects_per_hour", life.media_defects_per_hour > 0.0),
    ];
    match of_tips.iter().find(|(_, given)| *given) {
        Some((key, _)) => Err(Error::Parameter(format!(
            "{key}: {} is of the kind {} and has no tips: expected bad_blocks, and remapping = \"slip\", \"elsewhere\" \
             or \"none\"",
            params.name(),
            params.kind()
        ))),
        None => Ok(None),
    }
}

/// Adds what follows in a service: all of it lies between the first row and the last.
fn join(service: &mut Service, next: &Service) {
    service.switching += next.command + next.wait + next.positioning + next.switching;
    service.switches += next.switches + 1;
    service.hold += next.hold;
    service.transfer += next.transfer;
    service.rows += next.rows;
    service.tip_sectors += next.tip_sectors;
    service.bus += next.bus;
    service.energy += next.energy;
    service.delivery.last_row_blocks = next.delivery.last_row_blocks;
}

impl Device for FaultyDevice {
    fn blocks(&self) -> u64 {
        self.device.blocks() - self.reserve
    }

    fn block_bytes(&self) -> u64 {
        self.device.block_bytes()
    }

    fn begin(&mut self, now: Time) {
        self.schedule.begin(now, self.damage.as_ref().map(Damage::tips));
        self.device.begin(now);
    }

    fn positioning(&self, now: Time, request: &Request) -> Span {
        self.device.positioning(now, &self.first(request))
    }

    fn positioning_without_overheads(&self, now: Time, request: &Request) -> Span {
        self.device.positioning_without_overheads(now, &self.first(request))
    }

    /// Of a request in parts the sum of what each would take by itself.
    fn access(&self, now: Time, request: &Request) -> Span {
        if self.mapping.is_plain() {
            return self.device.access(now, request);
        }
        let parts = self.parts(request);
        parts.iter().fold(Span::ZERO, |sum, part| sum + self.device.access(now, part))
    }

    fn distance_m(&self, now: Time, request: &Request) -> f64 {
        self.device.distance_m(now, &self.first(request))
    }

    fn coordinates(&self, lbn: u64) -> Coordinates {
        self.device.coordinates(self.mapping.place(self.mapping.home(lbn)))
    }

    fn extent(&self) -> Extent {
        self.device.extent()
    }

    /// An index over places needs blocks that stay where they are.
    fn approach(&self) -> Option<&dyn Approach> {
        if !self.stays {
            return None;
        }
        let inner = self.device.approach()?;
        Some(if self.mapping.is_plain() { inner } else { self })
    }

    fn accept(&mut self, now: Time, request: &mut Request) -> Time {
        let mut first = self.first(request);
        first.blocks = request.blocks;
        let ready = self.device.accept(now, &mut first);
        request.data_from = first.data_from;
        ready
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        self.advance(now);
        let mut service = if self.mapping.is_plain() {
            self.device.serve(now, request)
        } else {
            let parts = self.parts(request);
            let mut service = self.device.serve(now, &parts[0]);
            for part in &parts[1..] {
                let next = self.device.serve(now + service.total(), part);
                join(&mut service, &next);
            }
            service
        };
        self.account(request, &mut service);
        service
    }

    fn complete(&mut self, now: Time, request: &Request, delivery: &Delivery) -> Time {
        self.device.complete(now, request, delivery)
    }

    fn idle_energy(&self, until: Time) -> IdleEnergy {
        self.device.idle_energy(until)
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        let counts = &self.counts;
        let all = [
            ("tip_failures", counts.tip_failures),
            ("media_defects", counts.media_defects),
            ("regions_under_spare_tips", counts.spared),
            ("regions_missing", counts.missing),
            ("slipped_blocks", self.mapping.slips()),
            ("blocks_put_elsewhere", counts.put_elsewhere),
            ("blocks_not_remapped", counts.not_remapped),
            ("corrected_tip_sectors", counts.corrected_tip_sectors),
            ("remapped_blocks", counts.remapped_blocks),
            ("lost_blocks", counts.lost_blocks),
            ("lost_requests", counts.lost_requests),
        ];
        all.into_iter().map(|(name, count)| (name, count as f64)).collect()
    }
}

/// Only asked for where the device that is held has one.
impl Approach for FaultyDevice {
    fn ways(&self) -> usize {
        self.held().ways()
    }

    /// A request in parts takes at least what its first part takes.
    fn begin(&self, request: &Request) -> Begin {
        let parts = self.parts(request);
        let begin = self.held().begin(&parts[0]);
        let exact_from = if parts.len() == 1 { begin.exact_from } else { Time::MAX };
        Begin { exact_from, ..begin }
    }

    fn here(&self, now: Time) -> Here<'_> {
        self.held().here(now)
    }

    fn x(&self, here: &Here<'_>, cylinder: u32) -> Span {
        self.held().x(here, cylinder)
    }
}

impl FaultyDevice {
    fn held(&self) -> &dyn Approach {
        self.device.approach().expect("it was there when it was asked for")
    }
}
