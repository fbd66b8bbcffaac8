//! A disk drive: zones, rotation with a continuous phase, a cache of segments, read-ahead and write-back.
//!
//! The drive serves one request at a time. In the background it performs a single access to the
//! medium: the rest of a write whose data are in the cache, or read-ahead. A call to the drive
//! first advances the read-ahead to the time of the call.

mod ahead;
mod arm;
mod band;
mod cache;
mod characteristics;
mod check;
mod check_zones;
mod crossing;
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
use drive_settings::DriveSettings;
pub use mechanics::Mechanics;
use medium::{Access, Medium, Run};
use read_ahead::ReadAheadStream;
pub use service_phases::ServicePhases;
pub use track::{BlockPlace, Track};
pub use zoned_layout::ZonedLayout;

/// The parts of a drive that never change.
#[derive(Clone, Debug)]
struct Fixed {
    params: DiskParams,
    medium: Medium,
    rules: DriveSettings,
}

/// A disk drive.
#[derive(Clone, Debug)]
pub struct Disk {
    fixed: Arc<Fixed>,
    arm: Track,
    /// Time at which the medium is done with the last request, not counting read-ahead.
    free_at: Time,
    /// Time at which the data of all earlier requests have crossed the bus.
    bus_free: Time,
    /// Time at which all earlier commands have been processed, if requests wait in the drive.
    controller_free: Time,
    /// Time at which the host has the data of the last request.
    completion: Time,
    /// Consecutive writes that have not reached the medium: the time at which each does, and its number of blocks.
    unwritten: VecDeque<(Time, u64)>,
    cache: Cache,
    stream: Option<ReadAheadStream>,
    /// Operation of the command that was processed last.
    last: Op,
    /// The block after the last request, if that request was a read.
    read_next: Option<u64>,
    /// The block after the last write.
    write_next: Option<u64>,
    /// The block after the last write whose command was processed, if requests wait in the drive.
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

    /// The layout: the places of blocks on the disk.
    #[must_use]
    pub fn layout(&self) -> &ZonedLayout {
        &self.fixed.medium.layout
    }

    /// Serves a request that arrives at `now`; the previous request must be complete.
    ///
    /// # Panics
    /// In debug builds, if `blocks` is 0, or if a block lies beyond the end of the drive.
    pub fn serve_at(&mut self, now: Time, op: Op, lbn: u64, blocks: u32) -> ServicePhases {
        self.serve_seeing(now, op, [lbn, blocks.into()], |_| ())
    }

    /// Serves a request of `blocks` blocks from `lbn` on; for a write, `see` receives the run on
    /// each track.
    fn serve_seeing(
        &mut self,
        now: Time,
        op: Op,
        [lbn, blocks]: [u64; 2],
        see: impl FnMut(&Run),
    ) -> ServicePhases {
        let end = lbn + blocks;
        debug_assert!(blocks > 0 && end <= self.layout().blocks, "blocks {lbn} to {end}");
        let command = self.fixed.rules.service.command;
        let ready = now + command;
        self.advance(ready);
        let served = match op {
            Op::Read => self.read(ready, lbn, end),
            Op::Write => self.write(ready, lbn, end, see),
        };
        // If requests wait in the drive, later commands have been processed in the meantime.
        if self.fixed.rules.acceptance.is_none() {
            self.last = op;
        }
        ServicePhases { overhead: served.overhead + command, ..served }
    }

    /// Time from `now` until the first sector can be read or written: wait for the medium, seek,
    /// settling and rotation, without overheads and cache.
    #[must_use]
    pub fn mechanical(&self, now: Time, op: Op, lbn: u64) -> Span {
        let (start, medium) = (now.max(self.free_at), &self.fixed.medium);
        let place = medium.layout.place(lbn);
        let there = start + medium.mechanics.positioning(self.arm_at(now), place.track, op);
        medium.mechanics.passage(there, place.slot, place.sectors_per_track).max(there) - now
    }

    /// The track from which the arm sets off after `now`, once the medium is free.
    fn arm_at(&self, now: Time) -> Track {
        let mut arm = self.arm;
        if let Some(mut stream) = self.stream {
            stream.advance(now.max(self.free_at), &self.fixed.medium, &mut arm);
        }
        arm
    }

    /// Time of command processing for a read or a write, before the medium is needed.
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

    /// Time of command processing for a request that arrives at `now`, if requests wait in the
    /// drive.
    fn acceptance(&mut self, now: Time, request: &Request) -> Span {
        self.advance(now);
        let (lbn, end) = (request.lbn, request.lbn + u64::from(request.blocks));
        let is_next_hit = self.fixed.params.almost_hits;
        let is_hit =
            self.cache.holding(lbn, end).is_some() || self.on_its_way(lbn, end, is_next_hit).is_some();
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

    /// Adds the blocks that have been read ahead by `now` to their segment.
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

    /// Occupies the medium with an access; the arm stays where the access ends.
    fn occupy(&mut self, access: &Access) {
        self.arm = access.last.track;
        self.free_at = access.last.end;
    }
}
