//! A scan over the sectors of all members of an array at a limited rate, for a rebuild or a resynchronisation.

use crate::error::Result;
use crate::media::SECTOR_BYTES;
use crate::options::Options;
use crate::time::{Span, Time};

/// The next step of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::volume) enum Step {
    /// No piece can start now: no scan is in progress, a piece is in work, or a wake-up is already scheduled.
    None,
    /// The next piece must wait until this time.
    Wake(Time),
    /// The next piece starts: its first sector, and its number of sectors.
    Work(u64, u64),
    /// All sectors have been scanned; the scan must be [stopped](Pass::stop).
    Finished,
}

/// A scan of the sectors of all members, one piece after the other, for a rebuild or a resynchronisation.
#[derive(Clone, Default)]
pub(in crate::volume) struct Pass {
    end: u64,
    piece: u64,
    bytes_per_s: f64,
    /// First sector that the scan has not completed; `None` if no scan runs.
    at: Option<u64>,
    working: bool,
    /// True if the scan was restarted while a piece was in work, so that this piece does not count.
    anew: bool,
    waiting: bool,
    earliest: Time,
    /// Number of sectors processed so far, in all scans together.
    pub(in crate::volume) done: u64,
}

impl Pass {
    /// Creates the scan of the sectors before `end`, in pieces of `piece` sectors, at the rate of the option
    /// `rebuild_mb_s`.
    pub(in crate::volume) fn new(end: u64, piece: u64, options: &Options) -> Result<Self> {
        let bytes_per_s = options.number("rebuild_mb_s")? * 1e6;
        Ok(Self { end, piece, bytes_per_s, ..Self::default() })
    }

    /// Starts a scan from sector 0, even if a scan is running.
    pub(in crate::volume) fn start(&mut self) {
        self.at = Some(0);
        self.anew = self.working;
    }

    pub(in crate::volume) fn stop(&mut self) {
        self.at = None;
    }

    /// Number of sectors, from sector 0 on, that the scan has completed; all sectors if no scan runs.
    pub(in crate::volume) fn passed(&self) -> u64 {
        self.at.unwrap_or(self.end)
    }

    /// True if a scan is in progress and has processed all sectors before `sector`.
    pub(in crate::volume) fn has_passed(&self, sector: u64) -> bool {
        self.at.is_some_and(|at| sector <= at)
    }

    /// Number of sectors that the scan has still to complete; 0 if no scan runs.
    pub(in crate::volume) fn left(&self) -> u64 {
        self.end - self.passed()
    }

    pub(in crate::volume) fn woken(&mut self) {
        self.waiting = false;
    }

    /// Returns the next step of the scan. `needed` receives the first sector and the number of sectors of a piece; if
    /// it returns false, the piece is skipped. Every piece returned must be [finished](Self::finish).
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

    /// Ends a piece of `sectors` sectors. If `done` is false, the piece has failed, and is returned again.
    pub(in crate::volume) fn finish(&mut self, sectors: u64, done: bool) {
        self.working = false;
        let counts = done && !std::mem::take(&mut self.anew);
        if let Some(at) = self.at.as_mut().filter(|_| counts) {
            *at += sectors;
            self.done += sectors;
        }
    }
}
