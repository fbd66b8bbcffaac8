//! Cache in memory in front of a device: the device's own cache, or a speed-matching buffer (001-F9).
//!
//! A line may hold any subset of its sectors, so that a write needs no read of the device. A read with missing sectors
//! becomes one read of the device, from the first missing sector to the last; if memory has a newer version of one of
//! them, that version counts. A power failure loses the content of memory. With writes=through, a write is acknowledged
//! when its data are on the device; with writes=back, when its data are in memory, which is before they are safe.

mod ahead;
mod cache_lines;
mod flush;
mod flushing;
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
use flush::Flush;
pub(super) use kind::ROW;
use streams::Streams;

/// Purpose of a part. The lowest bits of the part's tag hold it; the other bits hold the number of the waiting request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Read,
    Ahead,
    Through,
    BackingStore,
}

const ALL: [Does; 4] = [Does::Read, Does::Ahead, Does::Through, Does::BackingStore];
const DOES_BITS: u32 = 2;

/// A request that waits for the device, for a free slot or for another request.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    job: Job,
    first: u64,
    end: u64,
    op: Op,
    metadata: bool,
    /// First sector to be read from the device (of a read), or first sector that is not yet in memory (of a write).
    /// Sectors up to `to` follow.
    from: u64,
    to: u64,
    /// First line of a read that found no free slot: data of this line and of later ones are not kept in memory.
    cached_to: u64,
    /// Ticket of a write with writes=through. With it the write waits for its range of sectors, or holds the range.
    ticket: Option<Ticket>,
    /// True if one of the lines that the write covers was not in memory.
    is_missed: bool,
}

counts! {
    /// Counts of requests to a cache. A read is a hit if all its sectors are in memory; a write is a hit if all its
    /// lines are.
    Counts {
        /// reads that memory answered without the device
        read_hits: u64,
        /// reads that needed data from the device
        read_misses: u64,
        /// reads that waited for sectors already in flight from the device
        read_waits: u64,
        /// writes whose lines were all in memory
        write_hits: u64,
        /// writes with at least one line that was not in memory
        write_misses: u64,
        /// writes that waited for a free slot for a line, or for another write to the same sectors
        write_waits: u64,
        /// lines evicted to make space for other lines
        evicted_lines: u64,
        /// write requests to the device that wrote dirty sectors back
        written_back_parts: u64,
        /// sectors written back to the device
        written_back_sectors: u64,
        /// sectors that were read ahead of a sequential stream of reads
        read_ahead_sectors: u64,
        /// lines that were read ahead and that a later read used
        read_ahead_used_lines: u64,
        /// lines that were read ahead and evicted before any read used them
        read_ahead_unused_lines: u64,
        /// sectors that are newer in memory than on the device at the end of the run
        dirty_sectors: u64,
    }
}

#[derive(Clone)]
struct Cache {
    sectors: u64,
    hit: Span,
    is_back: bool,
    /// Largest number of dirty lines; above this number, lines are written back even while requests wait.
    dirty_max: usize,
    /// Time after which a dirty line is written back when the device is idle.
    dirty_for: Span,
    lines: Lines,
    streams: Streams,
    /// Job whose buffer is the memory of the cache. It begins with the run and never ends.
    memory: Job,
    waiters: Waiting<Waiter>,
    /// Writes that wait for a free slot, the oldest first.
    starved: List,
    /// Ranges of sectors of the writes with writes=through that are in flight to the device or wait for one another.
    ranges: Ranges,
    ready: Vec<u64>,
    /// Jobs of the write-backs in flight.
    in_flight: Vec<Job>,
    /// Flushes that wait for write-backs.
    flushes: Vec<Flush>,
    /// Number of sectors that parts in flight are writing back to the device.
    leaving: u64,
    is_alarmed: bool,
    /// Background jobs with a part in flight, each with the range of sectors that the part covers.
    background: Vec<(Job, Range<u64>)>,
    counts: Counts,
}

impl Cache {
    fn tag(does: Does, number: u32) -> u64 {
        u64::from(number) << DOES_BITS | does as u64
    }

    /// The place of a sector in memory: `from` counts it from the start of the line in the slot `slot`.
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

    /// Promotes to foreground all background jobs with a part in flight on one of these sectors, if `job`, which waits
    /// for them, is foreground.
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

    fn has_write_cache(&self) -> bool {
        self.is_back
    }

    fn flush(&mut self, _now: Time, job: Job, io: &mut Io) {
        self.start_flush(job, io);
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
        self.hurry_flush(job, io);
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
