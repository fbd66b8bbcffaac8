//! A disk drive: zones, platters that turn all the time, a cache of segments, read-ahead and write-back.
//!
//! The drive serves one request at a time. In the background it does at most one other thing on the medium:
//! it writes data that are still in the cache, or it reads ahead. Each call first brings the read-ahead up
//! to the time of the call.

mod ahead;
mod arm;
mod band;
mod cache;
mod characteristics;
mod check;
mod check_zones;
mod crossing;
mod destage_settings;
mod destaging;
mod dirty;
mod drive_settings;
pub(super) mod kind;
mod mechanics;
mod mechanism;
mod medium;
mod overheads;
mod passing;
mod read_ahead;
mod reads;
mod service_phases;
mod slips;
#[cfg(test)]
mod tests;
mod track;
mod writes;
mod zoned_layout;
mod zones;

use std::collections::VecDeque;
use std::sync::Arc;

use super::Source;
use crate::error::Result;
use crate::params::{DiskParams, ReadAhead};
use crate::request::{Op, Request};
use crate::time::{Span, Time};
use cache::Cache;
use dirty::DirtyExtents;
use drive_settings::DriveSettings;
pub use mechanics::Mechanics;
use medium::{Access, Medium, Run};
use read_ahead::ReadAheadStream;
pub use service_phases::ServicePhases;
pub use track::{BlockPlace, Track};
pub use zoned_layout::ZonedLayout;

/// The parts of a drive that no request changes.
#[derive(Clone, Debug)]
struct Fixed {
    params: DiskParams,
    medium: Medium,
    rules: DriveSettings,
}

/// A disk drive in its state after the last request.
#[derive(Clone, Debug)]
pub struct Disk {
    fixed: Arc<Fixed>,
    arm: Track,
    /// Time at which the last access to the medium for a request ends; read-ahead after it does not count.
    free_at: Time,
    /// Time at which the data of all earlier requests will have crossed the bus.
    bus_free: Time,
    /// Time at which all earlier commands will have been processed; used only if requests wait in the drive.
    controller_free: Time,
    /// Time at which the host has the reply to the last request.
    completion: Time,
    /// Sequential writes whose data have not reached the medium: the time at which each write does, and its
    /// number of blocks.
    unwritten: VecDeque<(Time, u64)>,
    /// Data that wait in the cache for the destage; none on a drive that writes at once.
    dirty: DirtyExtents,
    /// The extent that moved to the medium last: the time at which it is there, and its number of blocks.
    moving: (Time, u64),
    /// Number of requests in the drive, those that wait and the one in service.
    inside: u32,
    cache: Cache,
    stream: Option<ReadAheadStream>,
    /// Operation (read or write) of the last command that was processed.
    last: Op,
    /// The block after the last request if this request was a read; a read from this block on is sequential.
    read_next: Option<u64>,
    /// The block after the last write; a write from this block on is sequential.
    write_next: Option<u64>,
    /// The block after the last write whose command has been processed; used only if requests wait in the drive.
    accepted_next: Option<u64>,
}

impl Disk {
    /// Creates a drive at rest, with its arm at the outermost cylinder.
    ///
    /// # Errors
    /// The parameters are invalid.
    pub fn new(p: &DiskParams) -> Result<Self> {
        let layout = ZonedLayout::new(p)?;
        let mechanics = Mechanics::new(p, &layout)?;
        let ring = if p.read_ahead == ReadAhead::Adaptive { u64::MAX } else { p.segment_blocks };
        let medium = Medium { layout, mechanics };
        Ok(Self {
            fixed: Arc::new(Fixed { params: p.clone(), medium, rules: DriveSettings::new(p) }),
            arm: Track::default(),
            free_at: Time::ZERO,
            bus_free: Time::ZERO,
            controller_free: Time::ZERO,
            completion: Time::ZERO,
            unwritten: VecDeque::new(),
            dirty: DirtyExtents::default(),
            moving: (Time::ZERO, 0),
            inside: 0,
            cache: Cache::new(p.cache_segments, ring, p.separate_write_segment),
            stream: None,
            last: Op::Read,
            read_next: None,
            write_next: None,
            accepted_next: None,
        })
    }

    /// The parameters of the drive.
    #[must_use]
    pub fn params(&self) -> &DiskParams {
        &self.fixed.params
    }

    /// The layout of the drive, which maps blocks to places on the disk.
    #[must_use]
    pub fn layout(&self) -> &ZonedLayout {
        &self.fixed.medium.layout
    }

