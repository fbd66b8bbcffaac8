//! A disk whose metadata are on an additional MEMS device. A table on the MEMS device states where they are (003-F2).
//!
//! A sector of metadata is valid on the MEMS device from the moment when the table there says so; from then on, all
//! requests for the sector go there. To make sectors valid, the volume writes their data, then the page of the table
//! (unless the table is in memory only), and then acknowledges the request. No other request may write to these sectors
//! meanwhile.

mod flush;
mod flushing;
mod legs;
mod location_table;
mod moving;
mod pages;
mod paging;
mod progress;
mod routing;
mod rule;
mod settings;
#[cfg(test)]
mod tests;
mod unit_set;
mod work;

use super::backing_store::{BackingStore, Plain, FOREIGN_TAG, MEMS};
use super::pieces::{PendingJobs, RequestPart};
use super::ranges::Ranges;
use super::sector_bits::runs;
use super::shared_bus::SHARED_BUS;
use super::{
    write_buffer, FindNote, Io, Job, Kept, Members, Part, Promises, Start, Volume, VolumeKind, VolumeRequest,
    VolumeRow,
};
use crate::counts::counts;
use crate::error::{ensure, Result};
use crate::options::Options;
use crate::time::Time;
use flush::Flush;
use legs::Leg;
use location_table::Table;
use pages::{Keeping, Pages};
use rule::Rule;
use settings::{Settings, OPTIONS};
use unit_set::Units;
use work::{Phase, Works};

const PROMISES: Promises = Promises {
    options: "metadata_mb=0.18,unit_kib=2,at_start=disk,flush_every_s=0.05",
    members: &[&[300], &[360]],
    start: Start::Home(0),
    largest: 24,
    metadata: 0.4,
    after_power: |_| Kept::All,
    after_failure: |member, down| match (member, down) {
        // If the disk is lost, the metadata are kept if the MEMS device is present and has a slot for each unit.
        (0, []) => Kept::OnlyMetadata,
        (0, _) => Kept::Refused,
        _ => Kept::MetadataPerhapsOlder,
    },
    failures: true,
};

/// Entry of metadata beside a disk in the table of volumes.
pub(super) const ROW: VolumeRow = VolumeRow::new(
    "metadata",
    "disk whose metadata lie on an additional MEMS device",
    VolumeKind { roles: write_buffer::ROLES, counters: &[Counts::COUNTERS], promises: PROMISES, build },
)
.aliases(&["mmd"])
.source("003-F2, F3, F6")
.options(&[OPTIONS, SHARED_BUS]);

/// Entry of metadata and write buffer on one MEMS device in the table of volumes.
pub(super) const ROW_WITH_BUFFER: VolumeRow = VolumeRow::new(
    "metadata+write-buffer",
    "disk whose metadata and write buffer lie on one MEMS device",
    VolumeKind {
        roles: write_buffer::ROLES,
        counters: &[Counts::COUNTERS, write_buffer::Counts::COUNTERS],
        promises: Promises {
            options:
                "metadata_mb=0.07,unit_kib=1,at_start=disk,flush_every_s=0.05,buffer_mb=0.05,segment_kib=8",
            after_failure: |member, _| if member == 0 { Kept::Refused } else { Kept::PerhapsOlder },
            ..PROMISES
        },
        build: build_with_buffer,
    },
)
.aliases(&["mmcd"])
.source("003-F5, D8")
.options(&[OPTIONS, write_buffer::OPTIONS, SHARED_BUS]);

/// Builds a disk whose metadata lie on a MEMS device.
///
/// # Errors An option is invalid, or does not suit members of these sizes.
fn build(options: &Options, members: &Members) -> Result<Box<dyn Volume>> {
    let (settings, _) = settings::read(options, members[0][0], members[1][0])?;
    Ok(Box::new(WithMetadata::new(Plain { sectors: members[0][0] }, settings)))
}

