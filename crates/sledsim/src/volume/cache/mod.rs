//! Memory in front of a device: its own, or one that adapts speeds (001-F9).
//!
//! Lines hold any of their sectors, so that a write needs nothing from the device. Reads that find something missing
//! are one read of the device, from the first missing sector to the last; what the memory has is newer. What is in
//! memory is lost with the power: written through, a write is acknowledged when the device has it; written back,
//! when the memory has it, and it is safe some time later.

mod ahead;
mod cache_lines;
mod kind;
mod reads;
mod streams;
#[cfg(test)]
mod tests;
mod write_back;
mod writes;

use std::ops::Range;

use super::links::List;
use super::waiting::Waiting;
use super::{Io, Job, Part, Ranges, Ticket, Urgency, Volume, VolumeRequest};
use crate::counts::counts;
use crate::request::Op;
use crate::time::{Span, Time};
use cache_lines::Lines;
pub(super) use kind::ROW;
use streams::Streams;

/// Purpose of a part, in the lowest bits of its tag; above is the number of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Read,
    Ahead,
    Through,
    BackingStore,
}

const ALL: [Does; 4] = [Does::Read, Does::Ahead, Does::Through, Does::BackingStore];
const DOES_BITS: u32 = 2;

/// A request that cannot be answered at once.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    job: Job,
    first: u64,
    end: u64,
    op: Op,
    metadata: bool,
    /// A read: the sectors that come from the device. A write: those that are not in memory yet.
    from: u64,
    to: u64,
    /// A read: the first line that has no slot.
    cached_to: u64,
    /// A write through: what it holds.
    ticket: Option<Ticket>,
    /// A write: whether a line of it had no slot.
    is_missed: bool,
}

counts! {
    /// What is counted: of reads and writes, requests. A read hits if all of its sectors are in memory, a write if all of
    /// its lines have slots.
    Counts {
        /// reads that the memory answered
        read_hits: u64,
        /// reads that needed the device
        read_misses: u64,
        /// reads that waited for lines on their way
        read_waits: u64,
        /// writes that fell on lines in memory
        write_hits: u64,
        /// writes that fell on no line in memory
        write_misses: u64,
        /// writes that waited: for a free line, or for another write of the same sectors
        write_waits: u64,
        /// lines evicted for others
        evicted_lines: u64,
        /// requests that wrote lines back
        written_back_parts: u64,
        /// sectors written back
        written_back_sectors: u64,
        /// sectors read ahead
        read_ahead_sectors: u64,
        /// lines read ahead that a read then used
        read_ahead_used_lines: u64,
        /// lines read ahead that were evicted unread
        read_ahead_unused_lines: u64,
        /// sectors that are newer in memory than on the device at the end
        dirty_sectors: u64,
    }
}

#[derive(Clone)]
struct Cache {
    sectors: u64,
    hit: Span,
    is_back: bool,
    /// Dirty lines above which they are written back though requests wait.
    dirty_max: usize,
    /// How long a line is dirty before it is written back in idle time.
    dirty_for: Span,
    lines: Lines,
    streams: Streams,
    /// The job whose buffer is the memory: it is never done.
    memory: Job,
    waiters: Waiting<Waiter>,
    /// Writes that find no slot.
    starved: List,
    /// Ranges that are written through.
    ranges: Ranges,
    ready: Vec<u64>,
    /// Parts on their way that write back.
    backs: u32,
    /// Their sectors.
    leaving: u64,
    is_alarmed: bool,
    /// Jobs for which nobody waited when they set off, and the sectors of the device on their way.
    background: Vec<(Job, Range<u64>)>,
    counts: Counts,
}

impl Cache {
    fn tag(does: Does, number: u32) -> u64 {
        u64::from(number) << DOES_BITS | does as u64
    }

    /// Where a sector of a slot is in memory.
    fn place(&self, slot: u32, from: u32) -> (Job, u64) {
        (self.memory, (u64::from(slot) << self.lines.shift) + u64::from(from))
    }

    fn part(&self, waiter: &Waiter, (from, to): (u64, u64), tag: u64) -> Part {
        let (sectors, at) = ((to - from) as u32, from - waiter.first);
        let Waiter { op, metadata, job, .. } = *waiter;
        Part { member: 0, sector: from, sectors, op, metadata, job, at, tag }
    }

    fn count_write(&mut self, is_missed: bool) {
        *(if is_missed { &mut self.counts.write_misses } else { &mut self.counts.write_hits }) += 1;
    }

    fn send(&mut self, part: Part, io: &mut Io) {
        if io.urgency(part.job) == Urgency::Background {
            self.background.push((part.job, part.sector..part.sector + u64::from(part.sectors)));
        }
        io.submit(part);
    }

    /// A request waits for what is on its way for any of these sectors.
    fn hurry(&self, job: Job, sectors: &Range<u64>, io: &mut Io) {
        let meets = |other: &Range<u64>| other.start < sectors.end && sectors.start < other.end;
        let others = self.background.iter().filter(|(_, other)| meets(other));
        others.for_each(|(other, _)| io.wait_for(job, *other));
    }
}

impl Volume for Cache {
    fn sectors(&self) -> u64 {
        self.sectors
    }

    fn begin(&mut self, _now: Time, io: &mut Io) {
        self.memory = io.begin();
    }

    fn submit(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        let VolumeRequest { sector: first, sectors, op, metadata } = *request;
        let end = first + u64::from(sectors);
        let (from, to, cached_to, ticket, is_missed) = (first, end, 0, None, false);
        let waiter = Waiter { job, first, end, op, metadata, from, to, cached_to, ticket, is_missed };
        match op {
            Op::Read => {
                self.read(now, waiter, false, io);
                self.read_ahead(first, end, io.urgency(job), io);
            }
            Op::Write if self.is_back => self.write(now, waiter, io),
            Op::Write => self.write_through(waiter, io),
        }
    }

    fn done(&mut self, now: Time, part: &Part, io: &mut Io) {
        self.background.retain(|(job, _)| *job != part.job);
        let number = (part.tag >> DOES_BITS) as u32;
        match ALL[(part.tag & ((1 << DOES_BITS) - 1)) as usize] {
            Does::Read => self.has_read(number, now, io),
            Does::Ahead => self.has_read_ahead(part, now, io),
            Does::Through => self.written_through(number, now, io),
            Does::BackingStore => self.written_back(part, now, io),
        }
        self.feed(now, io);
    }

    fn promoted(&mut self, _now: Time, job: Job, io: &mut Io) {
        let Some(id) = self.waiters.numbers().find(|id| self.waiters.get(*id).job == job) else { return };
        let Waiter { first, end, op, .. } = self.waiters.get(id);
        match op {
            Op::Read => self.hurry(job, &(first..end), io),
            Op::Write if self.is_back => self.press(io),
            Op::Write => self.hurry_writes(id, io),
        }
    }

    fn woken(&mut self, now: Time, _token: u64, io: &mut Io) {
        self.is_alarmed = false;
        self.tidy(now, io);
    }

    fn idle(&mut self, now: Time, _member: u32, io: &mut Io) {
        self.tidy(now, io);
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        Counts {
            evicted_lines: self.lines.evicted,
            read_ahead_unused_lines: self.lines.ahead_unused,
            dirty_sectors: self.lines.dirty_sectors() + self.leaving,
            ..self.counts
        }
        .rows()
    }
}
