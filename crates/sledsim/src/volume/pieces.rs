//! Common parts of volumes that consist of several layers: pieces of requests, and for each job the number of events
//! that it still waits for.

use super::per_job::PerJob;
use super::{Io, Job, Part, VolumeRequest};
use crate::request::Op;
use crate::time::Time;

/// A piece of a request, that is, some of its consecutive sectors; or the whole request.
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
    /// The piece that consists of all sectors of a request.
    pub fn whole(job: Job, request: &VolumeRequest) -> Self {
        let VolumeRequest { sector, sectors, op, metadata } = *request;
        Self { job, at: 0, sector, sectors: u64::from(sectors), op, metadata }
    }

    /// The piece of `sectors` sectors that begins `from` sectors after the start of this piece.
    pub fn stretch(&self, from: u64, sectors: u64) -> Self {
        debug_assert!(
            from + sectors <= self.sectors,
            "a piece must lie within the piece that it is cut from"
        );
        Self { at: self.at + from, sector: self.sector + from, sectors, ..*self }
    }

    /// A part that reads or writes this piece on the member `member`, from the sector `sector` there.
    pub fn part(&self, member: u32, sector: u64, tag: u64) -> Part {
        let Self { job, at, op, metadata, .. } = *self;
        Part { member, sector, sectors: self.sectors as u32, op, metadata, job, at, tag }
    }
}

/// Number of events that each job still waits for.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingJobs {
    left: PerJob<u32>,
    /// Jobs that no longer wait for any event, to be continued by the volume.
    ready: Vec<Job>,
}

impl PendingJobs {
    /// Adds one to the number of events that `job` waits for.
    #[inline]
    pub fn wait(&mut self, job: Job) {
        *self.left.of(job) += 1;
    }

    /// Records that one of the events that `job` waits for has happened. After the last one, `job` is ready.
    #[inline]
    pub fn end(&mut self, job: Job) {
        let left = self.left.of(job);
        *left -= 1;
        if *left == 0 {
            self.ready.push(job);
        }
    }

    /// Removes a job that no longer waits for any event, and returns it; `None` if no such job is left.
    #[inline]
    pub fn next_ready(&mut self) -> Option<Job> {
        self.ready.pop()
    }

    /// Completes all jobs that no longer wait for any event.
    pub fn complete(&mut self, now: Time, io: &mut Io) {
        while let Some(job) = self.next_ready() {
            io.complete(job, now);
        }
    }
}