/// Builds a volume with an area for metadata on the MEMS device, and behind this area a write buffer for all
/// other data (003-F5, D8).
///
/// # Errors An option is invalid, or does not suit members of these sizes.
fn build_with_buffer(options: &Options, members: &Members) -> Result<Box<dyn Volume>> {
    let (disk, mems) = (members[0][0], members[1][0]);
    let (settings, area) = settings::read(options, disk, mems)?;
    let back = write_buffer::buffer(options, disk, mems, area)?;
    Ok(Box::new(WithMetadata::new(back, settings)))
}

/// Number of sectors of a unit in the index that finds overlapping requests.
const UNIT: u64 = 16;

/// Tags of the parts for metadata, for pages of the table, and for flushes.
mod tag {
    use super::FOREIGN_TAG;
    pub const READ: u64 = FOREIGN_TAG;
    pub const WRITE: u64 = FOREIGN_TAG + 1;
    pub const PAGE: u64 = FOREIGN_TAG + 2;
    pub const FLUSH_READ: u64 = FOREIGN_TAG + 3;
    pub const FLUSH_WRITE: u64 = FOREIGN_TAG + 4;
}

counts! {
    /// Counts of requests and flushes, and of the contents of the MEMS device.
    Counts {
        /// requests that the volume received
        requests: u64,
        /// requests that the volume received for metadata
        metadata_requests: u64,
        /// requests for metadata that needed neither the disk nor a write of the table
        metadata_hits: u64,
        /// sectors of the area for metadata on the MEMS device that requests read or wrote
        metadata_area_sectors: u64,
        /// sectors that requests read or wrote in other places: on the disk or in its write buffer
        other_sectors: u64,
        /// sectors written to the MEMS device, by requests or as copies, that had no valid version there before
        moved_sectors: u64,
        /// sectors that were read from the disk and then copied to the MEMS device
        fetched_sectors: u64,
        /// units of metadata that requests accessed on the disk, because no slot on the MEMS device was free for them
        units_without_room: u64,
        /// writes of a page of the table, which states where metadata are on the MEMS device
        table_pages_written: u64,
        /// flushes that have begun: each copies the changed metadata from the MEMS device to the disk
        flushes: u64,
        /// sectors that flushes have written to the disk
        flushed_sectors: u64,
        /// sectors that are newer on the MEMS device than on the disk at the end of the run
        unflushed_sectors: u64,
        /// units of metadata that have a slot on the MEMS device at the end of the run
        metadata_units: u64,
        /// slots on the MEMS device, used and free, each with room for one unit of metadata
        metadata_slots: u64,
    }
}

/// A volume that keeps metadata on a MEMS device, and all other data in a store below.
#[derive(Clone)]
pub(super) struct WithMetadata<B> {
    back: B,
    rule: Rule,
    is_stocked: bool,
    table: Table,
    pages: Pages,
    works: Works,
    ranges: Ranges,
    flush: Flush,
    desk: PendingJobs,
    /// Units that a request wrote as other data before a request accessed them as metadata. The MEMS device has no
    /// valid initial copy of them.
    strangers: Units,
    is_down: bool,
    legs: Vec<Leg>,
    ready: Vec<u64>,
    counts: Counts,
}

impl<B: BackingStore> WithMetadata<B> {
    fn new(back: B, settings: Settings) -> Self {
        let Settings { table, rule, keeping, is_stocked, flush_every } = settings;
        Self {
            back,
            rule,
            is_stocked,
            table,
            pages: Pages::new(keeping),
            works: Works::default(),
            ranges: Ranges::new(UNIT),
            flush: Flush { every: flush_every, ..Flush::default() },
            desk: PendingJobs::default(),
            strangers: Units::default(),
            is_down: false,
            legs: Vec::new(),
            ready: Vec::new(),
            counts: Counts::default(),
        }
    }
}

impl<B: BackingStore> Volume for WithMetadata<B> {
    fn sectors(&self) -> u64 {
        self.back.sectors()
    }

    fn begin(&mut self, now: Time, io: &mut Io) {
        self.back.begin(now, io);
        self.schedule_flush(now, io);
    }

