//! Cleaning: the oldest data of the log go to the disk, when it is idle or the log runs full, and their room
//! becomes free.

use super::cleaner::{NextTail, Run, Segment};
use super::log::{Append, AppendRun};
use super::{notes, tag, Buffer};
use crate::request::Op;
use crate::time::Time;
use crate::volume::backing_store::{DISK, MEMS};
use crate::volume::pieces::PendingJobs;
use crate::volume::{Io, Part, Urgency};

impl Buffer {
    /// Cleans if needed: the log is fuller than its limit, or the disk has been idle long enough.
    pub(super) fn clean(&mut self, now: Time, io: &mut Io) {
        let dirty = self.log.dirty();
        if dirty == 0 {
            return;
        }
        let cleaner = &mut self.cleaner;
        if !io.is_idle(DISK) {
            cleaner.idle_since = None;
        }
        cleaner.is_pressed =
            dirty > self.settings.clean_above || (cleaner.is_pressed && dirty > self.settings.clean_to);
        if cleaner.is_pressed {
            cleaner.promote(io);
        }
        let mut may = cleaner.is_pressed;
        if let Some(since) = cleaner.idle_since.filter(|_| !may && dirty > self.settings.clean_idle_to) {
            let due = since + self.settings.clean_after;
            may = due <= now;
            if !may && !cleaner.is_timed {
                cleaner.is_timed = true;
                io.wake(due, 0);
            }
        }
        if may {
            self.go_on(io);
        }
    }

    fn go_on(&mut self, io: &mut Io) {
        while self.cleaner.segment.is_none() {
            let busy =
                |append: &Append| self.pins.are_written(self.log.place(append.start).into(), append.data);
            let Some(stretch) = self.log.oldest_dirty(self.settings.segment, busy) else { return };
            if !self.begin_segment(stretch, io) {
                self.log.cleaned(&stretch);
                if self.log.dirty() <= self.settings.clean_idle_to {
                    return;
                }
            }
        }
        self.send_runs(io);
    }

    /// Reads the live data of a segment in one piece, from first to last; returns false if there are no live
    /// data.
    fn begin_segment(&mut self, stretch: AppendRun, io: &mut Io) -> bool {
        let mut found = std::mem::take(&mut self.runs);
        self.cleaner.runs.clear();
        for extent in self.log.dirty_extents(stretch.extents) {
            found.clear();
            self.stored.runs(extent.sector, u64::from(extent.sectors), &mut found);
            let place = u64::from(self.log.place(extent.position));
            for run in &found {
                let own = place + (run.sector - extent.sector);
                if run.place.map(u64::from) == Some(own) {
                    let at = extent.position + (run.sector - extent.sector) - stretch.start;
                    self.cleaner.runs.push(Run { sector: run.sector, sectors: run.sectors, at });
                }
            }
        }
        self.runs = found;
        let live: u64 = self.cleaner.runs.iter().map(|run| run.sectors).sum();
        self.counts.cleaned_segments += 1;
        self.counts.cleaned_sectors += live;
        let (Some(first), Some(last)) = (self.cleaner.runs.first(), self.cleaner.runs.last()) else {
            return false;
        };
        let (at, end) = (first.at, last.at + last.sectors);
        let urgency = if self.cleaner.is_pressed { Urgency::Foreground } else { Urgency::Background };
        let job = io.begin_as(urgency);
        let sectors = (self.log.sector(stretch.start + at), (end - at) as u32);
        io.submit(Part { at, ..Part::own(job, MEMS, Op::Read, sectors, tag::CLEAN_READ) });
        self.cleaner.segment = Some(Segment { job, stretch, is_read: false, sent: 0, left: 0 });
        true
    }

    /// Sorts the data that were read by their place on the disk.
    pub(super) fn gather(&mut self, io: &mut Io) {
        let segment = self.cleaner.segment.as_mut().expect("one is being read");
        segment.is_read = true;
        let mut next = segment.stretch.end - segment.stretch.start;
        let runs = &mut self.cleaner.runs;
        runs.sort_unstable_by_key(|run| run.sector);
        let mut kept: usize = 0;
        for from in 0..runs.len() {
            let Run { sector, sectors, at } = runs[from];
            io.copy((segment.job, at), (segment.job, next), sectors);
            let goes_on = kept > 0 && runs[kept - 1].sector + runs[kept - 1].sectors == sector;
            if goes_on {
                runs[kept - 1].sectors += sectors;
            } else {
                runs[kept] = Run { sector, sectors, at: next };
                kept += 1;
            }
            next += sectors;
        }
        runs.truncate(kept);
    }

    /// Sends runs to the disk: one run if the disk is idle, so that a request waits for one run at most, or all
    /// remaining runs if a request waits for them.
    fn send_runs(&mut self, io: &mut Io) {
        let Some(segment) = self.cleaner.segment.as_ref().filter(|segment| segment.is_read) else { return };
        let (job, mut sent, mut left) = (segment.job, segment.sent, segment.left);
        let is_urgent = io.urgency(job) == Urgency::Foreground;
        while sent < self.cleaner.runs.len() && (is_urgent || left == 0) {
            let Run { sector, sectors, at } = self.cleaner.runs[sent];
            let run = (sector, sectors as u32);
            io.submit(Part { at, ..Part::own(job, DISK, Op::Write, run, tag::CLEAN_WRITE) });
            (sent, left) = (sent + 1, left + 1);
        }
        let segment = self.cleaner.segment.as_mut().expect("it is there");
        (segment.sent, segment.left) = (sent, left);
    }

    /// Ends the write of a run to the disk.
    pub(super) fn written_back(&mut self, now: Time, desk: &mut PendingJobs, io: &mut Io) {
        let segment = self.cleaner.segment.as_mut().expect("it is being written");
        segment.left -= 1;
        if segment.left > 0 || segment.sent < self.cleaner.runs.len() {
            return;
        }
        let (job, stretch) = (segment.job, segment.stretch);
        io.complete(job, now);
        if stretch.appends > 0 {
            self.log.cleaned(&stretch);
        }
        self.cleaner.segment = None;
        self.cleaner.forgot = false;
        self.read_late(desk, io);
        self.retry(desk, io);
    }

    /// Gives up clean data when room is needed: their sectors are dropped, and the new tail is written before
    /// anything takes their place.
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

    /// Writes a note of the tail, and that all stored appends are whole.
    pub(super) fn write_tail(&mut self, tail: u64, io: &mut Io) {
        let (job, stored) = (io.begin(), self.log.stored);
        self.cleaner.next_tail = Some(NextTail { job, tail, stored });
        io.note((job, 0), || notes::tail_note(tail, stored));
        io.submit(Part::own(job, MEMS, Op::Write, (self.log.first - 1, 1), tag::TAIL));
    }

    /// Frees the room before the tail, whose note is on the device.
    pub(super) fn tail_moved(&mut self, now: Time, desk: &mut PendingJobs, io: &mut Io) {
        let NextTail { job, tail, stored } = self.cleaner.next_tail.take().expect("it is being written");
        self.counts.tail_moves += u64::from(tail > self.log.tail);
        self.log.tail = tail;
        self.log.confirmed = self.log.confirmed.max(stored);
        io.complete(job, now);
        self.retry(desk, io);
    }
}
