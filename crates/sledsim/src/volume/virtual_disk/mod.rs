//! A disk behind a MEMS device that caches segments of the disk. If the MEMS device holds all data that requests need,
//! the volume is as fast as the MEMS device alone (003-F9).
//!
//! The MEMS device serves all requests. A segment that is missing there is copied from the disk by one large read and
//! one large write; a segment that is newer than on the disk is copied back in the same way. A table on the MEMS
//! device lists the segments there and survives a power failure. The order of writes keeps the table correct:
//! - the table drops the segment in a slot only when the disk has its data, and only then is the slot overwritten;
//! - the table lists a segment only when all of it is in the slot;
//! - a request writes to a segment only when the table calls it dirty; the table may call it dirty longer than needed.
//!
//! Hence all acknowledged data survive a power failure. If the MEMS device fails, the data already written
//! back survive, and the disk serves requests until a new MEMS device is present. If the disk fails, the
//! volume cannot work.

mod copies;
mod failure;
mod kind;
mod pieces;
mod segment_table;
mod serving;
mod shape;
mod slot;
#[cfg(test)]
mod tests;

use super::backing_store::{DISK, MEMS};
use super::links::{Links, List};
use super::per_job::PerJob;
use super::replacement::Replacement;
use super::waiting::Waiting;
use super::{FindNote, Io, Job, Part, Volume, VolumeRequest};
use crate::counts::counts;
use crate::error::{fault, Result};
use crate::hashing::ByNumber;
use crate::time::Time;
pub(super) use kind::ROW;
use pieces::{Does, Open, SegmentPart};
use segment_table::{Entry, Table};
use shape::Shape;
use slot::{CopySource, Copying, Slot, State};

const ALL: [Does; 7] =
    [Does::Serve, Does::Fetch, Does::Fill, Does::CopyOut, Does::CopyBack, Does::Table, Does::Direct];

/// Number of bits of a tag that hold the purpose of a part.
const DOES_BITS: u32 = 3;
/// Number of low bits of a tag that hold the purpose of a part and the number of a piece, slot or sector; the higher
/// bits hold the epoch.
const EPOCH_SHIFT: u32 = DOES_BITS + u32::BITS;

counts! {
    /// Counts of requests and segments. A request is divided into pieces, each within one segment.
    Counts {
        /// pieces of requests, each within one segment, whose segment was on the MEMS device
        hits: u64,
        /// pieces of requests, each within one segment, whose segment was not on the MEMS device
        misses: u64,
        /// segments read from the disk to be cached on the MEMS device
        fetched_segments: u64,
        /// segments that one request wrote as a whole, so that they were not read from the disk
        whole_segment_writes: u64,
        /// segments evicted to make space for other segments
        evicted_segments: u64,
        /// segments written back from the MEMS device to the disk
        written_back_segments: u64,
        /// pieces of requests, each within one segment, that waited because every slot for a segment was busy
        waits_for_slot: u64,
        /// writes of a sector of the table, which states the segment in each slot
        table_writes: u64,
        /// pieces of requests, each within one segment, that the disk served because the MEMS device had failed
        direct_pieces: u64,
        /// segments on the MEMS device at the end of the run
        resident_segments: u64,
        /// sectors of the segments that are dirty (newer on the MEMS device than on the disk) at the end of the run
        dirty_sectors: u64,
    }
}

#[derive(Clone)]
struct VirtualDisk {
    shape: Shape,
    make_policy: fn(u32) -> Box<dyn Replacement>,
    policy: Box<dyn Replacement>,
    /// The slot of each segment on the MEMS device, including segments that are being copied there or evicted.
    places: ByNumber<u32>,
    slots: Vec<Slot>,
    /// Slots that hold no segment and await none.
    empty: Vec<u32>,
    table: Table,
    pieces: Waiting<SegmentPart>,
    open: PerJob<Open>,
    /// Pieces of requests whose segments have no slot, because every slot is busy.
    starved: List,
    /// Slots whose segment is newer than on the disk; the slot that became dirty first is the first.
    dirty: List,
    links: Links,
    /// Slots whose segment is being written back before its eviction: at most one because the disk is idle, and at most
    /// one because too many slots are dirty.
    cleaned: [Option<u32>; 2],
    /// Number of dirty slots above which segments are written back while the disk is idle; above `dirty_high`, at any
    /// time.
    dirty_low: usize,
    dirty_high: usize,
    /// Number of parts in flight to the disk that were sent in the current epoch.
    disk_parts: u32,
    /// Number of parts in flight to the disk that were sent in previous epochs: before the MEMS device failed or was
    /// replaced.
    stragglers: u32,
    /// Current epoch: the number of failures and replacements of the MEMS device so far.
    epoch: u32,
    is_without_mems: bool,
    /// Pieces of requests that wait until no part of a previous epoch is in flight.
    held: List,
    noted_slots: Vec<u32>,
    counts: Counts,
}

