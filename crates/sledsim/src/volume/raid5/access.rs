//! The way of an access: what a request, or a piece of the pass, reads and writes of the members.

use std::ops::Range;

use super::method::Method;
use crate::volume::{BufferPlace, Job, Ticket};

/// Progress of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Data are read from where they lie, or, if that is missing, what all other devices hold there.
    #[default]
    Read,
    /// Reading what the new parity needs.
    ReadOld,
    /// Data and parity are written.
    Write,
    /// A piece of the pass: what all others hold is read, and then written to one device.
    PieceRead(u32),
    PieceWrite,
}

/// Reads and writes of a job. All of its data are kept in one image of the devices' rows, which lies in the buffer of
/// the job behind the data of the request.
#[derive(Clone, Debug, Default)]
pub(super) struct Access {
    pub(super) phase: Phase,
    /// Sectors of the volume; none, if it is a piece of the pass.
    pub(super) range: Range<u64>,
    /// Sectors of the devices, the same of each, among which all that it reads and writes lies.
    pub(super) rows: Range<u64>,
    pub(super) metadata: bool,
    /// The device of each part on its way.
    pub(super) pending: Vec<u32>,
    /// A device has failed meanwhile, so what is read has to be read again.
    pub(super) again: bool,
    /// How each target of a write is written.
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