    /// Serves a request that starts at `now`; the previous request must be complete.
    ///
    /// # Panics
    /// In debug builds, if `blocks` is 0, or if a block lies beyond the end of the drive.
    pub fn serve_at(&mut self, now: Time, op: Op, lbn: u64, blocks: u32) -> ServicePhases {
        self.serve_seeing(now, &Request::new(0, lbn, blocks, op), |_| ())
    }

    /// Serves a request of `blocks` blocks from block `lbn` on. For a write, calls `see` with each run of
    /// blocks that the head writes.
    fn serve_seeing(&mut self, now: Time, request: &Request, see: impl FnMut(&Run)) -> ServicePhases {
        let Request { lbn, op, .. } = *request;
        let end = lbn + u64::from(request.blocks);
        debug_assert!(request.blocks > 0 && end <= self.layout().blocks, "blocks {lbn} to {end}");
        self.destage_before(now);
        let command = self.fixed.rules.service.command;
        let ready = now + command;
        self.advance(ready);
        let served = match op {
            Op::Read => self.read(ready, lbn, end),
            Op::Write => self.write(ready, request, see),
        };
        // If requests wait in the drive, later commands have been processed in the meantime.
        if self.fixed.rules.acceptance.is_none() {
            self.last = op;
        }
        ServicePhases { overhead: served.overhead + command, ..served }
    }

    /// Time from `now` until the first sector of a request can be read or written: the wait for the medium,
    /// the seek, settling and rotation. Command overheads and the cache are not considered.
    #[must_use]
    pub fn mechanical(&self, now: Time, op: Op, lbn: u64) -> Span {
        let (start, medium) = (now.max(self.free_at), &self.fixed.medium);
        let place = medium.layout.place(lbn);
        let there = start + medium.mechanics.positioning(self.arm_at(now), place.track, op);
        medium.mechanics.passage(there, place.slot, place.sectors_per_track).max(there) - now
    }

    /// The track on which the arm will be when it starts to move to a request that comes at `now`.
    fn arm_at(&self, now: Time) -> Track {
        let mut arm = self.arm;
        if let Some(mut stream) = self.stream {
            stream.advance(now.max(self.free_at), &self.fixed.medium, &mut arm);
        }
        arm
    }

    /// Time to process the command of a read or a write, before the arm starts to move.
    #[must_use]
    pub fn overhead(&self, op: Op) -> Span {
        let overheads = &self.fixed.rules.service;
        overheads.command
            + match (op, overheads.early_disconnect) {
                (Op::Read, _) => overheads.read_miss.of(self.last),
                (Op::Write, Some(early)) => early.command,
                (Op::Write, None) => overheads.write(false).of(self.last),
            }
    }

    /// Time to process the command of a request that arrives at `now` and waits in the drive; zero if
    /// requests wait at the host.
    fn acceptance(&mut self, now: Time, request: &Request) -> Span {
        self.advance(now);
        let (lbn, end) = (request.lbn, request.lbn + u64::from(request.blocks));
        let is_next_hit = self.fixed.params.almost_hits;
        let is_hit = self.in_cache(lbn, end) || self.on_its_way(lbn, end, is_next_hit).is_some();
        let Some(overheads) = &self.fixed.rules.acceptance else { return Span::ZERO };
        let after = match request.op {
            Op::Read if is_hit => overheads.read_hit,
            Op::Read => overheads.read_miss,
            Op::Write => overheads.write(self.accepted_next == Some(lbn)),
        };
        let takes = overheads.command + after.of(self.last);
        self.last = request.op;
        if request.op == Op::Write {
            self.accepted_next = Some(end);
        }
        takes
    }

    /// True if the cache holds the data of all blocks from `lbn` to before `end` for a read.
    fn in_cache(&self, lbn: u64, end: u64) -> bool {
        self.holds_dirty(lbn, end) || self.cache.holding(lbn, end).is_some()
    }

    /// Brings the read-ahead up to `now`: adds the blocks read by then to the segment that it fills, and
    /// moves the arm.
    fn advance(&mut self, now: Time) {
        let Some(stream) = &mut self.stream else { return };
        let whole = stream.advance(now, &self.fixed.medium, &mut self.arm);
        let (id, position) = (stream.segment, stream.position);
        if let (Some(whole), Some(segment)) = (whole, self.cache.get(id)) {
            let joins = segment.end >= whole.first;
            segment.first = if joins { segment.first.min(whole.first) } else { whole.first };
            segment.end = whole.end;
        }
        if stream.whole.is_none() {
            self.cache.extend(id, position);
        }
    }

    /// Records that `access` occupies the medium until it ends, and that the arm then stays on its last track.
    fn occupy(&mut self, access: &Access) {
        self.arm = access.last.track;
        self.free_at = access.last.end;
    }
}
