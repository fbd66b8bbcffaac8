//! Progress of requests, and of the volume's own work.

use crate::volume::per_job::PerJob;
use crate::volume::pieces::RequestPart;
use crate::volume::ranges::{Hold, Ticket};
use crate::volume::Job;

/// Phase of a piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// No work.
    #[default]
    None,
    /// Waiting for other work in its range.
    Waits,
    /// All parts are in flight.
    Plain,
    /// Metadata are read from the disk, to be copied to the MEMS device.
    Fetches,
    /// Data are on their way to sectors of the MEMS device that were not valid.
    Moves,
    /// The page of the table that makes the data valid is being written.
    Notes,
    /// A flush reads from the MEMS device.
    FlushReads,
    /// Flushed data wait for exclusive access to their range.
    FlushEnters,
    /// Flushed data are written to the disk.
    FlushWrites,
}

/// A request, or work of the volume itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    pub piece: RequestPart,
    pub phase: Phase,
    pub held: Option<(Ticket, Hold)>,
    /// Number of parts on their way to the MEMS device.
    pub on_mems: u32,
    /// True if the MEMS device failed during the work.
    pub is_lost: bool,
    /// True if no request waits for the work.
    pub is_own: bool,
}

/// All pieces of work, by job.
#[derive(Clone, Debug, Default)]
pub(super) struct Works(PerJob<Option<Work>>);

impl Works {
    pub fn begin(&mut self, piece: &RequestPart, phase: Phase, is_own: bool) {
        let (piece, on_mems, is_lost) = (*piece, 0, false);
        *self.0.of(piece.job) = Some(Work { piece, phase, held: None, on_mems, is_lost, is_own });
    }

    #[inline]
    pub fn of(&mut self, job: Job) -> &mut Work {
        self.0.of(job).as_mut().expect("it has begun")
    }

    /// The range that a job holds or waits for; `None` for a job of the store behind.
    pub fn held(&mut self, job: Job) -> Option<Ticket> {
        self.0.of(job).and_then(|work| Some(work.held?.0))
    }

    pub fn end(&mut self, job: Job) -> Work {
        self.0.of(job).take().expect("it has begun")
    }

    /// All pieces of work that have begun.
    pub fn all(&mut self) -> impl Iterator<Item = &mut Work> {
        self.0.all().flatten()
    }
}
