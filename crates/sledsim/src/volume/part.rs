//! Parts: reads and writes that a volume sends to its members.

use crate::request::Op;

/// A job of a volume: a request from above, or its own work. Each job has a buffer of sectors in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Job(pub u32);

/// Urgency of a job and of its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Urgency {
    /// A request waits for the job.
    #[default]
    Foreground,
    /// No request waits for the job: it is served when no other work is to be done.
    Background,
}

/// A read or write of consecutive sectors of one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Number of the member.
    pub member: u32,
    /// First sector of 512 bytes of the member.
    pub sector: u64,
    /// Number of sectors, at least one.
    pub sectors: u32,
    /// Operation: read or write.
    pub op: Op,
    /// True if the part is for metadata of a file system.
    pub metadata: bool,
    /// Job to which the part belongs.
    pub job: Job,
    /// Place of the data in the buffer of the job, in sectors.
    pub at: u64,
    /// Number by which the volume recognises the part.
    pub tag: u64,
}

impl Part {
    /// A part of the volume's own work: `sectors` sectors from `sector` on, at the start of the buffer of its job.
    pub(super) fn own(job: Job, member: u32, op: Op, (sector, sectors): (u64, u32), tag: u64) -> Self {
        Self { member, sector, sectors, op, metadata: false, job, at: 0, tag }
    }
}
