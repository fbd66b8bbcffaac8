//! Parts: the reads and writes that a volume sends to its members.

use crate::request::Op;

/// A job of a volume: a request that it received, or work of the volume itself. Each job has a buffer in memory for
/// sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Job(pub u32);

/// Urgency of a job and of its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Urgency {
    /// A request waits for the job.
    #[default]
    Foreground,
    /// No request waits for the job, so that its parts are served only when no foreground work waits.
    Background,
}

/// A read or write of consecutive sectors of one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Number of the member to which the part goes, counted from 0.
    pub member: u32,
    /// First sector of 512 bytes, on the member.
    pub sector: u64,
    /// Number of sectors of the part, at least one.
    pub sectors: u32,
    /// Operation: read or write.
    pub op: Op,
    /// True if the part is for metadata of a file system.
    pub metadata: bool,
    /// Job of the volume to which the part belongs.
    pub job: Job,
    /// First sector of the part's data in the buffer of the job.
    pub at: u64,
    /// Number by which the volume recognises the part when it is completed.
    pub tag: u64,
}

impl Part {
    /// A part of a job of the volume itself: `sectors` sectors of a member from `sector` on. The data start at the
    /// beginning of the buffer of `job`.
    pub(crate) fn own(job: Job, member: u32, op: Op, (sector, sectors): (u64, u32), tag: u64) -> Self {
        Self { member, sector, sectors, op, metadata: false, job, at: 0, tag }
    }
}
