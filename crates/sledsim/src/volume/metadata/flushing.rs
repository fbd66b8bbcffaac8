//! The steps of a flush, which copies changed metadata from the MEMS device to the disk.

use super::flush::{Run, TOGETHER};
use super::pages::Keeping;
use super::work::Phase;
use super::{tag, WithMetadata};
use crate::request::Op;
use crate::time::{Span, Time};
use crate::volume::backing_store::{BackingStore, DISK, FOREIGN_TAG, MEMS};
use crate::volume::pieces::RequestPart;
use crate::volume::ranges::Hold;
use crate::volume::sector_bits::runs;
use crate::volume::{Io, Job};

impl<B: BackingStore> WithMetadata<B> {
    /// Schedules the next flush at a multiple of `flush_every_s`, if metadata have changed.
    pub(super) fn schedule_flush(&mut self, now: Time, io: &mut Io) {
        let flush = &mut self.flush;
        let Some(Span(every)) = flush.every.filter(|_| !flush.is_timed && !flush.changed.is_empty()) else {
            return;
        };
        flush.is_timed = true;
        io.wake(Time((now.0 / every + 1) * every), FOREIGN_TAG);
    }

    /// Makes acknowledged metadata durable. A table in memory is lost with the power, so that changed metadata must be on
    /// the disk; other tables are on the MEMS device.
    pub(super) fn make_durable(&mut self, now: Time, job: Job, io: &mut Io) {
        if self.pages.keeping != Keeping::Memory {
            return self.back.flush(now, job, io);
        }
        self.flush.asked.push(job);
        if self.flush.is_over() {
            self.begin_flush(now, io);
        } else {
            self.hurry_flush(job, io);
        }
    }

    /// Makes the flush in progress as urgent as a request that waits for it.
    pub(super) fn hurry_flush(&mut self, job: Job, io: &mut Io) {
        let waits = self.flush.asked.contains(&job) || self.flush.served.contains(&job);
        let is_flush = |phase| matches!(phase, Phase::FlushReads | Phase::FlushEnters | Phase::FlushWrites);
        let works = self.works.all().filter(|work| waits && is_flush(work.phase));
        works.for_each(|work| io.wait_for(job, work.piece.job));
    }

    pub(super) fn flush_is_due(&mut self, now: Time, io: &mut Io) {
        self.flush.is_timed = false;
        if self.flush.jobs > 0 || self.flush.stalled {
            return self.schedule_flush(now, io);
        }
        self.begin_flush(now, io);
    }

    fn begin_flush(&mut self, now: Time, io: &mut Io) {
        self.flush.served.append(&mut self.flush.asked);
        self.counts.flushes += 1;
        let flush = &mut self.flush;
        flush.rest.append(&mut flush.changed);
        let table = &self.table;
        flush.rest.sort_unstable_by_key(|slot| std::cmp::Reverse(table.home(*slot)));
        self.next_flush(now, io);
    }

    /// Starts to copy the next units of the current flush. It first waits for writes in flight from the store below to
    /// the disk: their data are older, but could reach the disk later.
    pub(super) fn next_flush(&mut self, now: Time, io: &mut Io) {
        self.flush.stalled = !self.flush.rest.is_empty() && !self.back.has_forgotten();
        if self.flush.rest.is_empty() {
            return self.flush_is_over(now, io);
        }
        if self.flush.stalled {
            return self.schedule_flush(now, io);
        }
        let mut at = 0;
        self.flush.runs.clear();
        for _ in 0..TOGETHER {
            let Some(slot) = self.flush.rest.pop() else { break };
            let (home, first) = (self.table.home(slot), self.table.sector(slot));
            for (from, sectors) in runs(self.table.row(slot).begin_flush()) {
                let (from, sectors) = (u64::from(from), u64::from(sectors));
                self.flush.runs.push(Run { mems: first + from, sector: home + from, sectors, at });
                at += sectors;
            }
        }
        let job = io.begin_as(self.flush.urgency(io));
        let piece = RequestPart { job, at: 0, sector: 0, sectors: at, op: Op::Read, metadata: true };
        self.works.begin(&piece, Phase::FlushReads, true);
        self.flush.jobs = 1;
        for runs in self.flush.runs.chunk_by(|a, b| a.mems + a.sectors == b.mems) {
            let (sector, at) = (runs[0].mems, runs[0].at);
            let sectors = runs.iter().map(|run| run.sectors).sum::<u64>();
            self.desk.wait(job);
            self.works.of(job).on_mems += 1;
            io.submit(RequestPart { at, sectors, ..piece }.part(MEMS, sector, tag::FLUSH_READ));
        }
    }

    /// Ends a flush: requests for durable data go on to the store behind.
    pub(super) fn flush_is_over(&mut self, now: Time, io: &mut Io) {
        for job in std::mem::take(&mut self.flush.served) {
            self.back.flush(now, job, io);
        }
        if self.flush.asked.is_empty() {
            return self.schedule_flush(now, io);
        }
        self.begin_flush(now, io);
    }

    /// Handles the completion of the write of `job`, which copied metadata to the disk for a flush.
    pub(super) fn flush_has_written(&mut self, now: Time, job: Job, io: &mut Io) {
        let RequestPart { sector, sectors, .. } = self.works.of(job).piece;
        self.counts.flushed_sectors += sectors;
        self.table.end_flush(sector, sectors);
        self.end(now, job, io);
    }

    /// Writes the data that `job` has read from the MEMS device to the disk, consecutive sectors with one part. Each
    /// write first waits until no other job writes to its sectors.
    pub(super) fn flush_has_read(&mut self, now: Time, job: Job, io: &mut Io) {
        let runs = std::mem::take(&mut self.flush.runs);
        for runs in runs.chunk_by(|a, b| a.sector + a.sectors == b.sector) {
            let (Run { sector, at, .. }, own) = (runs[0], io.begin_as(self.flush.urgency(io)));
            let sectors = runs.iter().map(|run| run.sectors).sum();
            io.copy((job, at), (own, 0), sectors);
            let piece = RequestPart { job: own, at: 0, sector, sectors, op: Op::Write, metadata: true };
            self.works.begin(&piece, Phase::FlushEnters, true);
            self.flush.jobs += 1;
            if self.enter(own, sector, sectors, Hold::Exclusive, io) {
                self.write_flush(now, own, io);
            }
        }
        self.flush.runs = runs;
        self.end(now, job, io);
    }

    pub(super) fn write_flush(&mut self, now: Time, job: Job, io: &mut Io) {
        let work = self.works.of(job);
        work.phase = Phase::FlushWrites;
        let piece = work.piece;
        if self.pages.keeping == Keeping::Memory {
            // After a power failure only the store below knows where its newest data are.
            return self.back.submit(now, &piece, &mut self.desk, io);
        }
        self.desk.wait(job);
        io.submit(piece.part(DISK, piece.sector, tag::FLUSH_WRITE));
    }

    /// Records that a job of the flush has ended. After the last job of these units, the flush continues with the next
    /// units.
    pub(super) fn flush_ended(&mut self, now: Time, io: &mut Io) {
        self.flush.jobs -= 1;
        if self.flush.jobs == 0 {
            self.flush.outlives_mems = false;
            self.next_flush(now, io);
        }
    }
}
