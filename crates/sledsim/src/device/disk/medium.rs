//! Reading and writing on the medium. Blocks on consecutive sectors of a track form a run, which passes
//! under the head as a whole.

use super::mechanics::Mechanics;
use super::passing::{nearest, Data, Passed, Passing};
use super::track::{BlockPlace, Track};
use super::zoned_layout::ZonedLayout;
use crate::request::Op;
use crate::time::{Span, Time};

/// The layout and the mechanics of a drive.
#[derive(Clone, Debug)]
pub struct Medium {
    pub layout: ZonedLayout,
    pub mechanics: Mechanics,
}

/// A task: consecutive blocks to read or write, and the rules for the access.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub lbn: u64,
    /// The block after the last block of the task.
    pub end: u64,
    pub op: Op,
    /// True if the access may begin with any block of a run; otherwise it begins with the first block.
    pub zero_latency: bool,
    /// Times at which the data of a write cross the bus; None for a read.
    pub data: Option<Data>,
}

/// A run: consecutive blocks on consecutive sectors of a track, and the times at which they pass under the head.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub lbn: u64,
    pub blocks: u64,
    pub track: Track,
    /// Time at which the head has reached the track of the run.
    pub positioned: Time,
    /// Time at which the first block to pass begins to pass under the head.
    pub start: Time,
    /// Time at which all blocks have passed.
    pub end: Time,
    /// Time at which the run would start if all data of the write were already in the buffer.
    pub early_start: Time,
    /// Time at which the run would end if all data of the write were already in the buffer.
    early_end: Time,
    /// Time at which the first block of the run, `lbn`, begins to pass. It is later than `start` if the
    /// head arrives in the middle of the run and other blocks pass first.
    first_at: Time,
    /// Number of blocks at the beginning of the run that pass after the other blocks, because the head
    /// arrived behind them; the number of all blocks if they pass in order.
    pub late: u64,
    sector_ns: f64,
}

/// The access to all blocks of a task, as computed: its first run, its last run, and its waits.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub first: Run,
    pub last: Run,
    /// Total time for which the access waited for the data of a write to cross the bus.
    pub held: Span,
}

impl Run {
    /// Creates an empty run that begins with block `lbn` of `track` at time `now`.
    pub fn none(lbn: u64, track: Track, now: Time) -> Self {
        let (blocks, late, sector_ns) = (0, 0, 1.0);
        let [positioned, start, end, early_start, early_end, first_at] = [now; 6];
        Self { lbn, blocks, track, positioned, start, end, early_start, early_end, first_at, late, sector_ns }
    }

    /// The block after the last block of the run.
    pub fn next(&self) -> u64 {
        self.lbn + self.blocks
    }

    /// Time at which the first `blocks` blocks of the run have passed.
    pub fn passed_at(&self, blocks: u64) -> Time {
        self.first_at + rounded(blocks.min(self.late) as f64 * self.sector_ns)
    }

    /// Number of blocks of the run that have passed by `now`, for a run whose blocks pass in order.
    pub fn passed(&self, now: Time) -> u64 {
        let passed = ((now.since(self.start).0 as f64 + 0.5) / self.sector_ns) as u64;
        let is_late = self.passed_at(passed) > now;
        passed.saturating_sub(u64::from(is_late)).min(self.blocks)
    }

    /// Each block of the run, with the times at which it begins to pass and has passed. Blocks after the
    /// first `late` ones pass before them, one turn (`turn_ns` nanoseconds) earlier than in order.
    pub fn passages(&self, turn_ns: f64) -> impl Iterator<Item = (u64, [Time; 2])> + '_ {
        let at = move |block: u64, ahead_ns: f64| {
            Time((self.first_at.0 as i64 + nearest(block as f64 * self.sector_ns - ahead_ns)) as u64)
        };
        (0..self.blocks).map(move |block| {
            let ahead_ns = if block < self.late { 0.0 } else { turn_ns };
            (self.lbn + block, [at(block, ahead_ns), at(block + 1, ahead_ns)])
        })
    }

    /// Time for which the run waited for the data of a write to cross the bus.
    fn held(&self) -> Span {
        self.end.since(self.early_end)
    }
}

impl Medium {
    /// Computes the first run of a task, if the head is on track `from` at time `now`.
    pub fn run(&self, now: Time, from: Track, task: Task) -> Run {
        self.run_at(self.layout.place(task.lbn), now, from, task)
    }

    /// Computes the first run of a task whose first block lies at `place`, if the head is on track `from`
    /// at time `now`.
    fn run_at(&self, place: BlockPlace, now: Time, from: Track, task: Task) -> Run {
        let blocks = u64::from(place.run).min(task.end - task.lbn);
        let (track, turn_ns) = (place.track, self.mechanics.turn_ns());
        let positioned = now + self.mechanics.positioning(from, track, task.op);
        let sector_ns = turn_ns / f64::from(place.sectors_per_track);
        let passing = Passing {
            lbn: task.lbn,
            blocks,
            positioned,
            first_at: self.mechanics.passage(positioned, place.slot, place.sectors_per_track),
            sector_ns,
            turn_ns,
            zero_latency: task.zero_latency,
            data: task.data,
        };
        let Passed { start, first_at, late, end } = passing.passed();
        let (mut early_start, mut early_end) = (start, end);
        if task.data.is_some() {
            Passed { start: early_start, end: early_end, .. } = Passing { data: None, ..passing }.passed();
        }
        let lbn = task.lbn;
        Run { lbn, blocks, track, positioned, start, end, early_start, early_end, first_at, late, sector_ns }
    }

    /// Accesses all blocks of a task, and calls `see` with each run in the order of the blocks.
    pub fn access(&self, now: Time, from: Track, mut task: Task, mut see: impl FnMut(&Run)) -> Access {
        let mut place = self.layout.place(task.lbn);
        let first = self.pass(now, from, &mut place, &mut task, &mut see);
        let (mut last, mut held) = (first, first.held());
        while task.lbn < task.end {
            last = self.pass(last.end, last.track, &mut place, &mut task, &mut see);
            held += last.held();
        }
        Access { first, last, held }
    }

    /// Accesses the first run of a task. With zero latency, it also accesses all further runs on the same
    /// track, because gaps between the runs cost no time. Afterwards `task` and `place` begin with the next
    /// block.
    fn pass(
        &self,
        now: Time,
        from: Track,
        place: &mut BlockPlace,
        task: &mut Task,
        see: &mut impl FnMut(&Run),
    ) -> Run {
        let mut follow = |now, from| {
            let run = self.run_at(*place, now, from, *task);
            see(&run);
            task.lbn = run.next();
            if task.lbn < task.end {
                *place = self.layout.place(task.lbn);
            }
            (run, task.zero_latency && task.lbn < task.end && place.track == run.track)
        };
        let (mut pass, mut goes_on) = follow(now, from);
        while goes_on {
            let run;
            (run, goes_on) = follow(pass.positioned, pass.track);
            pass.early_start = pass.early_start.min(run.early_start);
            pass.end = pass.end.max(run.end);
            pass.early_end = pass.early_end.max(run.early_end);
        }
        pass
    }

    /// Time at which the blocks from `lbn` to before `end` on a track have been read, if the head arrives
    /// at `positioned` and then reads the whole track in one turn.
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
    Span(nearest(ns.max(0.0)) as u64)
}
