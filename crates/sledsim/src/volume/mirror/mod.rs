//! Copies of the same data: RAID-1.

mod copy_selection;
mod requests;

use super::array::{alike, bit, Array, FAILED_DEVICE, INTENT_S, MOST_DEVICES, REBUILD_MB_S, REPLACED};
use super::per_job::PerJob;
use super::{Io, Job, Members, Part, RoleRow, Ticket, VolumeKind, VolumeRow};
use crate::error::{Error, Result};
use crate::options::{OptionRow, Options};
use crate::request::Op;
use copy_selection::Choice;

/// Its row.
pub(super) const ROW: VolumeRow = VolumeRow::new(
    "mirror",
    "RAID-1: the same data on each device; survives the loss of all but one, and rebuilds \
         replacements. A power failure loses nothing, but what was being written then may read \
         differently if a device fails before the copies are resynchronised",
    VolumeKind {
        roles: &[RoleRow::devices("the devices with the copies; the last sector of each is the array's own")],
        build: |options, members| Ok(Box::new(Mirror::new(options, members)?)),
    },
)
.aliases(&["raid1"])
.options(&[&[
    OptionRow::whole("devices", "2", [2, MOST_DEVICES], "number of copies, on devices of one size"),
    copy_selection::OPTION,
    FAILED_DEVICE,
    REPLACED,
    REBUILD_MB_S,
    INTENT_S,
]]);

/// Sectors that are brought in step at a time.
const PIECE: u64 = 128;
/// What a job is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Work {
    /// The job is over.
    #[default]
    None,
    Read,
    Write,
    /// A piece of the pass: it is read from one member, then written to others.
    PieceRead,
    PieceWrite,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    work: Work,
    sector: u64,
    sectors: u32,
    metadata: bool,
    /// Members with a part of it on its way.
    pending: u64,
    ticket: Option<Ticket>,
    /// Of a piece: a member has failed meanwhile, so it has to be done again.
    again: bool,
}

/// Copies of the same data.
///
/// Writes that overlap wait for one another, so that the copies agree. After a loss of power they may differ where
/// writes were in flight: until a pass has made them agree, such places are read from one member only.
pub(super) struct Mirror {
    array: Array,
    sectors: u64,
    entries: PerJob<Entry>,
    choice: Choice,
    degraded_reads: u64,
    writes_waited: u64,
}

impl Mirror {
    fn new(options: &Options, members: &Members) -> Result<Self> {
        let devices = &members[0];
        let sectors = alike("mirror", devices)? - 1;
        if sectors == 0 {
            return Err(Error::Parameter("mirror: expected devices of two sectors at least, found 1".into()));
        }
        Ok(Self {
            array: Array::new(options, devices, sectors, PIECE, true)?,
            sectors,
            entries: PerJob::default(),
            choice: Choice::new(options, devices.len() as u32, sectors)?,
            degraded_reads: 0,
            writes_waited: 0,
        })
    }

    fn send(&mut self, job: Job, member: u32, op: Op, io: &mut Io) {
        let entry = self.entries.of(job);
        entry.pending |= bit(member);
        let Entry { sector, sectors, metadata, .. } = *entry;
        io.submit(Part { member, sector, sectors, op, metadata, job, at: 0, tag: 0 });
    }
}
