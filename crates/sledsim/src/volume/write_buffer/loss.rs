//! The MEMS device fails: what was only in the log is lost, and everything goes to the disk.

use super::log::Log;
use super::pins::Pins;
use super::place_map::PlaceMap;
use super::Buffer;
use crate::time::Time;
use crate::volume::pieces::PendingJobs;
use crate::volume::Io;

impl Buffer {
    /// Requests that were on their way to the device, or waited for it, go to the disk.
    pub(super) fn lose(&mut self, now: Time, desk: &mut PendingJobs, io: &mut Io) {
        self.is_down = true;
        self.log = Log::new(self.log.first - 1, self.log.sectors + 1);
        (self.stored, self.memory) = (PlaceMap::default(), PlaceMap::default());
        self.pins = Pins::new(self.log.sectors);
        self.forgotten.clear();
        // All that comes now waits for it.
        self.cleaner.promote(io);
        self.cleaner.lose(now, io);
        self.bypass.lose();
        for batch in self.batches.lose() {
            batch.waiting.iter().for_each(|piece| self.bypass.enter(piece, 0, io));
            io.complete(batch.job, now);
            self.batches.recycle(batch);
        }
        for piece in std::mem::take(&mut self.reads).all() {
            self.late_reads.push(piece);
        }
        self.read_late(desk, io);
        self.retry(desk, io);
    }
}
