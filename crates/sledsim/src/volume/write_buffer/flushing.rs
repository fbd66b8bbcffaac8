//! Flushes of writes that were acknowledged in memory: the log must have them.

use super::flush::Flush;
use super::Buffer;
use crate::volume::{Io, Job};

impl Buffer {
    /// Flushes: every batch in memory goes to the log, and then the members are flushed.
    pub(super) fn start_flush(&mut self, job: Job, io: &mut Io) {
        match self.batches.queue.back().filter(|_| self.settings.acknowledges_in_memory) {
            None => io.flush_members(job),
            Some(last) => {
                self.flushes.push(Flush { job, last: last.start });
                self.batches.hurry(job, io);
            }
        }
    }

    /// Raises the urgency of the batches that a flush waits for, if the job is a flush.
    pub(super) fn hurry_flush(&self, job: Job, io: &mut Io) {
        if self.flushes.iter().any(|flush| flush.job == job) {
            self.batches.hurry(job, io);
        }
    }

    /// Continues the flushes whose batches are in the log, up to the batch at that position.
    pub(super) fn flush_up_to(&mut self, start: u64, io: &mut Io) {
        self.flushes.retain(|flush| {
            let waits = flush.last > start;
            if !waits {
                io.flush_members(flush.job);
            }
            waits
        });
    }
}
