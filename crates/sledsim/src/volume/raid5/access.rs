//! Accesses of a RAID-5: the reads and writes of members for one request, or for one piece of a rebuild or
//! resynchronisation.

use std::ops::Range;

use super::method::Method;
use crate::volume::{BufferPlace, Job, Ticket};

/// Progress of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// The access reads the requested data and, for data of a missing device, the same sectors of all other devices.
    #[default]
    Read,
    /// The access reads the old data or old parity from which the new parity is computed.
    ReadOld,
    /// The access writes data and parity.
    Write,
    /// The access reads a piece from all other devices, to be written to the device of this number by a
    /// rebuild or resynchronisation.
    PieceRead(u32),
    PieceWrite,
}

/// An access and its state. The buffer of its job holds, behind the data of the request, the sectors `rows`
/// of every device, one device after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Access {
    pub(super) phase: Phase,
    /// Sectors of the volume that the request reads or writes; empty for a piece of a rebuild or resynchronisation.
    pub(super) range: Range<u64>,
    /// Sectors of every device that contain all sectors that the access reads or writes.
    pub(super) rows: Range<u64>,
    pub(super) metadata: bool,
    /// Number of the device of each part in flight.
    pub(super) pending: Vec<u32>,
    /// True if a device has failed during the access, so that its reads must be repeated.
    pub(super) again: bool,
    /// Method by which each target of a write gets its parity.
    pub(super) methods: Vec<Method>,
    pub(super) ticket: Option<Ticket>,
}

impl Access {
    /// The place of a device's sector in the buffer of the job.
    pub(super) fn place(&self, job: Job, device: u32, sector: u64) -> BufferPlace {
        let behind = u64::from(device) * (self.rows.end - self.rows.start) + (sector - self.rows.start);
        (job, self.range.end - self.range.start + behind)
    }
}
