//! Accesses to the members of a RAID-5: each serves one request, or one piece of a rebuild or resynchronisation.

use std::ops::Range;

use super::method::Method;
use crate::volume::{BufferPlace, Job, Ticket};

/// Phase of an access: what its parts in flight read or write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// The access reads the requested data. In place of data on a missing device, it reads the same sectors of all
    /// other devices.
    #[default]
    Read,
    /// The access reads the data from which a write computes the new parity: old data, old parity, or unchanged data.
    ReadOld,
    /// The access writes data and parity.
    Write,
    /// The access reads a piece of a rebuild or resynchronisation from all other devices; then it writes the piece to
    /// the device with this number.
    PieceRead(u32),
    PieceWrite,
}

/// An access and its state. The buffer of its job begins with the data of the request; then come the sectors `rows` of
/// the first device, of the second device, and so on.
#[derive(Clone, Debug, Default)]
pub(super) struct Access {
    pub(super) phase: Phase,
    /// Sectors of the volume that the request reads or writes; empty for a piece of a rebuild or resynchronisation.
    pub(super) range: Range<u64>,
    /// Sectors of each device that the access may read or write: one range, the same on every device.
    pub(super) rows: Range<u64>,
    pub(super) metadata: bool,
    /// Device number of each part in flight.
    pub(super) pending: Vec<u32>,
    /// True if a device has failed during the access, so that the access must read again.
    pub(super) again: bool,
    /// Method by which the write computes the parity of each of its targets. A target consists of sectors of one stripe.
    pub(super) methods: Vec<Method>,
    pub(super) ticket: Option<Ticket>,
}

impl Access {
    /// The place of a sector in the buffer of `job`: of the sector `sector` of the device `device`.
    pub(super) fn place(&self, job: Job, device: u32, sector: u64) -> BufferPlace {
        let behind = u64::from(device) * (self.rows.end - self.rows.start) + (sector - self.rows.start);
        (job, self.range.end - self.range.start + behind)
    }
}
