//! Writes of a drive: the data cross the bus and are written to the medium, at the same time where possible.

use super::medium::{Run, Task};
use super::passing::Data;
use super::{Disk, ServicePhases, Source};
use crate::request::{Durable, Op, Request};
use crate::time::Time;

impl Disk {
    /// Writes the blocks from `lbn` to before `end`, and calls `see` with each run of blocks. The drive
    /// starts at `now`, after the common part of command processing.
    pub(super) fn write(&mut self, now: Time, request: &Request, see: impl FnMut(&Run)) -> ServicePhases {
        let (lbn, end) = (request.lbn, request.lbn + u64::from(request.blocks));
        let is_sequential = self.write_next == Some(lbn);
        (self.write_next, self.read_next) = (Some(end), None);
        self.cache.discard(lbn, end);
        let (ready, data_ready) = self.begin_write(now, is_sequential);
        if let Some(settings) = self.may_wait(request) {
            let served = self.take_in(&settings, now, data_ready, lbn, end);
            self.keep_written(lbn, end);
            return served;
        }
        self.dirty.cut(lbn, end);
        // Data for another place wait until earlier data are on the medium.
        let bus = if is_sequential {
            self.room(data_ready, end - lbn)
        } else {
            self.unwritten.clear();
            data_ready.max(self.free_at)
        };
        let bus = bus.max(self.bus_free);
        let rules = &self.fixed.rules;
        let first_data = bus + rules.data_preparation;
        let got = rules.written_to_cache(bus, end - lbn);
        self.bus_free = got;
        let data = Some(Data { lbn, from: first_data, each: rules.bus_write });
        let task =
            Task { lbn, end, op: Op::Write, zero_latency: self.fixed.params.zero_latency_writes, data };
        let start = ready.max(self.free_at);
        self.advance(start);
        self.stream = None;
        let access = self.fixed.medium.access(start, self.arm, task, see);
        self.occupy(&access);
        self.unwritten.push_back((self.free_at, end - lbn));
        self.keep_written(lbn, end);
        if self.fixed.params.writes_back() && request.durable == Durable::Nothing {
            // The host does not wait for the medium.
            let complete = got + self.fixed.rules.write_completion;
            return ServicePhases {
                overhead: data_ready - now,
                wait: bus - data_ready,
                bus: complete - bus,
                source: Source::WriteCache,
                ..self.timed(start, start, &access, complete)
            };
        }
        let mut done = got.max(self.free_at);
        if self.free_at > got {
            done = done + self.fixed.rules.reconnection;
        }
        let complete = done + self.fixed.rules.write_completion;
        let overhead = ready - now;
        ServicePhases { overhead, ..self.timed(ready, start, &access, complete) }
    }

    /// Time, at `from` or later, at which the segment of written data has room for `blocks` more blocks. A
    /// write with more blocks than a segment holds waits until all earlier blocks are on the medium.
    fn room(&mut self, from: Time, blocks: u64) -> Time {
        let (mut at, mut held) = (from, self.unwritten.iter().map(|(_, blocks)| blocks).sum::<u64>());
        while let Some((done, of)) = self.unwritten.front().copied() {
            if done > at && held + blocks <= self.fixed.params.segment_blocks {
                break;
            }
            at = at.max(done);
            held -= of;
            self.unwritten.pop_front();
        }
        at
    }

    /// The two times at which command processing ends: the arm may start to move at the first, and the data
    /// may cross the bus from the second.
    fn begin_write(&self, now: Time, is_sequential: bool) -> (Time, Time) {
        let overheads = &self.fixed.rules.service;
        if let Some(early) = overheads.early_disconnect {
            let medium = now + early.command;
            return (medium, medium + early.to_data);
        }
        let both = now + overheads.write(is_sequential).of(self.last);
        (both, both)
    }

    /// Stores written data in a segment of the cache, where later reads may find them.
    fn keep_written(&mut self, lbn: u64, end: u64) {
        let params = &self.fixed.params;
        if !(params.has_cache() && params.read_hits_on_writes) {
            return;
        }
        match self.cache.written_before(lbn).filter(|_| params.append_writes) {
            Some(segment) => {
                self.cache.extend(segment.id, end);
                self.cache.touch(segment.id);
            }
            None => {
                self.cache.insert(lbn, end, true);
            }
        }
    }
}
