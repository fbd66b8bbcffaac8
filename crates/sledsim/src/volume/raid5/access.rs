//! The steps of an access: the reads and writes of members for a request or a piece of the pass.

use std::ops::Range;

use super::method::Method;
use crate::volume::{BufferPlace, Job, Ticket};

/// Progress of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Reading data in place, or, for a missing device, the rows of all other devices.
    #[default]
    Read,
    /// Reading the data that the new parity needs.
    ReadOld,
    /// Writing data and parity.
    Write,
    /// Reading a piece of the pass from all other devices, to be written to one device.
    PieceRead(u32),
    PieceWrite,
}

/// Reads and writes of a job. All of its data are kept in one image of the devices' rows, in the buffer of
/// the job behind the data of the request.
#[derive(Clone, Debug, Default)]
pub(super) struct Access {
    pub(super) phase: Phase,
    /// Sectors of the volume; empty for a piece of the pass.
    pub(super) range: Range<u64>,
    /// Sectors of each device that contain all reads and writes of the access.
    pub(super) rows: Range<u64>,
    pub(super) metadata: bool,
    /// Device of each part in flight.
    pub(super) pending: Vec<u32>,
    /// True if a device has failed meanwhile, so that reads must be repeated.
    pub(super) again: bool,
    /// Method of each target of a write.
    pub(super) methods: Vec<Method>,
    pub(super) ticket: Option<Ticket>,
}

impl Access {
    /// The place of a sector of a device in the image.
    pub(super) fn place(&self, job: Job, device: u32, sector: u64) -> BufferPlace {
        let behind = u64::from(device) * (self.rows.end - self.rows.start) + (sector - self.rows.start);
        (job, self.range.end - self.range.start + behind)
    }
}
