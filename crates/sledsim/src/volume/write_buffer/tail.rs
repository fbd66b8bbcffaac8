//! The tail of the log: how the room of what is clean becomes free.

use super::cleaner::NextTail;
use super::log::Append;
use super::{notes, tag, Buffer};
use crate::request::Op;
use crate::time::Time;
use crate::volume::backing_store::MEMS;
use crate::volume::pieces::PendingJobs;
use crate::volume::{Io, Part};

impl Buffer {
    /// What is clean stays in the log as long as the room is not needed; then its sectors are forgotten, and the new
    /// tail is written down before anything comes in their place.
    pub(super) fn give_up_clean(&mut self, io: &mut Io) {
        let may = self.log.tail < self.log.clean && self.cleaner.next_tail.is_none();
        if !may || self.log.free() >= self.settings.keep_free {
            return;
        }
        let used = |append: &Append| self.pins.are_used(self.log.place(append.start).into(), append.data);
        let (appends, tail) = self.log.oldest_clean(self.settings.make_free, used);
        if appends == 0 {
            return;
        }
        let (stored, ring) = (&mut self.stored, self.log.sectors);
        self.log.give_up(appends, |extent| {
            let place = (extent.position % ring) as u32;
            stored.remove(extent.sector, u64::from(extent.sectors), Some(place));
        });
        self.write_tail(tail, io);
    }

    /// Writes down where the tail is, and that all that is stored is whole.
    pub(super) fn write_tail(&mut self, tail: u64, io: &mut Io) {
        let (job, stored) = (io.begin(), self.log.stored);
        self.cleaner.next_tail = Some(NextTail { job, tail, stored });
        io.note((job, 0), || notes::tail_note(tail, stored));
        io.submit(Part::own(job, MEMS, Op::Write, (self.log.first - 1, 1), tag::TAIL));
    }

    /// The note of the tail is on the device: the room before it is free.
    pub(super) fn tail_moved(&mut self, now: Time, desk: &mut PendingJobs, io: &mut Io) {
        let NextTail { job, tail, stored } = self.cleaner.next_tail.take().expect("it is being written");
        self.counts.tail_moves += u64::from(tail > self.log.tail);
        self.log.tail = tail;
        self.log.confirmed = self.log.confirmed.max(stored);
        io.complete(job, now);
        self.retry(desk, io);
    }
}
