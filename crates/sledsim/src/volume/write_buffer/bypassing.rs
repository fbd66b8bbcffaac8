//! The steps of writes that bypass the log.

use super::place_map::Run;
use super::{tag, Buffer};
use crate::request::Op;
use crate::volume::backing_store::{DISK, MEMS};
use crate::volume::pieces::{PendingJobs, RequestPart};
use crate::volume::{Io, Part};

impl Buffer {
    /// Tries again to send the writes that could not yet bypass the log.
    pub(super) fn retry(&mut self, desk: &mut PendingJobs, io: &mut Io) {
        self.bypass.turns.extend(self.bypass.parked.drain(..));
        self.take_turns(desk, io);
    }

    /// Sends the writes for whose sectors no other write is in progress: to the log if it has room by now, otherwise
    /// past the log.
    pub(super) fn take_turns(&mut self, desk: &mut PendingJobs, io: &mut Io) {
        while let Some(id) = self.bypass.turns.pop_front() {
            let entry = self.bypass.entries.get(id);
            let (piece, after) = (entry.piece, entry.after);
            if self.has_room(&piece) {
                self.bypass.leave(id);
                self.append(&piece, desk, io);
                continue;
            }
            let mut runs = std::mem::take(&mut self.runs);
            runs.clear();
            self.stored.runs(piece.sector, piece.sectors, &mut runs);
            // Before these are settled, two versions could be in flight to one sector of the disk, or one
            // version to a place in the log that already belongs to other data.
            let unsettled =
                self.log.stored < after || self.cleaner.next_tail.is_some() || self.cleaner.has_lost_log();
            let moving =
                |run: &Run| run.place.is_some_and(|place| self.cleaner.has(self.log.position(place)));
            let unconfirmed = |run: &Run| {
                let end = |place| self.log.position(place) + run.sectors;
                run.place.is_some_and(|place| end(place) > self.log.confirmed)
            };
            if unsettled || runs.iter().any(moving) {
                self.bypass.parked.push(id);
                self.batches.hurry(piece.job, io);
                self.cleaner.hurry(piece.job, io);
            } else if runs.iter().any(unconfirmed) {
                // The write would change data under the checksum of the newest append: a note must first
                // confirm that this append is complete.
                self.counts.confirmations += 1;
                self.write_tail(self.log.tail, io);
                self.bypass.parked.push(id);
            } else {
                self.overwrite(id, &piece, &runs, io);
            }
            self.runs = runs;
        }
    }

    fn overwrite(&mut self, id: u32, piece: &RequestPart, runs: &[Run], io: &mut Io) {
        let id_bits = u64::from(id) << tag::BITS;
        let (mut left, mut on_log) = (0, 0);
        self.counts.bypassed_writes += 1;
        for run in runs {
            let stretch = piece.stretch(run.sector - piece.sector, run.sectors);
            if let Some(place) = run.place.map(u64::from) {
                self.counts.overwritten_sectors += run.sectors;
                self.pins.begin(Op::Write, place, run.sectors);
                io.submit(stretch.part(MEMS, self.log.first + place, tag::BYPASS_LOG | id_bits));
                (left, on_log) = (left + 1, on_log + 1);
            }
            if run.place.is_none_or(|place| self.log.position(place) < self.log.clean) {
                self.counts.bypassed_sectors += run.sectors;
                io.submit(stretch.part(DISK, run.sector, tag::BYPASS_DISK | id_bits));
                left += 1;
            }
        }
        let entry = self.bypass.entries.get_mut(id);
        (entry.left, entry.on_log) = (left, on_log);
    }

    /// Handles the completion of a part of a write that bypasses the log.
    pub(super) fn bypassed(&mut self, part: &Part, desk: &mut PendingJobs, io: &mut Io) {
        if part.member == MEMS {
            self.pins.end(Op::Write, self.place_of(part), u64::from(part.sectors));
        }
        let id = (part.tag >> tag::BITS) as u32;
        let entry = self.bypass.entries.get_mut(id);
        entry.left -= 1;
        entry.on_log -= u32::from(part.member == MEMS);
        if entry.left > 0 {
            return;
        }
        if std::mem::take(&mut entry.again) {
            self.bypass.turns.push_back(id);
        } else {
            let piece = self.bypass.leave(id);
            desk.end(piece.job);
        }
        self.take_turns(desk, io);
    }
}
