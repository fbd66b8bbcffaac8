//! Operation without the MEMS device.

use super::slot::Slot;
use super::{Does, VirtualDisk};
use crate::time::Time;
use crate::volume::links::{Links, List};
use crate::volume::{Io, Job};

impl VirtualDisk {
    /// Restarts all requests that are not done, from the start: even a piece that is done may be lost again.
    pub(super) fn begin_anew(&mut self, now: Time, io: &mut Io) {
        let jobs: Vec<Job> = self.open.jobs().filter(|job| self.open.get(*job).pieces > 0).collect();
        let pieces: Vec<u32> = self.pieces.numbers().collect();
        for id in pieces {
            // Pieces on their way to the disk come back.
            if !self.pieces.get(id).is_direct {
                let job = self.pieces.remove(id).part.job;
                self.open.of(job).pieces -= 1;
            }
        }
        for job in jobs {
            self.cut(now, job, io);
        }
    }

    /// Begins an epoch: parts on their way to the disk belong to the previous epoch, and new work waits for them.
    pub(super) fn change_epoch(&mut self, io: &mut Io) {
        self.promote_all(io);
        self.epoch += 1;
        self.stragglers += std::mem::take(&mut self.disk_parts);
    }

    /// Drops all state of the MEMS device.
    pub(super) fn forget(&mut self) {
        let slots = self.shape.slots;
        self.policy = (self.make_policy)(slots);
        self.places.clear();
        self.slots.fill(Slot::default());
        self.empty = (0..slots).rev().collect();
        (self.dirty, self.links) = (List::default(), Links::new(slots as usize));
        self.cleaned = [None; 2];
        (self.starved, self.held) = (List::default(), List::default());
    }

    /// Takes a part that the disk was sent before the last change of epoch.
    pub(super) fn straggler(&mut self, now: Time, does: Does, number: u32, job: Job, io: &mut Io) {
        if does == Does::Direct {
            self.finish(number, now, io);
        } else {
            io.complete(job, now);
        }
        self.stragglers -= 1;
        self.release(now, io);
    }

    /// Releases held pieces when there are no stragglers.
    fn release(&mut self, now: Time, io: &mut Io) {
        if self.stragglers > 0 {
            return;
        }
        let mut held = std::mem::take(&mut self.held);
        while let Some(id) = self.pieces.pop(&mut held) {
            self.arrive(id, now, io);
        }
    }
}