impl VirtualDisk {
    fn tag(&self, does: Does, number: u32) -> u64 {
        u64::from(self.epoch) << EPOCH_SHIFT | u64::from(number) << DOES_BITS | does as u64
    }

    fn send(&mut self, part: Part, io: &mut Io) {
        self.disk_parts += u32::from(part.member == DISK);
        io.submit(part);
    }

    /// Handles the completion of a write of one sector of the table; continues the slots whose entries it stored.
    fn table_says(&mut self, now: Time, part: &Part, io: &mut Io) {
        let mut noted_slots = std::mem::take(&mut self.noted_slots);
        self.table.done(now, part, &mut noted_slots, io);
        for slot in noted_slots.drain(..) {
            self.advance(slot, now, io);
            if self.slots[slot as usize].state == State::Resident {
                self.wake(slot, now, io);
            }
        }
        self.noted_slots = noted_slots;
    }

    /// Continues the pieces of requests that wait for a free slot, the oldest first.
    fn feed(&mut self, now: Time, io: &mut Io) {
        while let Some(id) = self.pieces.pop(&mut self.starved) {
            if self.places.contains_key(&self.pieces.get(id).segment) {
                self.dispatch(id, now, io);
            } else if !self.bring(id, now, io) {
                self.pieces.push_front(&mut self.starved, id);
                self.hurry_all(self.pieces.get(id).part.job, io);
                break;
            }
        }
    }
}

impl Volume for VirtualDisk {
    fn sectors(&self) -> u64 {
        self.shape.disk
    }

    fn submit(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        *self.open.of(job) = Open { request: Some(*request), pieces: 0 };
        self.cut(now, job, io);
    }

    fn done(&mut self, now: Time, part: &Part, io: &mut Io) {
        let does = ALL[(part.tag & ((1 << DOES_BITS) - 1)) as usize];
        let number = (part.tag >> DOES_BITS) as u32;
        if part.tag >> EPOCH_SHIFT != u64::from(self.epoch) {
            return self.straggler(now, does, number, part.job, io);
        }
        self.disk_parts -= u32::from(part.member == DISK);
        match does {
            Does::Serve => self.served(number, now, io),
            Does::Fetch => self.fetched(number, now, io),
            Does::Fill => self.filled(number, now, io),
            Does::CopyOut => self.copied_out(number, part, io),
            Does::CopyBack => self.copied_back(number, now, part.job, io),
            Does::Table => self.table_says(now, part, io),
            Does::Direct => self.finish(number, now, io),
        }
        self.feed(now, io);
    }

    fn promoted(&mut self, _now: Time, job: Job, io: &mut Io) {
        let waiting =
            self.pieces.numbers().map(|id| self.pieces.get(id)).filter(|piece| piece.part.job == job);
        for piece in waiting {
            match self.places.get(&piece.segment) {
                Some(slot) => self.hurry(job, *slot, io),
                None => self.hurry_all(job, io),
            }
        }
    }

    fn idle(&mut self, _now: Time, _member: u32, io: &mut Io) {
        self.clean(io);
    }

    fn fail(&mut self, now: Time, member: u32, io: &mut Io) -> Result<()> {
        if member == DISK {
            let text = "virtual-disk: the disk has failed, and the volume cannot work without the disk";
            return fault(text.into());
        }
        // All requests restart with the disk alone, after the parts in flight to the disk have completed:
        // such a part may carry older data.
        self.change_epoch(io);
        self.is_without_mems = true;
        for slot in &self.slots {
            if let Copying::Reading(job) = slot.copying {
                io.complete(job, now);
            }
            if let Some((_, CopySource::Memory(job))) = slot.next {
                io.complete(job, now);
            }
        }
        self.table.give_up(now, io);
        self.forget();
        self.begin_anew(now, io);
        Ok(())
    }

    fn replace(&mut self, _now: Time, member: u32, io: &mut Io) {
        if member == MEMS {
            self.change_epoch(io);
            self.is_without_mems = false;
        }
    }

    fn recover(&mut self, read: &mut FindNote<'_>) {
        self.empty.clear();
        for (slot, entry) in self.table.recover(read) {
            let (Entry::Clean(segment) | Entry::Dirty(segment)) = entry else {
                self.empty.push(slot);
                continue;
            };
            self.places.insert(segment, slot);
            self.policy.insert(slot, segment);
            let is_dirty = entry == Entry::Dirty(segment);
            self.slots[slot as usize] = Slot { segment, state: State::Resident, is_dirty, ..Slot::default() };
            if is_dirty {
                self.links.push(&mut self.dirty, slot);
            }
        }
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        let sectors = |slot: u32| u64::from(self.shape.sectors(self.slots[slot as usize].segment));
        Counts {
            table_writes: self.table.writes,
            resident_segments: self.places.len() as u64,
            dirty_sectors: self.links.iter(&self.dirty).map(sectors).sum::<u64>(),
            ..self.counts
        }
        .rows()
    }
}
