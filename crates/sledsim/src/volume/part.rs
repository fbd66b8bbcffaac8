//! Parts: reads and writes that a volume sends to its members.

use crate::request::Op;

/// A job of a volume: a request from above, or work of its own. Each has a buffer of sectors in memory, as long as it
/// needs to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Job(pub u32);

/// Whether somebody waits for a job, and so for its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Urgency {
    /// A request does.
    #[default]
    Foreground,
    /// Nobody waits for it: it is served when nothing else is to be done.
    Background,
}

/// A read or write of consecutive sectors of one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which member.
    pub member: u32,
    /// First sector of 512 bytes of the member.
    pub sector: u64,
    /// Sectors, at least one.
    pub sectors: u32,
    /// Read or write.
    pub op: Op,
    /// Whether it is for metadata of a file system.
    pub metadata: bool,
    /// Job that it is a part of.
    pub job: Job,
    /// Place of its data in the buffer of the job, in sectors.
    pub at: u64,
    /// Number by which the volume recognises it.
    pub tag: u64,
}

impl Part {
    /// A part of work of the volume's own: so many sectors from one on, at the start of the buffer of its job.
    pub(super) fn own(job: Job, member: u32, op: Op, (sector, sectors): (u64, u32), tag: u64) -> Self {
        Self { member, sector, sectors, op, metadata: false, job, at: 0, tag }
    }
}
