//! Read-ahead for sequential streams of reads.

use super::{Cache, Does};
use crate::request::Op;
use crate::time::Time;
use crate::volume::{Io, Part, Urgency};

impl Cache {
    /// Detects sequential streams: records a read of the sectors from `first` up to but excluding `end`, and reads
    /// ahead if it continues a stream.
    pub(super) fn read_ahead(&mut self, first: u64, end: u64, urgency: Urgency, io: &mut Io) {
        let wanted = self.streams.read(first, end);
        let (mut from, mut to) = (wanted.start, wanted.end.min(self.sectors));
        for stretch in self.lines.stretches(from, to) {
            let line = self.lines.find(stretch.line).map(|slot| &self.lines.slots[slot as usize]);
            let missing = stretch.mask & !line.map_or(0, |line| line.valid | line.fetching);
            let start = stretch.line << self.lines.shift;
            if missing != 0 {
                from = start + u64::from(missing.trailing_zeros());
                break;
            }
            from = start + (1 << self.lines.shift);
        }
        if from >= to {
            return;
        }
        to = to.min(self.expect(from, to).saturating_mul(1 << self.lines.shift));
        if from >= to {
            return;
        }
        for stretch in self.lines.stretches(from, to) {
            let slot = self.lines.find(stretch.line).expect("the line received a slot above");
            let line = &mut self.lines.slots[slot as usize];
            line.is_ahead |= line.valid == 0;
        }
        // A read may soon wait for these sectors.
        let (job, tag) = (io.begin_as(urgency), Self::tag(Does::Ahead, 0));
        self.counts.read_ahead_sectors += to - from;
        self.send(Part::own(job, 0, Op::Read, (from, (to - from) as u32), tag), io);
    }

    pub(super) fn has_read_ahead(&mut self, part: &Part, now: Time, io: &mut Io) {
        let stretches = self.lines.stretches(part.sector, part.sector + u64::from(part.sectors));
        for stretch in stretches.clone() {
            self.keep(&stretch, (part.job, stretch.at), io);
        }
        io.complete(part.job, now);
        for stretch in stretches {
            self.wake(stretch.line, now, io);
        }
    }
}
