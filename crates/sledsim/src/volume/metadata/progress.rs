//! Progress of jobs: each continues when the events that it waits for have happened, and ends after its last step.

use super::work::Phase;
use super::WithMetadata;
use crate::time::Time;
use crate::volume::backing_store::BackingStore;
use crate::volume::ranges::Hold;
use crate::volume::{Io, Job};

impl<B: BackingStore> WithMetadata<B> {
    /// Continues all jobs that no longer wait for any event, and a flush that need not wait any longer.
    pub(super) fn settle(&mut self, now: Time, io: &mut Io) {
        loop {
            while let Some(job) = self.desk.next_ready() {
                self.go_on(now, job, io);
            }
            if !self.flush.stalled || !self.back.has_forgotten() {
                return;
            }
            self.next_flush(now, io);
        }
    }

    fn go_on(&mut self, now: Time, job: Job, io: &mut Io) {
        let work = self.works.of(job);
        if work.is_lost && work.is_own {
            return self.end(now, job, io);
        }
        if std::mem::take(&mut work.is_lost) {
            return self.start(now, job, io);
        }
        match work.phase {
            Phase::Waits => self.start(now, job, io),
            Phase::Fetches => self.fetched(now, job, io),
            Phase::Moves => self.moved(job, io),
            Phase::Notes => self.noted(now, job, io),
            Phase::FlushReads => self.flush_has_read(now, job, io),
            Phase::FlushEnters => self.write_flush(now, job, io),
            Phase::FlushWrites => self.flush_has_written(now, job, io),
            Phase::Plain | Phase::None => self.end(now, job, io),
        }
    }

    /// Claims `sectors` sectors of the disk from `sector` on for `job`, shared or exclusively as `hold` states. Returns
    /// false if `job` must wait for other jobs.
    pub(super) fn enter(&mut self, job: Job, sector: u64, sectors: u64, hold: Hold, io: &mut Io) -> bool {
        let (ticket, is_in) = self.ranges.enter(sector..sector + sectors, hold, u64::from(job.0));
        self.works.of(job).held = Some((ticket, hold));
        if !is_in {
            self.desk.wait(job);
            self.hurry(job, io);
        }
        is_in
    }

    /// Promotes to foreground all jobs for which `job` waits, if `job` itself is foreground.
    pub(super) fn hurry(&mut self, job: Job, io: &mut Io) {
        if let Some(ticket) = self.works.held(job) {
            self.ranges.blockers(ticket).for_each(|other| io.wait_for(job, Job(other as u32)));
        }
    }

    /// Ends a job, and continues the jobs that waited for its range of sectors.
    pub(super) fn end(&mut self, now: Time, job: Job, io: &mut Io) {
        let work = self.works.end(job);
        if let Some((ticket, _)) = work.held {
            self.ranges.leave(ticket, &mut self.ready);
            self.ready.drain(..).for_each(|token| self.desk.end(Job(token as u32)));
        }
        io.complete(job, now);
        if matches!(work.phase, Phase::FlushReads | Phase::FlushEnters | Phase::FlushWrites) {
            self.flush_ended(now, io);
        }
    }
}
