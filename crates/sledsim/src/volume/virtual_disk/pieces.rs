//! Pieces of requests: a request is divided at the borders of segments.

use crate::volume::pieces::RequestPart;
use crate::volume::VolumeRequest;

/// A piece: the sectors of a request that lie in one segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentPart {
    pub part: RequestPart,
    pub segment: u64,
    /// True if the replacement policy has recorded the miss of the segment.
    pub is_missed: bool,
    /// True if the data are in the slot, so that only the write of the table is missing.
    pub is_written: bool,
    /// True if the disk serves the piece directly, without the MEMS device.
    pub is_direct: bool,
}

/// A request, with the number of its pieces that are not complete.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Open {
    pub request: Option<VolumeRequest>,
    pub(super) pieces: u32,
}

/// Purpose of a part, in the lowest bits of its tag. The next bits hold the number of a piece, of a slot or
/// of a sector of the table, and the highest bits hold the epoch.
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
