//! Cleaning of the log: the segment in work and its progress.

use super::log::AppendRun;
use crate::time::Time;
use crate::volume::{Io, Job};

/// Sectors of the disk that are written at once, and their place in the buffer of the job.
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
    /// True if the data have been read and sorted.
    pub is_read: bool,
    /// Number of runs sent, and number of runs in flight.
    pub sent: usize,
    pub left: u32,
}

/// A note of the tail on its way to the device.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextTail {
    pub job: Job,
    pub tail: u64,
    /// Position before which all appends are whole.
    pub stored: u64,
}

/// The segment that is being cleaned, and its progress.
#[derive(Clone, Debug, Default)]
pub(super) struct Cleaner {
    pub segment: Option<Segment>,
    /// The live data of the segment, first in order of the log, then of the disk.
    pub runs: Vec<Run>,
    /// True if cleaning continues although the disk is busy.
    pub is_pressed: bool,
    pub idle_since: Option<Time>,
    pub is_timed: bool,
    /// The tail that is being written to the device.
    pub next_tail: Option<NextTail>,
    /// True if the segment may contain dropped sectors.
    pub forgot: bool,
}

impl Cleaner {
    /// Makes the cleaning of the segment foreground.
    pub fn promote(&self, io: &mut Io) {
        self.segment.iter().for_each(|segment| io.promote(segment.job));
    }

    /// Raises the urgency of the segment for a job that waits for it.
    pub fn hurry(&self, job: Job, io: &mut Io) {
        self.segment.iter().for_each(|segment| io.wait_for(job, segment.job));
    }

    /// True if a position is on its way to the disk.
    pub fn has(&self, position: u64) -> bool {
        let segment = self.segment.as_ref();
        segment.is_some_and(|segment| (segment.stretch.start..segment.stretch.end).contains(&position))
    }

    /// True if data of a lost log are on their way to the disk.
    pub fn has_lost_log(&self) -> bool {
        self.segment.as_ref().is_some_and(|segment| segment.stretch.appends == 0)
    }

    /// Handles the loss of the log: only data already on their way to the disk reach it.
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
