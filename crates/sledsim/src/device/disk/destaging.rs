//! Destage: data of completed writes move from the cache to the medium, between requests or when they must.

use super::destage_settings::DestageSettings;
use super::dirty::DirtyExtent;
use super::medium::{Access, Task};
use super::{Disk, ServicePhases, Source};
use crate::params::{Destage, DestageOrder};
use crate::request::{Durable, Op, Request};
use crate::time::Time;

/// Number of extents, the oldest ones, among which a drive chooses the nearest.
const CHOICE: usize = 256;

impl Disk {
    /// Settings of the destage if the data of the write `request` stay in the cache when the write is complete.
    pub(super) fn may_wait(&self, request: &Request) -> Option<DestageSettings> {
        let fits = |settings: &DestageSettings| u64::from(request.blocks) <= settings.room;
        self.fixed.rules.destage.filter(|settings| request.durable == Durable::Nothing && fits(settings))
    }

    /// Brings the destage between requests up to `now`: writes each extent whose turn came before `now`, unless a
    /// request is in the drive.
    pub(super) fn destage_before(&mut self, now: Time) {
        let Some(settings) = self.fixed.rules.destage.filter(|_| self.inside == 0) else { return };
        while let Some(start) = self.next_destage(&settings).filter(|start| *start < now) {
            self.destage_next(&settings, start);
        }
    }

    /// Time at which the drive begins to write the next extent if no request comes before; `None` if it waits for a
    /// request.
    fn next_destage(&self, settings: &DestageSettings) -> Option<Time> {
        let oldest = self.dirty.by_age().next()?;
        let due = match settings.rule {
            Destage::Idle => self.completion + settings.after,
            Destage::Age => oldest.since() + settings.after,
            Destage::Watermark if self.dirty.blocks() > settings.mark => self.completion,
            Destage::Watermark | Destage::OnFlush | Destage::AtOnce => return None,
        };
        Some(due.max(self.free_at).max(self.completion))
    }

    /// Writes the extent whose turn it is from `start` on, when the medium is free.
    fn destage_next(&mut self, settings: &DestageSettings, start: Time) -> Option<Access> {
        let next = {
            let mut waiting = self.dirty.by_age().take(CHOICE).copied();
            match settings.order {
                DestageOrder::Nearest => {
                    waiting.min_by_key(|extent| self.mechanical(start, Op::Write, extent.lbn))
                }
                DestageOrder::Arrival => waiting.next(),
            }
        }?;
        Some(self.destage(start, next))
    }

    /// Writes `extent` from `start` on, when the medium is free. Blocks that reads brought into the cache before are
    /// outdated.
    fn destage(&mut self, start: Time, extent: DirtyExtent) -> Access {
        let DirtyExtent { lbn, end, .. } = extent;
        self.advance(start);
        self.stream = None;
        self.dirty.take(extent);
        self.cache.discard_reads(lbn, end);
        let zero_latency = self.fixed.params.zero_latency_writes;
        let task = Task { lbn, end, op: Op::Write, zero_latency, data: None };
        let access = self.fixed.medium.access(start, self.arm, task, |_| ());
        self.occupy(&access);
        self.moving = (self.free_at, end - lbn);
        access
    }

    /// Takes the data of a write into the cache. They can cross the bus from `data_ready` on; `now` is the start of
    /// the service.
    pub(super) fn take_in(
        &mut self,
        settings: &DestageSettings,
        now: Time,
        data_ready: Time,
        lbn: u64,
        end: u64,
    ) -> ServicePhases {
        self.dirty.cut(lbn, end);
        let bus = self.room_for(settings, data_ready, end - lbn).max(self.bus_free);
        self.bus_free = self.fixed.rules.written_to_cache(bus, end - lbn);
        self.dirty.add(lbn, end, self.bus_free);
        let complete = self.bus_free + self.fixed.rules.write_completion;
        ServicePhases {
            overhead: data_ready - now,
            wait: bus - data_ready,
            bus: complete - bus,
            source: Source::WriteCache,
            medium_done: complete,
            complete,
            ..ServicePhases::default()
        }
    }

    /// Time, at `from` or later, at which the cache has room for `blocks` more blocks. Blocks keep their room until they
    /// are on the medium.
    fn room_for(&mut self, settings: &DestageSettings, mut from: Time, blocks: u64) -> Time {
        loop {
            let (moved, moving) = self.moving;
            if moved > from && self.dirty.blocks() + moving + blocks > settings.room {
                from = moved;
            } else if self.dirty.blocks() + blocks > settings.room {
                self.destage_next(settings, from.max(self.free_at));
            } else {
                return from;
            }
        }
    }

    /// True if a read finds all blocks from `lbn` to before `end` in dirty extents.
    pub(super) fn holds_dirty(&self, lbn: u64, end: u64) -> bool {
        self.fixed.params.read_hits_on_writes && self.dirty.hold(lbn, end)
    }

    /// True if a read of the blocks from `lbn` to before `end` takes them from dirty extents. If only some of the
    /// blocks are dirty, or reads do not find the data of writes, the drive writes these extents first, from `now` on.
    pub(super) fn reads_dirty(&mut self, now: Time, lbn: u64, end: u64) -> bool {
        if self.holds_dirty(lbn, end) {
            return true;
        }
        while let Some(extent) = self.dirty.overlapping(lbn, end) {
            self.destage(now.max(self.free_at), extent);
        }
        false
    }

    /// Flushes the cache from `now` on: waits for the access in progress, then writes all dirty extents.
    pub(super) fn flush_cache(&mut self, now: Time) -> ServicePhases {
        self.destage_before(now);
        let rules = &self.fixed.rules;
        let command = rules.acceptance.as_ref().map_or(rules.service.command, |overheads| overheads.command);
        let (settings, flush) = (rules.destage, rules.flush);
        let ready = now + command;
        let start = ready.max(self.free_at);
        let mut phases =
            ServicePhases { overhead: command + flush, wait: start - ready, ..ServicePhases::default() };
        let mut written = start;
        while let Some(access) = settings.and_then(|settings| self.destage_next(&settings, written)) {
            let of_extent = self.timed(written, written, &access, self.free_at);
            phases.seek += of_extent.seek;
            phases.rotation += of_extent.rotation;
            phases.transfer += of_extent.transfer;
            written = self.free_at;
        }
        let complete = written + flush;
        self.advance(complete);
        ServicePhases { complete, medium_done: complete, ..phases }
    }
}
