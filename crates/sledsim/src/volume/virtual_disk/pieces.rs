//! Requests, cut at the ends of segments.

use crate::volume::pieces::RequestPart;
use crate::volume::VolumeRequest;

/// The part of a request that lies in one segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentPart {
    pub part: RequestPart,
    pub segment: u64,
    /// True if the policy has noted the miss of the segment.
    pub is_missed: bool,
    /// True if the data are on the medium, and only the table must follow.
    pub is_written: bool,
    /// True if the piece went to the disk without the MEMS device.
    pub is_direct: bool,
}

/// A request with pieces that are not done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Open {
    pub request: Option<VolumeRequest>,
    pub(super) pieces: u32,
}

/// Purpose of a part, in the lowest bits of its tag; above are the number of a piece, a slot or a sheet of
/// the table, and then the epoch.
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
