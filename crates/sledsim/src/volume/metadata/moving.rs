//! Steps by which sectors become valid on the MEMS device: their data are written there, and then the page of the table
//! that states this.

use super::legs::Where;
use super::location_table::bits;
use super::pages::Keeping;
use super::work::Phase;
use super::WithMetadata;
use crate::request::Op;
use crate::time::Time;
use crate::volume::backing_store::BackingStore;
use crate::volume::pieces::RequestPart;
use crate::volume::sector_bits::runs;
use crate::volume::{Io, Job, Part};

impl<B: BackingStore> WithMetadata<B> {
    /// Calls `each` for each slot with sectors of `piece` that are becoming valid, with a mask of these sectors. Their
    /// places cannot change meanwhile, because `piece` holds its sectors exclusively.
    fn each_coming(&mut self, piece: &RequestPart, mut each: impl FnMut(&mut Self, u32, u32)) {
        let mut legs = std::mem::take(&mut self.legs);
        legs.clear();
        self.route(piece, &mut legs);
        for leg in &legs {
            let Where::Coming(first) = leg.to else { continue };
            self.each_slot(first, leg.sectors, &mut each);
        }
        self.legs = legs;
    }

    /// Calls `each` for each slot that contains some of the `sectors` sectors of the MEMS device from `first` on, with
    /// a mask of these sectors.
    fn each_slot(&mut self, first: u64, sectors: u64, mut each: impl FnMut(&mut Self, u32, u32)) {
        let (mut sector, end) = (first, first + sectors);
        while sector < end {
            let (slot, within) = self.table.slot_of(sector);
            let sectors = (self.table.unit - within).min(end - sector);
            each(self, slot, bits(within, sectors));
            sector += sectors;
        }
    }

    /// Completes the read `job`, whose metadata were read from the disk. A new job of the volume then writes these data
    /// to the MEMS device.
    pub(super) fn fetched(&mut self, now: Time, job: Job, io: &mut Io) {
        if self.is_down {
            return self.end(now, job, io);
        }
        let mut work = self.works.end(job);
        let copy = io.begin_as(io.urgency(job));
        io.copy((job, 0), (copy, 0), work.piece.sectors);
        io.complete(job, now);
        // Sectors of which the MEMS device already has a copy, found when a read began before, are not written again.
        work.piece = RequestPart { job: copy, ..work.piece };
        self.works.begin(&work.piece, Phase::Moves, true);
        self.works.of(copy).held = work.held;
        work.held.iter().for_each(|(ticket, _)| self.ranges.hand_over(*ticket, u64::from(copy.0)));
        let mut legs = std::mem::take(&mut self.legs);
        legs.clear();
        self.route(&work.piece, &mut legs);
        self.desk.wait(copy);
        for leg in &legs {
            let Where::Coming(sector) = leg.to else { continue };
            self.counts.fetched_sectors += leg.sectors;
            self.send_mems(&RequestPart { op: Op::Write, ..work.piece }, leg, sector, io);
        }
        self.legs = legs;
        self.desk.end(copy);
    }

    /// Continues `job` after its data have reached the MEMS device: writes the pages of the table that mark them as
    /// valid.
    pub(super) fn moved(&mut self, job: Job, io: &mut Io) {
        let work = self.works.of(job);
        work.phase = Phase::Notes;
        let piece = work.piece;
        self.desk.wait(job);
        self.each_coming(&piece, |own, slot, mask| {
            own.table.row(slot).data |= mask;
            own.counts.moved_sectors += u64::from(mask.count_ones());
            own.note_down(job, slot, io);
        });
        self.desk.end(job);
    }

    /// Marks the sectors of `job` as valid, after the pages of the table that say so have reached the MEMS device.
    pub(super) fn noted(&mut self, now: Time, job: Job, io: &mut Io) {
        let piece = self.works.of(job).piece;
        self.each_coming(&piece, |own, slot, mask| {
            own.table.row(slot).valid |= mask;
            own.make_dirty(slot, mask);
            if own.pages.keeping == Keeping::Memory {
                // The store below keeps its version, which is the durable one until the next flush.
                return;
            }
            let home = own.table.home(slot);
            for (from, sectors) in runs(mask) {
                own.back.forget(home + u64::from(from), sectors.into());
            }
        });
        self.schedule_flush(now, io);
        self.end(now, job, io);
    }

    /// Handles the completion of a write of metadata to the MEMS device. Sectors that were valid before are now newer
    /// there than on the disk.
    pub(super) fn overwritten(&mut self, now: Time, part: &Part, io: &mut Io) {
        self.each_slot(part.sector, u64::from(part.sectors), |own, slot, mask| {
            let valid = own.table.row(slot).valid;
            own.make_dirty(slot, mask & valid);
        });
        self.schedule_flush(now, io);
    }

    fn make_dirty(&mut self, slot: u32, mask: u32) {
        let row = self.table.row(slot);
        if row.dirty == 0 && mask != 0 {
            self.flush.changed.push(slot);
        }
        self.table.row(slot).dirty |= mask;
    }
}
