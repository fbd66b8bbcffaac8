//! Reading and writing on the medium: runs of sectors that pass under a head one after the other.

use super::layout::{Layout, Track};
use super::mechanics::Mechanics;
use super::passing::{Data, Passed, Passing};
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
    /// Of a write: how its data come.
    pub data: Option<Data>,
}

/// Blocks that pass under a head one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub lbn: u64,
    pub blocks: u64,
    pub track: Track,
    /// The head is there.
    pub positioned: Time,
    /// The first of its blocks to pass begins to.
    pub start: Time,
    /// All have passed.
    pub end: Time,
    /// The first to pass would begin to, if the data of a write were there.
    pub begins: Time,
    /// By so much sooner all would have passed then.
    pub held: Span,
    /// The block with which the run begins does; later than `start` where the head came in the midst of the run.
    front: Time,
    /// So many blocks from there on pass last; all of them, where they pass in their order.
    late: u64,
    sector_ns: f64,
}

/// All runs of a task.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub first: Run,
    pub last: Run,
    /// How long they waited for the data of a write.
    pub held: Span,
}

impl Run {
    /// Nothing yet, at that place and time.
    pub fn none(lbn: u64, track: Track, now: Time) -> Self {
        Self {
            lbn,
            blocks: 0,
            track,
            positioned: now,
            start: now,
            end: now,
            begins: now,
            held: Span::ZERO,
            front: now,
            late: 0,
            sector_ns: 1.0,
        }
    }

    /// The block behind the last.
    pub fn next(&self) -> u64 {
        self.lbn + self.blocks
    }

    /// How many of its blocks pass last, from its first block on.
    pub fn late(&self) -> u64 {
        self.late
    }

    /// When so many of its blocks have passed, counted from its first.
    pub fn passed_at(&self, blocks: u64) -> Time {
        self.front + rounded(blocks.min(self.late) as f64 * self.sector_ns)
    }

    /// How many of its blocks have passed, if they do in their order.
    pub fn passed(&self, now: Time) -> u64 {
        let passed = ((now.since(self.start).0 as f64 + 0.5) / self.sector_ns) as u64;
        let is_late = self.passed_at(passed) > now;
        passed.saturating_sub(u64::from(is_late)).min(self.blocks)
    }
}

impl Medium {
    /// The first run of a task.
    pub fn run(&self, now: Time, from: Track, task: Task) -> Run {
        let place = self.layout.place(task.lbn);
        let blocks = u64::from(place.run).min(task.end - task.lbn);
        let (track, turn_ns) = (place.track, self.mechanics.turn_ns());
        let positioned = now + self.mechanics.positioning(from, track, task.op);
        let sector_ns = turn_ns / f64::from(place.sectors_per_track);
        let passing = Passing {
            lbn: task.lbn,
            blocks,
            positioned,
            front: self.mechanics.passage(positioned, place.slot, place.sectors_per_track),
            sector_ns,
            turn_ns,
            zero_latency: task.zero_latency,
            data: task.data,
        };
        let Passed { start, front, late, end } = passing.passed();
        let mut run = Run {
            lbn: task.lbn,
            blocks,
            track,
            positioned,
            start,
            end,
            begins: start,
            held: Span::ZERO,
            front,
            late,
            sector_ns,
        };
        if task.data.is_some() {
            let soonest = Passing { data: None, ..passing }.passed();
            (run.begins, run.held) = (soonest.start, end.since(soonest.end));
        }
        run
    }

    /// All runs of a task; `see` is shown each.
    pub fn access(&self, now: Time, from: Track, mut task: Task, mut see: impl FnMut(&Run)) -> Access {
        let first = self.run(now, from, task);
        let (mut run, mut held) = (first, first.held);
        loop {
            see(&run);
            task = Task { lbn: run.next(), ..task };
            if task.lbn >= task.end {
                return Access { first, last: run, held };
            }
            run = self.run(run.end, run.track, task);
            held += run.held;
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
