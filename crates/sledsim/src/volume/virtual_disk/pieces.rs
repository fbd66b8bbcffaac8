//! Pieces of requests: a request is divided at the borders of segments.

use crate::volume::pieces::RequestPart;
use crate::volume::VolumeRequest;

/// A piece of a request: its sectors in one segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentPart {
    pub part: RequestPart,
    pub segment: u64,
    /// True if the miss of the segment was already reported to the replacement policy.
    pub is_missed: bool,
    /// True if the data of a write are already in the slot, so that the piece only waits until the table states this.
    pub is_written: bool,
    /// True if the disk serves the piece, because the MEMS device is missing.
    pub is_direct: bool,
}

/// A request, with the number of its pieces that are not complete.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Open {
    pub request: Option<VolumeRequest>,
    pub(super) pieces: u32,
}

/// Purpose of a part, in the lowest bits of its tag. The next bits hold the number of a piece, a slot or a sector of
/// the table, depending on the purpose; the highest bits hold the epoch.
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
