//! A pass over a whole array in the background, at a limited rate.

use crate::error::Result;
use crate::media::SECTOR_BYTES;
use crate::options::Options;
use crate::time::{Span, Time};

/// The next step of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::volume) enum Step {
    /// No piece can start now.
    None,
    /// Wait until that time.
    Wake(Time),
    /// Work on the next range: first sector and number of sectors.
    Work(u64, u64),
    /// All sectors are passed, and the pass is to be [stopped](Pass::stop).
    Finished,
}

/// A pass over the sectors of the members, piece by piece.
#[derive(Clone, Default)]
pub(in crate::volume) struct Pass {
    end: u64,
    piece: u64,
    bytes_per_s: f64,
    /// First sector that is still to be passed; `None` without a pass.
    at: Option<u64>,
    working: bool,
    /// True if the pass was restarted since the current piece was issued.
    anew: bool,
    waiting: bool,
    earliest: Time,
    /// Number of sectors passed, over all passes.
    pub(in crate::volume) done: u64,
}

impl Pass {
    /// A pass over sectors up to `end`, in pieces of `piece` sectors, at the rate of the option `rebuild_mb_s`.
    pub(in crate::volume) fn new(end: u64, piece: u64, options: &Options) -> Result<Self> {
        let bytes_per_s = options.number("rebuild_mb_s")? * 1e6;
        Ok(Self { end, piece, bytes_per_s, ..Self::default() })
    }

    /// Starts a pass from the beginning, even if one is running.
    pub(in crate::volume) fn start(&mut self) {
        self.at = Some(0);
        self.anew = self.working;
    }

    pub(in crate::volume) fn stop(&mut self) {
        self.at = None;
    }

    /// The end of the sectors that have been passed; the end of all sectors if no pass runs.
    pub(in crate::volume) fn passed(&self) -> u64 {
        self.at.unwrap_or(self.end)
    }

    /// True if a pass is running and has passed this sector.
    pub(in crate::volume) fn has_passed(&self, sector: u64) -> bool {
        self.at.is_some_and(|at| sector <= at)
    }

    /// Number of sectors still to be passed.
    pub(in crate::volume) fn left(&self) -> u64 {
        self.end - self.passed()
    }

    pub(in crate::volume) fn woken(&mut self) {
        self.waiting = false;
    }

    /// Returns the next step, working only on pieces that are `needed`. Work given out must be
    /// [finished](Self::finish).
    pub(in crate::volume) fn next(&mut self, now: Time, needed: impl Fn(u64, u64) -> bool) -> Step {
        let Some(at) = self.at.as_mut().filter(|_| !self.working) else { return Step::None };
        while *at < self.end && !needed(*at, self.piece.min(self.end - *at)) {
            *at = (*at + self.piece).min(self.end);
        }
        if *at == self.end {
            return Step::Finished;
        }
        if now < self.earliest {
            let step = if self.waiting { Step::None } else { Step::Wake(self.earliest) };
            self.waiting = true;
            return step;
        }
        let sectors = self.piece.min(self.end - *at);
        self.working = true;
        self.earliest = now + Span::from_s((sectors * SECTOR_BYTES) as f64 / self.bytes_per_s);
        Step::Work(*at, sectors)
    }

    /// Ends a piece that is done, or marks it for a new start.
    pub(in crate::volume) fn finish(&mut self, sectors: u64, done: bool) {
        self.working = false;
        let counts = done && !std::mem::take(&mut self.anew);
        if let Some(at) = self.at.as_mut().filter(|_| counts) {
            *at += sectors;
            self.done += sectors;
        }
    }
}
