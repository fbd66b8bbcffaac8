//! Cleaning of the log: the segment at work, and what it has come to.

use super::log::AppendRun;
use crate::time::Time;
use crate::volume::{Io, Job};

/// Sectors of the disk that are written at once, and where in the buffer of the job they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub sector: u64,
    pub sectors: u64,
    pub at: u64,
}

/// A segment of the log on its way to the disk.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub job: Job,
    pub stretch: AppendRun,
    /// Whether its data have been read and sorted.
    pub is_read: bool,
    /// The runs that have set off, and how many are on their way.
    pub sent: usize,
    pub left: u32,
}

/// A note of the tail on its way to the device.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextTail {
    pub job: Job,
    pub tail: u64,
    /// Up to where all appends are whole.
    pub stored: u64,
}

/// The segment that is being cleaned, and how far it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Cleaner {
    pub segment: Option<Segment>,
    /// The live data of the segment; in the order of the log, then of the disk.
    pub runs: Vec<Run>,
    /// Whether cleaning goes on although the disk is not idle.
    pub is_pressed: bool,
    pub idle_since: Option<Time>,
    pub is_timed: bool,
    /// The tail that is being written to the device.
    pub next_tail: Option<NextTail>,
    /// Whether something that is forgotten may be in the segment.
    pub forgot: bool,
}

impl Cleaner {
    /// Makes the cleaning of the segment foreground.
    pub fn promote(&self, io: &mut Io) {
        self.segment.iter().for_each(|segment| io.promote(segment.job));
    }

    /// A job waits for the segment.
    pub fn hurry(&self, job: Job, io: &mut Io) {
        self.segment.iter().for_each(|segment| io.wait_for(job, segment.job));
    }

    /// Whether a position is on its way to the disk.
    pub fn has(&self, position: u64) -> bool {
        let segment = self.segment.as_ref();
        segment.is_some_and(|segment| (segment.stretch.start..segment.stretch.end).contains(&position))
    }

    /// Whether data of a log that is lost are on their way to the disk.
    pub fn has_lost_log(&self) -> bool {
        self.segment.as_ref().is_some_and(|segment| segment.stretch.appends == 0)
    }

    /// The log is lost: only what is already on its way to the disk gets there.
    pub fn lose(&mut self, now: Time, io: &mut Io) {
        if let Some(next) = self.next_tail.take() {
            io.complete(next.job, now);
        }
        let Some(segment) = &mut self.segment else { return };
        segment.stretch = AppendRun::default();
        self.runs.truncate(segment.sent);
        if segment.left == 0 {
            io.complete(segment.job, now);
            (self.segment, self.forgot) = (None, false);
        }
    }
}
