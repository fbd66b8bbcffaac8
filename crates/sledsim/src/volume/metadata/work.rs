//! Progress of requests, and of work of the volume's own.

use crate::volume::per_job::PerJob;
use crate::volume::pieces::RequestPart;
use crate::volume::ranges::{Hold, Ticket};
use crate::volume::Job;

/// How far some work has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// There is none.
    #[default]
    None,
    /// Others are in its range.
    Waits,
    /// All that it needs is on its way.
    Plain,
    /// Metadata are read from the disk, to be copied to the MEMS device.
    Fetches,
    /// Data are on their way to sectors of the MEMS device that were not valid.
    Moves,
    /// The table is being written that says that they are valid now.
    Notes,
    /// A flush reads from the MEMS device.
    FlushReads,
    /// What it has read waits until nobody else is in its range.
    FlushEnters,
    /// That is written to the disk.
    FlushWrites,
}

/// A request, or work of the volume's own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    pub piece: RequestPart,
    pub phase: Phase,
    pub held: Option<(Ticket, Hold)>,
    /// Its parts on their way to the MEMS device.
    pub on_mems: u32,
    /// Whether the MEMS device failed under it.
    pub is_lost: bool,
    /// Whether nobody waits for it.
    pub is_own: bool,
}

/// All of them, by job.
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

    /// The range that a job holds or waits for; none, if it is one of the store behind.
    pub fn held(&mut self, job: Job) -> Option<Ticket> {
        self.0.of(job).and_then(|work| Some(work.held?.0))
    }

    pub fn end(&mut self, job: Job) -> Work {
        self.0.of(job).take().expect("it has begun")
    }

    /// All that have begun.
    pub fn all(&mut self) -> impl Iterator<Item = &mut Work> {
        self.0.all().flatten()
    }
}