    fn submit(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        let metadata = self.rule.holds(request);
        let piece = RequestPart { metadata, ..RequestPart::whole(job, request) };
        self.counts.requests += 1;
        self.counts.metadata_requests += u64::from(metadata);
        self.works.begin(&piece, Phase::Plain, false);
        self.start(now, job, io);
        self.settle(now, io);
    }

    fn has_write_cache(&self) -> bool {
        self.back.has_write_cache() || self.pages.keeping == Keeping::Memory
    }

    fn flush(&mut self, now: Time, job: Job, io: &mut Io) {
        self.make_durable(now, job, io);
        self.settle(now, io);
    }

    fn done(&mut self, now: Time, part: &Part, io: &mut Io) {
        if part.tag < FOREIGN_TAG {
            self.back.done(now, part, &mut self.desk, io);
        } else if part.tag == tag::PAGE {
            self.page_written(now, part, io);
        } else {
            if part.member == MEMS {
                self.works.of(part.job).on_mems -= 1;
            }
            if part.tag == tag::WRITE {
                self.overwritten(now, part, io);
            }
            self.desk.end(part.job);
        }
        self.settle(now, io);
    }

    fn woken(&mut self, now: Time, token: u64, io: &mut Io) {
        if token < FOREIGN_TAG {
            self.back.woken(now, io);
        } else {
            self.flush_is_due(now, io);
        }
        self.settle(now, io);
    }

    fn promoted(&mut self, now: Time, job: Job, io: &mut Io) {
        self.hurry(job, io);
        self.hurry_flush(job, io);
        self.back.promoted(job, &mut self.desk, io);
        self.settle(now, io);
    }

    fn idle(&mut self, now: Time, member: u32, io: &mut Io) {
        self.back.idle(now, member, io);
        self.settle(now, io);
    }

    fn fail(&mut self, now: Time, member: u32, io: &mut Io) -> Result<()> {
        ensure!(
            member == MEMS,
            "the disk (member {member}) has failed: only the metadata on the MEMS device are left"
        );
        self.is_down = true;
        self.is_stocked = false;
        let desk = &mut self.desk;
        for work in self.works.all() {
            // Requests that were not acknowledged start again, because even data that had reached the MEMS
            // device are lost.
            work.is_lost |= work.phase != Phase::FlushWrites;
            // Parts in flight to the failed member will not complete.
            for _ in 0..std::mem::take(&mut work.on_mems) {
                desk.end(work.piece.job);
            }
        }
        self.pages.lose(|job| desk.end(job), |job| io.complete(job, now));
        // The MEMS device that replaces the failed one is empty.
        self.table.clear();
        self.pages.keep_rows();
        self.flush.lose();
        self.back.lose_mems(now, desk, io);
        if self.flush.is_over() {
            self.flush_is_over(now, io);
        }
        self.settle(now, io);
        Ok(())
    }

    fn replace(&mut self, now: Time, member: u32, io: &mut Io) {
        if member == MEMS {
            self.is_down = false;
            self.back.replace_mems();
            self.settle(now, io);
        }
    }

    fn recover(&mut self, read: &mut FindNote<'_>) {
        self.is_stocked = false;
        self.back.recover(read);
        self.find_table(|page| Some(read(MEMS, page)?.words));
        for slot in self.table.slots() {
            let home = self.table.home(slot);
            let row = self.table.row(slot);
            // The content of these sectors of the disk is unknown.
            row.dirty = row.valid;
            for (from, sectors) in runs(row.valid) {
                self.back.forget(home + u64::from(from), sectors.into());
            }
            self.flush.changed.push(slot);
        }
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        let (metadata_units, metadata_slots) = (self.table.used, self.table.slots);
        let unflushed_sectors = self.table.unflushed_sectors();
        let own = Counts { unflushed_sectors, metadata_units, metadata_slots, ..self.counts };
        [own.rows(), self.back.counts()].concat()
    }
}
