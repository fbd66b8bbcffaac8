//! A write buffer for a disk, on a MEMS device. All writes go to a log on the MEMS device; while the disk is idle,
//! their data are copied from the log to the disk (003-F4).

mod batches;
mod bypass;
mod bypassing;
mod cleaner;
mod cleaning;
mod counts;
mod flush;
mod flushing;
mod log;
mod notes;
mod pins;
mod place_map;
mod reading;
mod settings;
mod tag;
#[cfg(test)]
mod tests;
mod writing;

use std::collections::VecDeque;

use super::backing_store::{BackingStore, StoreVolume, DISK, MEMS};
use super::pieces::{PendingJobs, RequestPart};
use super::shared_bus::SHARED_BUS;
use super::{FindNote, Io, Job, Kept, Members, Part, Promises, Start, Volume, VolumeKind, VolumeRow};
use crate::error::Result;
use crate::options::Options;
use crate::request::Op;
use crate::slab::Slab;
use crate::time::Time;
use batches::Batches;
use bypass::Bypass;
use cleaner::Cleaner;
pub(super) use counts::Counts;
use flush::Flush;
use log::Log;
use pins::Pins;
use place_map::{PlaceMap, Run};
use settings::Settings;
pub(super) use settings::{OPTIONS, ROLES};

/// Entry of the write buffer in the table of volumes.
pub(super) const ROW: VolumeRow = VolumeRow::new(
    "write-buffer",
    "disk with a write buffer on a MEMS device: writes go to a log on the MEMS device, and are copied to the disk while the disk is idle",
    VolumeKind {
        roles: ROLES,
        counters: &[Counts::COUNTERS],
        promises: Promises {
            options: "buffer_mb=0.05,segment_kib=16",
            members: &[&[300], &[120]],
            start: Start::Home(0),
            largest: 24,
            metadata: 0.1,
            after_power: |_| Kept::All,
            after_failure: |member, _| if member == 0 { Kept::Refused } else { Kept::PerhapsOlder },
            failures: true,
        },
        build,
    },
)
.aliases(&["mcd"])
.source("003-F4")
.options(&[OPTIONS, SHARED_BUS]);

/// Builds a disk with a write buffer.
///
/// # Errors The errors of [`buffer`].
fn build(options: &Options, members: &Members) -> Result<Box<dyn Volume>> {
    let back = buffer(options, members[0][0], members[1][0], 0)?;
    Ok(Box::new(StoreVolume { back, desk: PendingJobs::default() }))
}

/// Builds the write buffer of a disk of `disk` sectors, on a MEMS device of `mems` sectors from sector `first` on.
///
/// # Errors The buffer is too small or too large for the MEMS device, or another option is invalid.
pub(super) fn buffer(options: &Options, disk: u64, mems: u64, first: u64) -> Result<Buffer> {
    Ok(Buffer::new(settings::settings(options, disk, mems, first)?, first))
}

/// A disk with a write buffer, which is a log on a MEMS device.
#[derive(Clone, Default)]
pub(super) struct Buffer {
    settings: Settings,
    log: Log,
    /// Map from sectors of the disk to the places of their newest versions in the log.
    stored: PlaceMap,
    /// Map of the data that were acknowledged in memory and are not yet in the log: from sectors of the disk to the
    /// places that their newest versions will have in the log.
    memory: PlaceMap,
    batches: Batches,
    /// Number of foreground parts that the MEMS device must still complete before the oldest waiting batch is sent:
    /// those in flight when this batch began.
    urgent_ahead: u32,
    pins: Pins,
    /// Pieces of reads with a part in flight to the log.
    reads: Slab<RequestPart>,
    bypass: Bypass,
    cleaner: Cleaner,
    /// Sectors that the layer above dropped while a batch might hold data of them: first sector, number of sectors, and
    /// head of the log at that time.
    forgotten: VecDeque<(u64, u64, u64)>,
    runs: Vec<Run>,
    /// True if the MEMS device has failed and was not replaced.
    is_down: bool,
    /// Reads that wait until data of the failed log that are in flight to the disk have arrived there.
    late_reads: Vec<RequestPart>,
    /// Flushes that wait for batches.
    flushes: Vec<Flush>,
    counts: Counts,
}

impl Buffer {
    fn new(settings: Settings, first: u64) -> Self {
        let log = Log::new(first, settings.log_sectors);
        Self { pins: Pins::new(log.sectors), log, settings, ..Self::default() }
    }

    /// The place in the ring of the log at which a part to the MEMS device begins.
    fn place_of(&self, part: &Part) -> u64 {
        part.sector - self.log.first
    }

