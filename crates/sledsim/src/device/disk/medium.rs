//! Reading and writing on the medium: runs of sectors that pass under a head one after the other.

use super::layout::{Layout, Place, Track};
use super::mechanics::Mechanics;
use crate::request::Op;
use crate::time::{Span, Time};

/// Layout and mechanics.
#[derive(Clone, Debug)]
pub struct Medium {
    pub layout: Layout,
    pub mechanics: Mechanics,
}

/// Blocks to access, and how.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub lbn: u64,
    /// The block behind the last.
    pub end: u64,
    pub op: Op,
    /// Whether it may begin in the middle of a run.
    pub zero_latency: bool,
    /// Whether the head has to settle even where nothing moves.
    pub is_first: bool,
}

/// Blocks that pass under a head one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub lbn: u64,
    pub blocks: u64,
    pub track: Track,
    pub sectors_per_track: u32,
    /// The head is there.
    pub positioned: Time,
    pub start: Time,
    pub end: Time,
    /// Whether the blocks come in their order.
    pub in_order: bool,
}

/// All runs of a task.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub first: Run,
    pub last: Run,
    pub in_order: bool,
    /// When as many blocks as were asked for had passed.
    pub reached: Time,
}

impl Run {
    /// Nothing yet, at that place and time.
    pub fn none(lbn: u64, track: Track, now: Time) -> Self {
        let (sectors_per_track, positioned, start, end) = (0, now, now, now);
        Self { lbn, blocks: 0, track, sectors_per_track, positioned, start, end, in_order: true }
    }

    /// The block behind the last.
    pub fn next(&self) -> u64 {
        self.lbn + self.blocks
    }

    /// When so many of its blocks have passed.
    pub fn passed_at(&self, blocks: u64) -> Time {
        match self.blocks {
            0 => self.start,
            all => self.start + Span(((self.end - self.start).0 * blocks).div_ceil(all)),
        }
    }

    /// How many of its blocks have passed.
    pub fn passed(&self, now: Time) -> u64 {
        let whole = (self.end - self.start).0.max(1);
        (now.since(self.start).0 * self.blocks / whole).min(self.blocks)
    }
}

impl Medium {
    /// The first run of a task.
    pub fn run(&self, now: Time, from: Track, task: Task) -> Run {
        self.run_at(now, from, task, &self.layout.place(task.lbn))
    }

    /// The same, of a task whose first block has that place.
    fn run_at(&self, now: Time, from: Track, task: Task, place: &Place) -> Run {
        let blocks = u64::from(place.run).min(task.end - task.lbn);
        let (track, turn_ns) = (place.track, self.mechanics.turn_ns());
        let sector_ns = turn_ns / f64::from(place.sectors_per_track);
        let positioned = now + self.mechanics.positioning(from, track, task.op, task.is_first);
        let start = self.mechanics.passage(positioned, place.slot, place.sectors_per_track);
        let passed_ns = turn_ns - start.since(positioned).0 as f64;
        let (lbn, sectors_per_track) = (task.lbn, place.sectors_per_track);
        let run =
            Run { lbn, blocks, track, sectors_per_track, positioned, start, end: start, in_order: true };
        if task.zero_latency && passed_ns + 1.0 < (blocks - 1) as f64 * sector_ns {
            // It begins with the next sector and takes a turn in all.
            let missed_ns = (passed_ns / sector_ns - 1e-6).ceil() * sector_ns;
            let start = positioned + rounded(missed_ns - passed_ns);
            // As good as a whole track, which takes a turn from wherever it begins, counts as in order.
            let in_order = (blocks + 2) as f64 * sector_ns >= turn_ns;
            return Run { start, end: start + self.mechanics.turn(), in_order, ..run };
        }
        Run { end: start + rounded(blocks as f64 * sector_ns), ..run }
    }

    /// All runs of a task; it is noted when so many blocks have passed.
    pub fn access(&self, now: Time, from: Track, task: Task, enough: u64) -> Access {
        self.access_from(self.run(now, from, task), task, enough)
    }

    /// The same, with its first run known.
    pub fn access_from(&self, first: Run, mut task: Task, enough: u64) -> Access {
        let mut access = Access { first, last: first, in_order: first.in_order, reached: first.end };
        let (mut passed, mut run) = (0, first);
        loop {
            if (passed..passed + run.blocks).contains(&(enough - 1)) {
                access.reached = run.passed_at(enough - passed);
            }
            passed += run.blocks;
            access.in_order &= run.in_order;
            access.last = run;
            task = Task { lbn: run.next(), is_first: false, ..task };
            if task.lbn >= task.end {
                return access;
            }
            run = self.run(run.end, run.track, task);
        }
    }

    /// When blocks of one track have passed, if all of it is read in the turn after the head is there.
    pub fn passed_in_turn(&self, positioned: Time, mut lbn: u64, end: u64) -> Time {
        let mut latest = positioned;
        while lbn < end {
            let place = self.layout.place(lbn);
            let blocks = u64::from(place.run).min(end - lbn);
            let sector_ns = self.mechanics.turn_ns() / f64::from(place.sectors_per_track);
            let start = self.mechanics.passage(positioned, place.slot, place.sectors_per_track);
            let passed = start + rounded(blocks as f64 * sector_ns);
            latest = latest.max(passed.min(positioned + self.mechanics.turn()));
            lbn += blocks;
        }
        latest
    }
}

fn rounded(ns: f64) -> Span {
    Span(ns.max(0.0).round() as u64)
}
