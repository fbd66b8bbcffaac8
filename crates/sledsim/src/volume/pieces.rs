//! What volumes share that join several machines: stretches of requests, and what each job still waits for.

use super::per_job::PerJob;
use super::{Io, Job, Part, VolumeRequest};
use crate::request::Op;
use crate::time::Time;

/// A stretch of a request, or all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequestPart {
    /// The request.
    pub job: Job,
    /// Place of the data in its buffer, in sectors.
    pub at: u64,
    /// First sector of the volume.
    pub sector: u64,
    /// Sectors, at least one.
    pub sectors: u64,
    /// Read or write.
    pub op: Op,
    /// Whether it is for metadata of a file system.
    pub metadata: bool,
}

impl RequestPart {
    /// All of a request.
    pub fn whole(job: Job, request: &VolumeRequest) -> Self {
        let VolumeRequest { sector, sectors, op, metadata } = *request;
        Self { job, at: 0, sector, sectors: u64::from(sectors), op, metadata }
    }

    /// The stretch of `sectors` of its sectors, from the `from`th on.
    pub fn stretch(&self, from: u64, sectors: u64) -> Self {
        debug_assert!(from + sectors <= self.sectors, "a stretch lies within");
        Self { at: self.at + from, sector: self.sector + from, sectors, ..*self }
    }

    /// The part, somebody waiting for it, that does this at a place of a member.
    pub fn part(&self, member: u32, sector: u64, tag: u64) -> Part {
        let Self { job, at, op, metadata, .. } = *self;
        Part { member, sector, sectors: self.sectors as u32, op, metadata, job, at, tag }
    }
}

/// What each job still waits for.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingJobs {
    left: PerJob<u32>,
    /// Jobs that wait for nothing any more.
    ready: Vec<Job>,
}

impl PendingJobs {
    /// The job waits for one thing more.
    #[inline]
    pub fn wait(&mut self, job: Job) {
        *self.left.of(job) += 1;
    }

    /// One of the things that the job waits for has happened.
    #[inline]
    pub fn end(&mut self, job: Job) {
        let left = self.left.of(job);
        *left -= 1;
        if *left == 0 {
            self.ready.push(job);
        }
    }

    /// The next job that waits for nothing any more.
    #[inline]
    pub fn next_ready(&mut self) -> Option<Job> {
        self.ready.pop()
    }

    /// Completes all that wait for nothing any more.
    pub fn complete(&mut self, now: Time, io: &mut Io) {
        while let Some(job) = self.next_ready() {
            io.complete(job, now);
        }
    }
}
