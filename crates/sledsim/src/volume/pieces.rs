//! Common parts of volumes that join several machines: pieces of requests, and the number of events that each
//! job waits for.

use super::per_job::PerJob;
use super::{Io, Job, Part, VolumeRequest};
use crate::request::Op;
use crate::time::Time;

/// A piece of a request, or a whole request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequestPart {
    /// Job of the request to which the piece belongs.
    pub job: Job,
    /// First sector of the piece's data in the buffer of the job.
    pub at: u64,
    /// First sector of the piece, on the volume.
    pub sector: u64,
    /// Number of sectors of the piece, at least one.
    pub sectors: u64,
    /// Operation: read or write.
    pub op: Op,
    /// True if the request is for metadata of a file system.
    pub metadata: bool,
}

impl RequestPart {
    /// The piece that is a whole request.
    pub fn whole(job: Job, request: &VolumeRequest) -> Self {
        let VolumeRequest { sector, sectors, op, metadata } = *request;
        Self { job, at: 0, sector, sectors: u64::from(sectors), op, metadata }
    }

    /// The piece of `sectors` sectors that begins at the sector `from` of this piece.
    pub fn stretch(&self, from: u64, sectors: u64) -> Self {
        debug_assert!(
            from + sectors <= self.sectors,
            "a piece must lie within the piece that it is cut from"
        );
        Self { at: self.at + from, sector: self.sector + from, sectors, ..*self }
    }

    /// A part for this piece, at the sector `sector` of a member.
    pub fn part(&self, member: u32, sector: u64, tag: u64) -> Part {
        let Self { job, at, op, metadata, .. } = *self;
        Part { member, sector, sectors: self.sectors as u32, op, metadata, job, at, tag }
    }
}

/// The number of events that each job still waits for.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingJobs {
    left: PerJob<u32>,
    /// Jobs that wait for no more events.
    ready: Vec<Job>,
}

impl PendingJobs {
    /// Counts one more event for which a job waits.
    #[inline]
    pub fn wait(&mut self, job: Job) {
        *self.left.of(job) += 1;
    }

    /// Counts one event less for which a job waits.
    #[inline]
    pub fn end(&mut self, job: Job) {
        let left = self.left.of(job);
        *left -= 1;
        if *left == 0 {
            self.ready.push(job);
        }
    }

    /// Removes and returns the next job that waits for no more events; `None` if every job waits.
    #[inline]
    pub fn next_ready(&mut self) -> Option<Job> {
        self.ready.pop()
    }

    /// Completes all jobs that wait for no more events.
    pub fn complete(&mut self, now: Time, io: &mut Io) {
        while let Some(job) = self.next_ready() {
            io.complete(job, now);
        }
    }
}
