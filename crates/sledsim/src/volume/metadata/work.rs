//! Work in progress: requests and the volume's own jobs, each with its phase.

use crate::volume::per_job::PerJob;
use crate::volume::pieces::RequestPart;
use crate::volume::ranges::{Hold, Ticket};
use crate::volume::Job;

/// Phase of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// The job has no work.
    #[default]
    None,
    /// The job waits for other jobs in its range of sectors.
    Waits,
    /// All parts of the request are in flight, and no sector becomes valid by them.
    Plain,
    /// Metadata are being read from the disk, to be copied to the MEMS device.
    Fetches,
    /// Data are being written to sectors of the MEMS device that were not valid.
    Moves,
    /// The page of the table that makes the data valid is being written.
    Notes,
    /// A flush is reading from the MEMS device.
    FlushReads,
    /// Flushed data wait for exclusive access to their sectors.
    FlushEnters,
    /// Flushed data are being written to the disk.
    FlushWrites,
}

/// A request, or a job of the volume itself, in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    pub piece: RequestPart,
    pub phase: Phase,
    pub held: Option<(Ticket, Hold)>,
    /// Number of parts in flight to the MEMS device.
    pub on_mems: u32,
    /// True if the MEMS device failed while the job was in progress.
    pub is_lost: bool,
    /// True if the job belongs to the volume itself, so that no request waits for it.
    pub is_own: bool,
}

/// All work in progress, by job.
#[derive(Clone, Debug, Default)]
pub(super) struct Works(PerJob<Option<Work>>);

impl Works {
    pub fn begin(&mut self, piece: &RequestPart, phase: Phase, is_own: bool) {
        let (piece, on_mems, is_lost) = (*piece, 0, false);
        *self.0.of(piece.job) = Some(Work { piece, phase, held: None, on_mems, is_lost, is_own });
    }

    #[inline]
    pub fn of(&mut self, job: Job) -> &mut Work {
        self.0.of(job).as_mut().expect("the job is in progress")
    }

    /// The range of sectors that a job holds or waits for; `None` for a job of the store below.
    pub fn held(&mut self, job: Job) -> Option<Ticket> {
        self.0.of(job).and_then(|work| Some(work.held?.0))
    }

    pub fn end(&mut self, job: Job) -> Work {
        self.0.of(job).take().expect("the job is in progress")
    }

    /// All work in progress, mutable.
    pub fn all(&mut self) -> impl Iterator<Item = &mut Work> {
        self.0.all().flatten()
    }
}
