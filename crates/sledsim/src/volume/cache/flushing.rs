//! Flushes: what is dirty when a flush begins is written back, longest dirty first, and then the device is flushed.

use super::flush::Flush;
use super::writes::BACKS;
use super::Cache;
use crate::volume::{Io, Job, Urgency};

impl Cache {
    /// Starts a flush.
    pub(super) fn start_flush(&mut self, job: Job, io: &mut Io) {
        let slots = self.lines.links.iter(&self.lines.dirty);
        let lines = slots.map(|slot| self.lines.slots[slot as usize].number).collect();
        self.flushes.push(Flush { job, lines, backs: self.in_flight.clone() });
        self.hurry_flush(job, io);
        self.go_on_flushing(io);
    }

    /// Makes the write-backs in flight as urgent as the flush that waits for them.
    pub(super) fn hurry_flush(&self, job: Job, io: &mut Io) {
        if self.flushes.iter().any(|flush| flush.job == job) {
            self.in_flight.iter().for_each(|back| io.wait_for(job, *back));
        }
    }

    /// Notes that a write-back takes sectors of a line.
    pub(super) fn takes(&mut self, back: Job, line: u64, is_clean: bool) {
        for flush in self.flushes.iter_mut().filter(|flush| flush.lines.contains(&line)) {
            if is_clean {
                flush.lines.remove(&line);
            }
            if !flush.backs.contains(&back) {
                flush.backs.push(back);
            }
        }
    }

    /// Notes the end of a write-back, and continues the flushes.
    pub(super) fn has_taken(&mut self, back: Job, io: &mut Io) {
        self.in_flight.retain(|other| *other != back);
        self.flushes.iter_mut().for_each(|flush| flush.backs.retain(|other| *other != back));
        self.go_on_flushing(io);
    }

    /// Sends further write-backs for flushes, and ends the flushes that wait for none.
    fn go_on_flushing(&mut self, io: &mut Io) {
        while self.in_flight.len() < BACKS {
            let Some(flush) = self.flushes.iter().find(|flush| !flush.lines.is_empty()) else { break };
            let urgent = |flush: &Flush| io.urgency(flush.job) == Urgency::Foreground;
            let urgency = if urgent(flush) { Urgency::Foreground } else { Urgency::Background };
            let before = self.in_flight.len();
            self.write_back(urgency, io);
            if self.in_flight.len() == before {
                break;
            }
        }
        self.flushes.retain(|flush| {
            let waits = !flush.lines.is_empty() || !flush.backs.is_empty();
            if !waits {
                io.flush_members(flush.job);
            }
            waits
        });
    }
}
