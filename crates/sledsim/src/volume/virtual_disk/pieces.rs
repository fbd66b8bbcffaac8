//! Requests, cut at the ends of segments.

use crate::request::Op;
use crate::volume::{Job, Part, VolumeRequest};

/// The part of a request that lies in one segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentPart {
    pub(super) job: Job,
    pub(super) segment: u64,
    /// Where it begins in the segment, and in the buffer of the request.
    pub within: u64,
    pub(super) at: u64,
    pub(super) sectors: u32,
    pub(super) op: Op,
    pub metadata: bool,
    /// Whether the policy knows that its segment was missed.
    pub(super) is_missed: bool,
    /// Whether its data are on the medium, and only the table must still say so.
    pub(super) is_written: bool,
    /// Whether it went to the disk without the MEMS device.
    pub(super) is_direct: bool,
}

/// A request with pieces that are not done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub request: VolumeRequest,
    pub(super) pieces: u32,
}

impl SegmentPart {
    /// Itself, for a member.
    pub(super) fn part(&self, member: u32, sector: u64, tag: u64) -> Part {
        let Self { job, at, sectors, op, metadata, .. } = *self;
        Part { member, sector, sectors, op, metadata, job, at, tag }
    }
}

/// What a part does, in the lowest bits of its tag; above is the number of a piece, a slot or a sheet of the table,
/// and above that the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Serve,
    Fetch,
    Fill,
    CopyOut,
    CopyBack,
    Table,
    Direct,
}
