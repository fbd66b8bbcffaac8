//! Reading and writing on the medium: runs of sectors that pass under a head one after the other.

use super::mechanics::Mechanics;
use super::passing::{nearest, Data, Passed, Passing};
use super::track::{BlockPlace, Track};
use super::zoned_layout::ZonedLayout;
use crate::request::Op;
use crate::time::{Span, Time};

/// Layout and mechanics of a drive.
#[derive(Clone, Debug)]
pub struct Medium {
    pub layout: ZonedLayout,
    pub mechanics: Mechanics,
}

/// Consecutive blocks to read or write, and the manner of the access.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub lbn: u64,
    /// The block behind the last block of the task.
    pub end: u64,
    pub op: Op,
    /// True if the access may begin in the middle of a run.
    pub zero_latency: bool,
    /// Arrival of the data of a write; None for a read.
    pub data: Option<Data>,
}

/// Consecutive blocks that pass under a head one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub lbn: u64,
    pub blocks: u64,
    pub track: Track,
    /// Time at which the head is on the track.
    pub positioned: Time,
    /// Time at which the block that passes first begins to pass.
    pub start: Time,
    /// Time at which all blocks have passed.
    pub end: Time,
    /// Start of the run if it did not have to wait for the data of a write.
    pub early_start: Time,
    /// End of the run if it did not have to wait for the data of a write.
    early_end: Time,
    /// Time at which block `lbn` begins to pass; later than `start` if the head arrived in the
    /// middle of the run.
    first_at: Time,
    /// Number of blocks, counted from `lbn`, that pass after the other blocks; all blocks if they
    /// pass in order.
    pub late: u64,
    sector_ns: f64,
}

/// The access to all blocks of a task.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub first: Run,
    pub last: Run,
    /// Time for which the access waited for the data of a write.
    pub held: Span,
}

impl Run {
    /// Creates a run without blocks, at block `lbn` of `track` and at time `now`.
    pub fn none(lbn: u64, track: Track, now: Time) -> Self {
        let (blocks, late, sector_ns) = (0, 0, 1.0);
        let [positioned, start, end, early_start, early_end, first_at] = [now; 6];
        Self { lbn, blocks, track, positioned, start, end, early_start, early_end, first_at, late, sector_ns }
    }

    /// The block after the last block of the run.
    pub fn next(&self) -> u64 {
        self.lbn + self.blocks
    }

    /// Time at which `blocks` blocks of the run have passed, counted from `lbn`.
    pub fn passed_at(&self, blocks: u64) -> Time {
        self.first_at + rounded(blocks.min(self.late) as f64 * self.sector_ns)
    }

    /// Number of blocks that have passed at `now`, if the blocks pass in order.
    pub fn passed(&self, now: Time) -> u64 {
        let passed = ((now.since(self.start).0 as f64 + 0.5) / self.sector_ns) as u64;
        let is_late = self.passed_at(passed) > now;
        passed.saturating_sub(u64::from(is_late)).min(self.blocks)
    }

    /// Each block of the run, with the times at which it begins to pass and has passed. Blocks that
    /// pass before block `lbn` pass one turn (`turn_ns`) earlier than in order.
    pub fn passages(&self, turn_ns: f64) -> impl Iterator<Item = (u64, [Time; 2])> + '_ {
        let at = move |block: u64, ahead_ns: f64| {
            Time((self.first_at.0 as i64 + nearest(block as f64 * self.sector_ns - ahead_ns)) as u64)
        };
        (0..self.blocks).map(move |block| {
            let ahead_ns = if block < self.late { 0.0 } else { turn_ns };
            (self.lbn + block, [at(block, ahead_ns), at(block + 1, ahead_ns)])
        })
    }

    /// Time for which the run waited for the data of a write.
    fn held(&self) -> Span {
        self.end.since(self.early_end)
    }
}

impl Medium {
    /// The first run of a task; the head is on track `from` at time `now`.
    pub fn run(&self, now: Time, from: Track, task: Task) -> Run {
        self.run_at(self.layout.place(task.lbn), now, from, task)
    }

    /// The first run of a task whose first block lies at `place`; the head is on track `from` at
    /// time `now`.
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

    /// Performs the access to all blocks of a task; `see` receives the runs in the order of their
    /// blocks.
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

    /// Performs the first run of a task and, with zero latency, all further runs on the same track,
    /// because a gap between two runs delays no block. Afterwards the task begins with the next
    /// block, and `place` is the place of that block.
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

    /// Time at which the blocks from `lbn` to `end` of a track have passed, if the whole track is
    /// read in the turn after the head arrives at `positioned`.
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
