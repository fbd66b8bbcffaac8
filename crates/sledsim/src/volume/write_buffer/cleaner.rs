//! State of the cleaning, which copies the oldest data of the log to the disk.

use super::log::AppendRun;
use crate::time::Time;
use crate::volume::{Io, Job};

/// Consecutive sectors of the disk that cleaning writes with one part. `at` is the place of their data in the buffer of
/// the job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub sector: u64,
    pub sectors: u64,
    pub at: u64,
}

/// A segment: consecutive appends in the log whose data are copied to the disk together.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub job: Job,
    pub stretch: AppendRun,
    /// True if the data have been read from the log and sorted by sector of the disk.
    pub is_read: bool,
    /// Number of runs that were sent to the disk.
    pub sent: usize,
    /// Number of runs that are in flight to the disk.
    pub left: u32,
}

/// A note that is in flight to the MEMS device, and that moves the tail of the log.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextTail {
    pub job: Job,
    pub tail: u64,
    /// Position in the log before which, according to the note, all appends are complete.
    pub stored: u64,
}

/// State of the cleaning, including the segment that is being cleaned now.
#[derive(Clone, Debug, Default)]
pub(super) struct Cleaner {
    pub segment: Option<Segment>,
    /// Runs of sectors of the segment that must be copied: in the order of the log until they are read, then in the
    /// order of the disk.
    pub runs: Vec<Run>,
    /// True if the log is so full that cleaning continues even while the disk is busy.
    pub is_pressed: bool,
    pub idle_since: Option<Time>,
    pub is_timed: bool,
    /// The note in flight that moves the tail of the log; `None` if no such note is in flight.
    pub next_tail: Option<NextTail>,
    /// True if sectors were dropped from the log since the cleaning of the segment began: it may still write them to
    /// the disk.
    pub forgot: bool,
}

impl Cleaner {
    /// Promotes the cleaning of the current segment to foreground.
    pub fn promote(&self, io: &mut Io) {
        self.segment.iter().for_each(|segment| io.promote(segment.job));
    }

    /// Promotes the cleaning of the current segment to foreground if `job`, which waits for it, is foreground.
    pub fn hurry(&self, job: Job, io: &mut Io) {
        self.segment.iter().for_each(|segment| io.wait_for(job, segment.job));
    }

    /// True if the position `position` of the log lies in the segment that is being cleaned.
    pub fn has(&self, position: u64) -> bool {
        let segment = self.segment.as_ref();
        segment.is_some_and(|segment| (segment.stretch.start..segment.stretch.end).contains(&position))
    }

    /// True if the MEMS device with the log has failed, and data that were read before are still in flight to the disk.
    pub fn has_lost_log(&self) -> bool {
        self.segment.as_ref().is_some_and(|segment| segment.stretch.appends == 0)
    }

    /// Handles the failure of the MEMS device with the log: the cleaning ends as soon as the runs in flight to the disk
    /// have arrived.
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
