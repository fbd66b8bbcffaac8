//! Service by the disk alone while the MEMS device is missing, and the change to and from this state.

use super::slot::Slot;
use super::{Does, VirtualDisk};
use crate::time::Time;
use crate::volume::links::{Links, List};
use crate::volume::{Io, Job};

impl VirtualDisk {
    /// Starts all incomplete requests again with all of their pieces, because the data of a complete piece may be lost,
    /// too. Only pieces that the disk already serves continue.
    pub(super) fn begin_anew(&mut self, now: Time, io: &mut Io) {
        let jobs: Vec<Job> = self.open.jobs().filter(|job| self.open.get(*job).pieces > 0).collect();
        let pieces: Vec<u32> = self.pieces.numbers().collect();
        for id in pieces {
            // Pieces that the disk serves directly will complete.
            if !self.pieces.get(id).is_direct {
                let job = self.pieces.remove(id).part.job;
                self.open.of(job).pieces -= 1;
            }
        }
        for job in jobs {
            self.cut(now, job, io);
        }
    }

    /// Starts a new epoch, after the MEMS device has failed or was replaced. Parts in flight to the disk belong to the
    /// previous epoch; requests wait until they are complete.
    pub(super) fn change_epoch(&mut self, io: &mut Io) {
        self.promote_all(io);
        self.epoch += 1;
        self.stragglers += std::mem::take(&mut self.disk_parts);
    }

    /// Resets all state about the content of the MEMS device: all slots are empty.
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

    /// Handles the completion of a part that was sent to the disk in a previous epoch (a straggler).
    pub(super) fn straggler(&mut self, now: Time, does: Does, number: u32, job: Job, io: &mut Io) {
        if does == Does::Direct {
            self.finish(number, now, io);
        } else {
            io.complete(job, now);
        }
        self.stragglers -= 1;
        self.release(now, io);
    }

    /// Continues the pieces that waited for parts of previous epochs, if none of these parts is in flight any more.
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
