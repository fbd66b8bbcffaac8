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
    /// The job waits until no other job uses its range of sectors.
    Waits,
    /// The parts of the request are in flight, and the request makes no sector valid on the MEMS device.
    Plain,
    /// The data of a read are being read from the disk, to be copied to the MEMS device.
    Fetches,
    /// Data are being written to the MEMS device, for sectors that are not yet valid there.
    Moves,
    /// The page of the table that marks the data as valid is being written to the MEMS device.
    Notes,
    /// A flush is reading from the MEMS device.
    FlushReads,
    /// A flush has read data, and waits until it holds their sectors exclusively.
    FlushEnters,
    /// A flush is writing data to the disk.
    FlushWrites,
}

/// A request, or a job of the volume itself, in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    pub piece: RequestPart,
    pub phase: Phase,
    pub held: Option<(Ticket, Hold)>,
    /// Number of parts of the job in flight to the MEMS device.
    pub on_mems: u32,
    /// True if the MEMS device failed during the job: a request must start again, and a job of the volume ends.
    pub is_lost: bool,
    /// True if the job belongs to the volume itself, so that no request waits for it.
    pub is_own: bool,
}

/// Requests and jobs of the volume in progress, indexed by job.
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

    /// The ticket of a job: its claim to a range of sectors, which it holds or waits for. `None` if the job claims no
    /// range.
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
