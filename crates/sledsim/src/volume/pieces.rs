//! Common parts of volumes that join several machines: stretches of requests, and the pending events of each
//! job.

use super::per_job::PerJob;
use super::{Io, Job, Part, VolumeRequest};
use crate::request::Op;
use crate::time::Time;

/// A stretch of a request, or all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequestPart {
    /// Job of the request.
    pub job: Job,
    /// Place of the data in the buffer of the request, in sectors.
    pub at: u64,
    /// First sector of the volume.
    pub sector: u64,
    /// Number of sectors, at least one.
    pub sectors: u64,
    /// Operation: read or write.
    pub op: Op,
    /// True if the request is for metadata of a file system.
    pub metadata: bool,
}

impl RequestPart {
    /// A stretch that is all of a request.
    pub fn whole(job: Job, request: &VolumeRequest) -> Self {
        let VolumeRequest { sector, sectors, op, metadata } = *request;
        Self { job, at: 0, sector, sectors: u64::from(sectors), op, metadata }
    }

    /// The stretch of `sectors` sectors from the `from`th on.
    pub fn stretch(&self, from: u64, sectors: u64) -> Self {
        debug_assert!(from + sectors <= self.sectors, "a stretch lies within");
        Self { at: self.at + from, sector: self.sector + from, sectors, ..*self }
    }

    /// A foreground part for this stretch at a place of a member.
    pub fn part(&self, member: u32, sector: u64, tag: u64) -> Part {
        let Self { job, at, op, metadata, .. } = *self;
        Part { member, sector, sectors: self.sectors as u32, op, metadata, job, at, tag }
    }
}

/// Number of events that each job still waits for.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingJobs {
    left: PerJob<u32>,
    /// Jobs that wait for no event any more.
    ready: Vec<Job>,
}

impl PendingJobs {
    /// Lets a job wait for one more event.
    #[inline]
    pub fn wait(&mut self, job: Job) {
        *self.left.of(job) += 1;
    }

    /// Ends one of the events that a job waits for.
    #[inline]
    pub fn end(&mut self, job: Job) {
        let left = self.left.of(job);
        *left -= 1;
        if *left == 0 {
            self.ready.push(job);
        }
    }

    /// The next job that waits for no event any more.
    #[inline]
    pub fn next_ready(&mut self) -> Option<Job> {
        self.ready.pop()
    }

    /// Completes all jobs that wait for no event any more.
    pub fn complete(&mut self, now: Time, io: &mut Io) {
        while let Some(job) = self.next_ready() {
            io.complete(job, now);
        }
    }
}
