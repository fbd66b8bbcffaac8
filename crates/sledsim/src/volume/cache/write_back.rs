//! Write-back of dirty sectors: consecutive dirty sectors are written to the device with one part.

use super::cache_lines::Line;
use super::{Cache, Does};
use crate::request::Op;
use crate::time::Time;
use crate::volume::sector_bits::ones;
use crate::volume::{Io, Part, Urgency};

/// Largest number of sectors that one part writes back, 512 KiB. It may be exceeded by the rest of the last line.
const TOGETHER: u64 = 1024;
/// Largest number of dirty lines that are examined in search of a line that is not already being written back.
const LOOKED_AT: usize = 32;

/// A run: consecutive sectors of a line that one part may write back, as the first and one past the last. All of them
/// are valid, and the first and the last are dirty.
type Run = (u32, u32);

impl Line {
    /// The run that starts at the first dirty sector of the line, from the sector `from` on. A line has `width`
    /// sectors.
    fn run(&self, from: u32, width: u32) -> Run {
        let first = from + (self.dirty >> from).trailing_zeros();
        let valid = (self.valid >> first).trailing_ones().min(width - first);
        let dirty = self.dirty >> first & ones(valid);
        (first, first + u64::BITS - dirty.leading_zeros())
    }

    /// The first sector of the run that ends at the end of the line. A line has `width` sectors.
    fn last_run(&self, width: u32) -> u32 {
        let valid = (self.valid << (u64::BITS - width)).leading_ones().min(width);
        let from = width - valid;
        from + (self.dirty >> from).trailing_zeros()
    }
}

impl Cache {
    /// Writes the line back that became dirty first, together with dirty sectors that directly precede or follow it.
    pub(super) fn write_back(&mut self, urgency: Urgency, io: &mut Io) {
        let is_here = |slot: &u32| !self.lines.slots[*slot as usize].is_leaving;
        let oldest = self.lines.links.iter(&self.lines.dirty).take(LOOKED_AT).find(is_here);
        let Some(slot) = oldest else { return };
        let width = 1 << self.lines.shift;
        let first = self.first_of_neighbours(slot, width);
        let (mut line, mut run) = first;
        let sector = (line << self.lines.shift) + u64::from(run.0);
        let (job, mut sectors) = (io.begin_as(urgency), 0);
        while let Some(slot) = self.lines.find(line) {
            let count = u64::from(run.1 - run.0);
            io.copy(self.place(slot, run.0), (job, sectors), count);
            sectors += count;
            self.lines.leave(slot, ones(run.1 - run.0) << run.0);
            self.takes(job, line, self.lines.slots[slot as usize].dirty == 0);
            let goes_on = run.1 == width && sectors < TOGETHER;
            let next = self.dirty_neighbour(line + 1).filter(|next| goes_on && next.dirty & 1 != 0);
            let Some(next) = next else { break };
            line += 1;
            run = next.run(0, width);
        }
        self.in_flight.push(job);
        self.leaving += sectors;
        self.counts.written_back_parts += 1;
        self.counts.written_back_sectors += sectors;
        let tag = Self::tag(Does::BackingStore, 0);
        self.send(Part::own(job, 0, Op::Write, (sector, sectors as u32), tag), io);
    }

    /// Finds where to start a write-back: the first of the consecutive dirty sectors that lead up to the line in
    /// `slot`. Returns the number of its line, and the run there.
    fn first_of_neighbours(&self, slot: u32, width: u32) -> (u64, Run) {
        let line = &self.lines.slots[slot as usize];
        let (mut number, mut run) = (line.number, line.run(0, width));
        for _ in 0..TOGETHER >> self.lines.shift {
            let before = number.checked_sub(1).and_then(|before| self.dirty_neighbour(before));
            let Some(before) = before.filter(|line| run.0 == 0 && line.dirty >> (width - 1) & 1 != 0) else {
                break;
            };
            number -= 1;
            run = (before.last_run(width), width);
        }
        (number, run)
    }

    fn dirty_neighbour(&self, line: u64) -> Option<Line> {
        let line = self.lines.slots[self.lines.find(line)? as usize];
        (line.dirty != 0 && !line.is_leaving).then_some(line)
    }

    /// Handles the completion of a part that wrote dirty sectors back.
    pub(super) fn written_back(&mut self, part: &Part, now: Time, io: &mut Io) {
        for stretch in self.lines.stretches(part.sector, part.sector + u64::from(part.sectors)) {
            let slot =
                self.lines.find(stretch.line).expect("a line stays in its slot while it is written back");
            let line = &mut self.lines.slots[slot as usize];
            line.pins -= 1;
            line.is_leaving = false;
        }
        self.leaving -= u64::from(part.sectors);
        io.complete(part.job, now);
        self.has_taken(part.job, io);
        self.tidy(now, io);
    }
}