    /// Starts everything that is possible now: sends a batch, frees room in the log, and cleans the log.
    fn make_progress(&mut self, now: Time, io: &mut Io) {
        self.send_batch(io);
        self.give_up_clean(io);
        self.clean(now, io);
    }
}

impl BackingStore for Buffer {
    fn sectors(&self) -> u64 {
        self.settings.disk_sectors
    }

    fn submit(&mut self, now: Time, piece: &RequestPart, desk: &mut PendingJobs, io: &mut Io) {
        match piece.op {
            Op::Read => self.read_or_wait(piece, desk, io),
            Op::Write => self.write(piece, desk, io),
        }
        self.make_progress(now, io);
    }

    fn has_write_cache(&self) -> bool {
        self.settings.acknowledges_in_memory
    }

    fn flush(&mut self, now: Time, job: Job, io: &mut Io) {
        self.start_flush(job, io);
        self.make_progress(now, io);
    }

    fn done(&mut self, now: Time, part: &Part, desk: &mut PendingJobs, io: &mut Io) {
        if part.member == MEMS {
            self.urgent_ahead = self.urgent_ahead.saturating_sub(1);
        }
        match part.tag & ((1 << tag::BITS) - 1) {
            tag::READ_DISK => desk.end(part.job),
            tag::READ_LOG => {
                self.reads.remove((part.tag >> tag::BITS) as u32);
                self.pins.end(Op::Read, self.place_of(part), u64::from(part.sectors));
                desk.end(part.job);
            }
            tag::APPEND => self.landed(now, desk, io),
            tag::BYPASS_DISK | tag::BYPASS_LOG => self.bypassed(part, desk, io),
            tag::CLEAN_READ => self.gather(io),
            tag::CLEAN_WRITE => self.written_back(now, desk, io),
            _ => self.tail_moved(now, desk, io),
        }
        self.make_progress(now, io);
    }

    fn begin(&mut self, now: Time, io: &mut Io) {
        self.cleaner.idle_since = Some(now);
        self.make_progress(now, io);
    }

    fn woken(&mut self, now: Time, io: &mut Io) {
        self.cleaner.is_timed = false;
        self.make_progress(now, io);
    }

    fn promoted(&mut self, job: Job, desk: &mut PendingJobs, io: &mut Io) {
        if self.batches.queue.iter().any(|batch| batch.waiting.iter().any(|piece| piece.job == job)) {
            self.batches.hurry(job, io);
        }
        if self.late_reads.iter().any(|piece| piece.job == job) {
            self.cleaner.hurry(job, io);
        }
        self.hurry_flush(job, io);
        self.bypass.promoted(job, io);
        self.retry(desk, io);
    }

    fn idle(&mut self, now: Time, member: u32, io: &mut Io) {
        if member == DISK {
            self.cleaner.idle_since = Some(now);
        }
        self.make_progress(now, io);
    }

    fn forget(&mut self, sector: u64, sectors: u64) {
        self.stored.remove(sector, sectors, None);
        self.memory.remove(sector, sectors, None);
        if !self.batches.queue.is_empty() {
            self.forgotten.push_back((sector, sectors, self.log.head));
        }
        self.cleaner.forgot |= self.cleaner.segment.is_some();
    }

    fn has_forgotten(&self) -> bool {
        !self.cleaner.forgot
    }

    fn lose_mems(&mut self, now: Time, desk: &mut PendingJobs, io: &mut Io) {
        // Requests with parts in flight to the MEMS device, or that waited for the MEMS device, go to the disk.
        self.is_down = true;
        self.log = Log::new(self.log.first - 1, self.log.sectors + 1);
        (self.stored, self.memory) = (PlaceMap::default(), PlaceMap::default());
        self.pins = Pins::new(self.log.sectors);
        self.forgotten.clear();
        // All new requests wait for this write.
        self.cleaner.promote(io);
        self.cleaner.lose(now, io);
        self.bypass.lose();
        for batch in self.batches.lose() {
            batch.waiting.iter().for_each(|piece| self.bypass.enter(piece, 0, io));
            io.complete(batch.job, now);
            self.batches.recycle(batch);
        }
        self.flush_up_to(u64::MAX, io);
        let reads = std::mem::take(&mut self.reads);
        self.late_reads.extend(reads.iter().map(|(_, piece)| *piece));
        self.read_late(desk, io);
        self.retry(desk, io);
    }

    fn replace_mems(&mut self) {
        self.is_down = false;
    }

    fn recover(&mut self, read: &mut FindNote<'_>) {
        notes::recover(&mut self.log, read);
        for extent in self.log.dirty_extents(usize::MAX) {
            self.stored.set(extent.sector, u64::from(extent.sectors), self.log.place(extent.position));
        }
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        self.counts.with(&self.log, &self.stored, &self.memory).rows()
    }
}
