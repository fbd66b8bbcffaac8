//! Cleaning of the log: its oldest data are copied to the disk, while the disk is idle or because the log is too full.
//! Their room in the log can be freed afterwards.

use super::cleaner::{NextTail, Run, Segment};
use super::log::{Append, AppendRun};
use super::{notes, tag, Buffer};
use crate::request::Op;
use crate::time::Time;
use crate::volume::backing_store::{DISK, MEMS};
use crate::volume::pieces::PendingJobs;
use crate::volume::{Io, Part, Urgency};

impl Buffer {
    /// Starts or continues to clean the log, if it is too full or if the disk has been idle for long enough.
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

    /// Starts to clean the segment `stretch`: one part reads it, from the first to the last sector that is the newest
    /// version of its data. Returns false if the segment has no such sector.
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

    /// Sorts the data of the segment by sector of the disk, after they were read from the log.
    pub(super) fn gather(&mut self, io: &mut Io) {
        let segment = self.cleaner.segment.as_mut().expect("a segment is being read");
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

    /// Sends runs of the segment to the disk: all remaining ones if a request waits for them; otherwise one at a time,
    /// so that a request to the disk has to wait for one run only.
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
        let segment = self.cleaner.segment.as_mut().expect("the segment was found above");
        (segment.sent, segment.left) = (sent, left);
    }

    /// Handles the completion of the write of a run to the disk; after the last run, the segment is clean.
    pub(super) fn written_back(&mut self, now: Time, desk: &mut PendingJobs, io: &mut Io) {
        let segment = self.cleaner.segment.as_mut().expect("a segment is being written");
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

    /// Frees room in the log if it runs short: drops the oldest clean appends from the map, and writes a note that
    /// moves the tail behind them. Their room is free when the note is on the MEMS device.
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

    /// Writes a note to the MEMS device that moves the tail of the log to `tail`. The note also confirms that all
    /// appends that are now in the log are complete.
    pub(super) fn write_tail(&mut self, tail: u64, io: &mut Io) {
        let (job, stored) = (io.begin(), self.log.stored);
        self.cleaner.next_tail = Some(NextTail { job, tail, stored });
        io.note((job, 0), || notes::tail_note(tail, stored));
        io.submit(Part::own(job, MEMS, Op::Write, (self.log.first - 1, 1), tag::TAIL));
    }

    /// Frees the room in the log before the new tail, after the note with this tail has reached the MEMS device.
    pub(super) fn tail_moved(&mut self, now: Time, desk: &mut PendingJobs, io: &mut Io) {
        let NextTail { job, tail, stored } =
            self.cleaner.next_tail.take().expect("a note with a new tail is in flight");
        self.counts.tail_moves += u64::from(tail > self.log.tail);
        self.log.tail = tail;
        self.log.confirmed = self.log.confirmed.max(stored);
        io.complete(job, now);
        self.retry(desk, io);
    }
}
