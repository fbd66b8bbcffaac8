//! State of the cleaning of the log: the segment that is being cleaned, and its progress.

use super::log::AppendRun;
use crate::time::Time;
use crate::volume::{Io, Job};

/// Consecutive sectors of the disk that are written with one part, and the place of their data in the buffer
/// of the job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub sector: u64,
    pub sectors: u64,
    pub at: u64,
}

/// A segment: consecutive appends of the log that are copied to the disk together.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub job: Job,
    pub stretch: AppendRun,
    /// True if the data have been read from the log and sorted.
    pub is_read: bool,
    /// Number of runs sent to the disk.
    pub sent: usize,
    /// Number of runs in flight to the disk.
    pub left: u32,
}

/// A note with a new tail of the log, in flight to the MEMS device.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextTail {
    pub job: Job,
    pub tail: u64,
    /// Position in the log; all appends before it are complete.
    pub stored: u64,
}

/// State of the cleaning, with the segment that is being cleaned.
#[derive(Clone, Debug, Default)]
pub(super) struct Cleaner {
    pub segment: Option<Segment>,
    /// The data of the segment to be copied: in the order of the log until they are read, and then in the
    /// order of the disk.
    pub runs: Vec<Run>,
    /// True if the cleaning continues even while the disk is busy.
    pub is_pressed: bool,
    pub idle_since: Option<Time>,
    pub is_timed: bool,
    /// The note with a new tail in flight; `None` without such a note.
    pub next_tail: Option<NextTail>,
    /// True if the segment may contain sectors that were forgotten since its start.
    pub forgot: bool,
}

impl Cleaner {
    /// Makes the cleaning of the present segment foreground.
    pub fn promote(&self, io: &mut Io) {
        self.segment.iter().for_each(|segment| io.promote(segment.job));
    }

    /// Raises the urgency of the cleaning to the urgency of `job`, which waits for the present segment.
    pub fn hurry(&self, job: Job, io: &mut Io) {
        self.segment.iter().for_each(|segment| io.wait_for(job, segment.job));
    }

    /// True if the position lies in the segment that is being copied to the disk.
    pub fn has(&self, position: u64) -> bool {
        let segment = self.segment.as_ref();
        segment.is_some_and(|segment| (segment.stretch.start..segment.stretch.end).contains(&position))
    }

    /// True if data of a lost log are in flight to the disk.
    pub fn has_lost_log(&self) -> bool {
        self.segment.as_ref().is_some_and(|segment| segment.stretch.appends == 0)
    }

    /// Handles the loss of the log: only data in flight to the disk still arrive.
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
