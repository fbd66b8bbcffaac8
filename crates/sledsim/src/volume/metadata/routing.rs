//! Routing of requests: finds the place of each sector, on the MEMS device or in the store below, and sends parts
//! there.

use super::legs::{push, Leg, Where};
use super::location_table::bits;
use super::work::Phase;
use super::{tag, WithMetadata};
use crate::request::Op;
use crate::time::Time;
use crate::volume::backing_store::{BackingStore, MEMS};
use crate::volume::pieces::RequestPart;
use crate::volume::ranges::Hold;
use crate::volume::{Io, Job};

impl<B: BackingStore> WithMetadata<B> {
    /// Starts to serve the request of `job`; also called after the job has waited for other jobs.
    pub(super) fn start(&mut self, now: Time, job: Job, io: &mut Io) {
        let work = self.works.of(job);
        let (piece, mut held) = (work.piece, work.held);
        let mut legs = std::mem::take(&mut self.legs);
        legs.clear();
        self.route(&piece, &mut legs);
        let hold = hold_for(&piece, &legs).or_else(|| self.flush.outlives_mems.then_some(Hold::Shared));
        if let Some(hold) = hold.filter(|_| held.is_none()) {
            if !self.enter(job, piece.sector, piece.sectors, hold, io) {
                self.works.of(job).phase = Phase::Waits;
                self.legs = legs;
                return;
            }
            held = self.works.of(job).held;
        }
        let is_exclusive = held.is_some_and(|(_, hold)| hold == Hold::Exclusive);
        self.go(now, &piece, &legs, is_exclusive, io);
        self.legs = legs;
    }

    /// Sends the parts for the legs `legs` of a request. `is_exclusive` is true if the request holds its sectors
    /// exclusively.
    fn go(&mut self, now: Time, piece: &RequestPart, legs: &[Leg], is_exclusive: bool, io: &mut Io) {
        let job = piece.job;
        // The loop counts as one more event, so that the request cannot complete before all of it is sent.
        self.desk.wait(job);
        let mut phase = Phase::Plain;
        let mut behind: Option<Leg> = None;
        for leg in legs {
            match (leg.to, piece.op) {
                (Where::Mems(sector), _) => self.send_mems(piece, leg, sector, io),
                (Where::Coming(sector), Op::Write) if is_exclusive => {
                    phase = Phase::Moves;
                    self.send_mems(piece, leg, sector, io);
                }
                (to, _) => {
                    if to != Where::Back && is_exclusive {
                        phase = Phase::Fetches;
                    }
                    // One part reads adjacent legs from the store below, even if their data are then copied
                    // to different places.
                    match &mut behind {
                        Some(last) if last.from + last.sectors == leg.from => last.sectors += leg.sectors,
                        _ => {
                            if let Some(last) = behind.replace(*leg) {
                                self.send_behind(now, piece, last, io);
                            }
                        }
                    }
                }
            }
        }
        if let Some(last) = behind {
            self.send_behind(now, piece, last, io);
        }
        self.works.of(job).phase = phase;
        self.counts.metadata_hits +=
            u64::from(piece.metadata && legs.iter().all(|leg| matches!(leg.to, Where::Mems(_))));
        self.counts.units_without_room += self.refused_units(piece, legs);
        self.desk.end(job);
    }

    fn send_behind(&mut self, now: Time, piece: &RequestPart, leg: Leg, io: &mut Io) {
        self.counts.other_sectors += leg.sectors;
        self.back.submit(now, &piece.stretch(leg.from, leg.sectors), &mut self.desk, io);
    }

    pub(super) fn send_mems(&mut self, piece: &RequestPart, leg: &Leg, sector: u64, io: &mut Io) {
        self.counts.metadata_area_sectors += leg.sectors;
        self.desk.wait(piece.job);
        self.works.of(piece.job).on_mems += 1;
        let tag = if piece.op == Op::Read { tag::READ } else { tag::WRITE };
        io.submit(piece.stretch(leg.from, leg.sectors).part(MEMS, sector, tag));
    }

    /// Divides `piece` into legs by the places of its sectors, and appends them to `legs`. A unit of metadata without a
    /// slot gets a free slot, if any.
    pub(super) fn route(&mut self, piece: &RequestPart, legs: &mut Vec<Leg>) {
        if self.is_down {
            return legs.push(Leg { from: 0, sectors: piece.sectors, to: Where::Back });
        }
        let unit = self.table.unit;
        let mut from = 0;
        while from < piece.sectors {
            let (at, within) = ((piece.sector + from) / unit, (piece.sector + from) % unit);
            let sectors = (unit - within).min(piece.sectors - from);
            match self.slot_for(piece, at) {
                Some(slot) => self.route_slot(piece, slot, within, from, sectors, legs),
                None => push(legs, from, sectors, Where::Back),
            }
            from += sectors;
        }
    }

    fn slot_for(&mut self, piece: &RequestPart, unit: u64) -> Option<u32> {
        if let Some(slot) = self.table.find(unit) {
            return Some(slot);
        }
        if !piece.metadata && self.table.direct(unit).is_none() {
            if self.is_stocked && piece.op == Op::Write && !self.table.is_direct() {
                self.strangers.insert(unit);
            }
            return None;
        }
        let is_stocked = self.is_stocked && !self.strangers.contains(unit);
        self.table.give(unit, is_stocked)
    }

    /// Number of units of metadata that `piece` accesses in the store below, because no slot was free for them.
    fn refused_units(&self, piece: &RequestPart, legs: &[Leg]) -> u64 {
        if !piece.metadata || self.is_down {
            return 0;
        }
        let refused = legs.iter().filter(|leg| leg.to == Where::Back);
        refused.flat_map(|leg| self.table.units(piece.sector + leg.from, leg.sectors)).count() as u64
    }

    fn route_slot(
        &mut self,
        piece: &RequestPart,
        slot: u32,
        within: u64,
        from: u64,
        sectors: u64,
        legs: &mut Vec<Leg>,
    ) {
        let first = self.table.sector(slot) + within;
        let is_direct = self.table.is_direct();
        let row = self.table.row(slot);
        let comes = piece.metadata || row.is_stocked || is_direct;
        if row.valid & bits(within, sectors) == bits(within, sectors) {
            return push(legs, from, sectors, Where::Mems(first));
        }
        for at in 0..sectors {
            let is_there = row.valid >> (within + at) & 1 == 1 || (row.is_stocked && piece.op == Op::Read);
            let to = match (is_there, comes) {
                (true, _) => Where::Mems(first + at),
                (false, true) => Where::Coming(first + at),
                (false, false) => Where::Back,
            };
            push(legs, from + at, 1, to);
        }
    }
}

/// Returns how a request must hold its sectors, if at all. A request that makes sectors valid on the MEMS device must
/// be alone on them (exclusive). A write to the store below only excludes such jobs (shared).
fn hold_for(piece: &RequestPart, legs: &[Leg]) -> Option<Hold> {
    if legs.iter().any(|leg| matches!(leg.to, Where::Coming(_))) {
        return Some(Hold::Exclusive);
    }
    (piece.op == Op::Write && legs.iter().any(|leg| leg.to == Where::Back)).then_some(Hold::Shared)
}
