//! Destage: data of completed writes move from the cache to the medium, between requests or when they must.

use super::destage_settings::DestageSettings;
use super::medium::{Access, Task};
use super::{Disk, ServicePhases, Source};
use crate::params::{Destage, DestageOrder};
use crate::request::{Durable, Op, Request};
use crate::time::Time;

/// Number of extents, the oldest ones, among which a drive chooses the nearest.
const CHOICE: usize = 256;

impl Disk {
    /// True if the data of the write `request` stay in the cache when the write is complete.
    pub(super) fn may_wait(&self, request: &Request) -> bool {
        let fits = |settings: &DestageSettings| u64::from(request.blocks) <= settings.room;
        request.durable == Durable::Nothing && self.fixed.rules.destage.as_ref().is_some_and(fits)
    }

    /// Brings the destage between requests up to `now`: writes each extent whose turn came before `now`.
    pub(super) fn destage_before(&mut self, now: Time) {
        while let Some(start) = self.next_destage().filter(|start| *start < now) {
            self.destage_next(start);
        }
    }

    /// Time at which the drive begins to write the next extent if no request comes before; `None` if it waits for a
    /// request.
    fn next_destage(&self) -> Option<Time> {
        let oldest = self.dirty.by_age().first()?;
        let settings = self.fixed.rules.destage.as_ref()?;
        let due = match settings.rule {
            Destage::Idle => self.completion + settings.after,
            Destage::Age => oldest.since + settings.after,
            Destage::Watermark if self.dirty.blocks() > settings.mark => self.completion,
            Destage::Watermark | Destage::OnFlush | Destage::AtOnce => return None,
        };
        Some(due.max(self.free_at).max(self.completion))
    }

    /// Writes the extent whose turn it is from `start` on, when the medium is free.
    fn destage_next(&mut self, start: Time) -> Access {
        let order = self.fixed.rules.destage.as_ref().map(|settings| settings.order);
        let waiting = self.dirty.by_age().iter().take(CHOICE).enumerate();
        let next = match order {
            Some(DestageOrder::Nearest) => {
                waiting.min_by_key(|(_, extent)| self.mechanical(start, Op::Write, extent.lbn))
            }
            Some(DestageOrder::Arrival) | None => waiting.min_by_key(|(age, _)| *age),
        };
        self.destage(start, next.map_or(0, |(age, _)| age))
    }

    /// Writes the extent with the index `age` by age from `start` on, when the medium is free.
    fn destage(&mut self, start: Time, age: usize) -> Access {
        self.advance(start);
        self.stream = None;
        let extent = self.dirty.take(age);
        let zero_latency = self.fixed.params.zero_latency_writes;
        let task = Task { lbn: extent.lbn, end: extent.end, op: Op::Write, zero_latency, data: None };
        let access = self.fixed.medium.access(start, self.arm, task, |_| ());
        self.occupy(&access);
        access
    }

    /// Takes the data of a write into the cache. They can cross the bus from `data_ready` on; `now` is the start of
    /// the service.
    pub(super) fn take_in(&mut self, now: Time, data_ready: Time, lbn: u64, end: u64) -> ServicePhases {
        self.dirty.cut(lbn, end);
        let mut from = data_ready;
        let room = self.fixed.rules.destage.map_or(0, |settings| settings.room);
        while self.dirty.blocks() + (end - lbn) > room {
            self.destage_next(from.max(self.free_at));
            from = self.free_at;
        }
        let bus = from.max(self.bus_free);
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

    /// True if a read of the blocks from `lbn` to before `end` takes them from dirty extents. If only some of the
    /// blocks are dirty, or reads do not find the data of writes, the drive writes these extents first, from `now` on.
    pub(super) fn reads_dirty(&mut self, now: Time, lbn: u64, end: u64) -> bool {
        if self.fixed.params.read_hits_on_writes && self.dirty.hold(lbn, end) {
            return true;
        }
        while let Some(age) = self.dirty.overlapping(lbn, end) {
            self.destage(now.max(self.free_at), age);
        }
        false
    }

    /// Flushes the cache from `now` on: waits for the access in progress, then writes all dirty extents.
    pub(super) fn flush_cache(&mut self, now: Time) -> ServicePhases {
        self.destage_before(now);
        let rules = &self.fixed.rules;
        let command = rules.acceptance.as_ref().map_or(rules.service.command, |overheads| overheads.command);
        let flush = rules.flush;
        let ready = now + command;
        let start = ready.max(self.free_at);
        let mut phases =
            ServicePhases { overhead: command + flush, wait: start - ready, ..ServicePhases::default() };
        let mut written = start;
        while !self.dirty.by_age().is_empty() {
            let access = self.destage_next(written);
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
