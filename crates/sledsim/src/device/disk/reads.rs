//! Reads of a drive: the data come from the cache, from read-ahead, or from the medium.

use super::cache::Segment;
use super::crossing::Crossing;
use super::drive_settings::times;
use super::medium::{Access, Task};
use super::{Disk, ServicePhases, Source};
use crate::params::Delivered;
use crate::request::Op;
use crate::time::{Span, Time};

impl Disk {
    /// Reads the blocks from `lbn` to before `end`. The drive starts at `now`, after the common part of
    /// command processing.
    pub(super) fn read(&mut self, now: Time, lbn: u64, end: u64) -> ServicePhases {
        let is_sequential = self.read_next == Some(lbn);
        self.read_next = Some(end);
        if self.reads_dirty(now, lbn, end) {
            let id = self.cache.holding(lbn, end).map(|segment| segment.id);
            return self.send_from_cache(now, (Source::Cache, id), [now; 2], Time::ZERO, end - lbn);
        }
        if self.fixed.params.has_cache() {
            if let Some(segment) = self.cache.holding(lbn, end) {
                return self.hit(now, segment, lbn, end, is_sequential);
            }
            if let Some((first, all, id)) = self.arriving(lbn, end, is_sequential) {
                let crossed = all + self.fixed.rules.bus_read;
                return self.send_from_cache(
                    now,
                    (Source::ReadAhead, Some(id)),
                    [first, all],
                    crossed,
                    end - lbn,
                );
            }
        }
        self.miss(now, lbn, end, is_sequential)
    }

    /// Serves a read whose blocks are all in `segment`. On a drive that writes at once, the
    /// read waits until the data of earlier writes are on the medium.
    fn hit(&mut self, now: Time, segment: Segment, lbn: u64, end: u64, is_sequential: bool) -> ServicePhases {
        let medium_free = if self.fixed.rules.destage.is_some() { now } else { self.free_at };
        let there = [medium_free; 2];
        let served =
            self.send_from_cache(now, (Source::Cache, Some(segment.id)), there, Time::ZERO, end - lbn);
        self.deliver(segment.id, end);
        if !segment.is_written {
            self.resume(segment.id, now + served.overhead + served.wait, end, is_sequential);
        }
        served
    }

    /// Sends `blocks` blocks of segment `id`, or of dirty extents, to the host: the first one not before the time `first`, and
    /// the last one not before `crossed`.
    fn send_from_cache(
        &mut self,
        now: Time,
        (source, id): (Source, Option<u64>),
        [first, medium_done]: [Time; 2],
        crossed: Time,
        blocks: u64,
    ) -> ServicePhases {
        let ready = now + self.fixed.rules.service.read_hit.of(self.last);
        let start = ready.max(first);
        if let Some(id) = id {
            self.cache.touch(id);
        }
        let complete = self.send(start, crossed, blocks);
        let (overhead, wait, bus) = (ready - now, start - ready, complete - start);
        ServicePhases { overhead, wait, bus, source, medium_done, complete, ..ServicePhases::default() }
    }

    /// Serves a read by reading from the medium all blocks that the cache does not hold.
    fn miss(&mut self, now: Time, lbn: u64, end: u64, is_sequential: bool) -> ServicePhases {
        let ready = now + self.fixed.rules.service.read_miss.of(self.last);
        let start = ready.max(self.free_at);
        let held = self.cache.read_up_to(lbn);
        self.advance(start);
        self.stream = None;
        // Blocks that read-ahead brought in the meantime also count.
        let held = held.and_then(|segment| self.cache.get(segment.id).copied());
        let from = held.map_or(lbn, |segment| segment.end.min(end - 1));
        let zero_latency = self.fixed.params.zero_latency_reads;
        let task = Task { lbn: from, end, op: Op::Read, zero_latency, data: None };
        let enough = self.fixed.params.watermark(end - lbn).min(end - from);
        let mut crossing = Crossing::new(self.fixed.rules.bus_read, enough);
        let access = self.fixed.medium.access(start, self.arm, task, |run| crossing.follow(run));
        self.occupy(&access);
        let (source, from_bus) = match held {
            Some(_) => (Source::CacheAndMedium, start),
            None => (Source::Medium, crossing.reached),
        };
        let complete = self.send(from_bus, crossing.crossed, end - lbn);
        if self.fixed.params.has_cache() {
            let id = self.keep(held, lbn, end);
            self.follow(id, &access, end, is_sequential);
        }
        let overhead = ready - now;
        ServicePhases { overhead, source, ..self.timed(ready, start, &access, complete) }
    }

    /// Stores the blocks from `lbn` to before `end` in the segment `held`; without it, adds a new segment.
    /// Returns the identifier of the segment.
    fn keep(&mut self, held: Option<Segment>, lbn: u64, end: u64) -> u64 {
        let id = match held {
            Some(segment) => {
                self.cache.touch(segment.id);
                self.cache.extend(segment.id, end);
                segment.id
            }
            None => self.cache.insert(lbn, end, false),
        };
        self.deliver(id, end);
        id
    }

    /// Records that the host has received the blocks of segment `id` before `end`. Unless the drive keeps
    /// received data, the blocks are removed.
    pub(super) fn deliver(&mut self, id: u64, end: u64) {
        if self.fixed.params.delivered != Delivered::Keep {
            self.cache.give_up(id, end);
        }
    }

    /// Sends `blocks` blocks over the bus, after the data of all earlier requests. Returns the time at
    /// which the host has all data, which is not before `crossed`.
    fn send(&mut self, from: Time, crossed: Time, blocks: u64) -> Time {
        let rules = &self.fixed.rules;
        let begin = (from + rules.data_preparation).max(self.bus_free);
        self.bus_free = crossed.max(begin + times(blocks, rules.bus_read));
        self.bus_free + rules.read_completion
    }

    /// The phases of a service that accesses the medium. The access could have begun at `ready`, and began
    /// at `start` because the medium was busy until then.
    pub(super) fn timed(&self, ready: Time, start: Time, access: &Access, complete: Time) -> ServicePhases {
        let positioned = access.first.positioned.max(start);
        let early_start = access.first.early_start.max(positioned);
        ServicePhases {
            overhead: Span::ZERO,
            wait: start - ready,
            seek: positioned - start,
            rotation: early_start - positioned,
            hold: access.held,
            transfer: access.last.end.since(early_start + access.held),
            bus: complete.since(access.last.end),
            source: Source::Medium,
            medium_done: access.last.end,
            complete,
        }
    }
}
