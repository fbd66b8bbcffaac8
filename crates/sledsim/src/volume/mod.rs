//! Volumes: they turn a request into requests to members, and have background work of their own.
//!
//! A volume is a state machine. It receives a request, a finished part or a time, and answers with actions.
//! It knows neither clock nor devices; the same machine runs in a simulation and in tests that follow every
//! block.

mod array;
mod backing_store;
mod host_request;
mod io;
mod links;
mod part;
mod per_job;
mod pieces;
mod promises;
mod ranges;
mod replacement;
mod roles;
mod sector_bits;
mod shared_bus;
mod sparse;
mod waiting;

use crate::counts::Counters;
use crate::error::{fault, Result};
use crate::options::Options;
use crate::table::{rows, Row};
use crate::time::Time;
use dyn_clone::DynClone;
pub use host_request::{HostRequest, VolumeRequest};
pub use io::{Action, BufferPlace, FindNote, Io, Noted};
pub use part::{Job, Part, Urgency};
pub use per_job::PerJob;
pub use promises::{Kept, Promises, Start};
pub use ranges::{Hold, Ranges, Ticket};
pub use replacement::{Replacement, ReplacementRow, REPLACEMENTS};
pub use roles::{Members, RoleRow};
pub use shared_bus::shared_bus_ns_per_sector;
pub use single::{Placed, Single};

/// A layer between requests and its members, which are devices or other volumes.
///
/// A volume answers every call through [`Io`]. Every request is [completed](Io::complete) once, when none of
/// its parts is in flight any more; later work belongs to a [job of the volume](Io::begin).
pub trait Volume: DynClone + Send + Sync {
    /// Number of sectors that the volume offers.
    fn sectors(&self) -> u64;

    /// Begins a run at `now`: periodic work may be [scheduled](Io::wake).
    fn begin(&mut self, _now: Time, _io: &mut Io) {}

    /// Starts a request as `job`, within the sectors of the volume. The data of a write lie in the buffer of
    /// the job, from its first sector on; the data of a read must be there at its completion. Parts have the
    /// urgency of the request.
    fn submit(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io);

    /// Takes a part that a member has finished.
    fn done(&mut self, now: Time, part: &Part, io: &mut Io);

    /// Handles a time that the volume asked for.
    fn woken(&mut self, _now: Time, _token: u64, _io: &mut Io) {}

    /// Follows a background job that became foreground; the jobs that it waits for must follow.
    fn promoted(&mut self, _now: Time, _job: Job, _io: &mut Io) {}

    /// Notes that a member has no more foreground work.
    fn idle(&mut self, _now: Time, _member: u32, _io: &mut Io) {}

    /// Handles the failure of a member and the loss of its data; parts on their way to it do not return.
    ///
    /// # Errors The volume cannot work without the member.
    fn fail(&mut self, _now: Time, member: u32, _io: &mut Io) -> Result<()> {
        fault(format!("member {member} has failed, and the volume cannot work without this member"))
    }

    /// Takes an empty member as the replacement of a failed one.
    fn replace(&mut self, _now: Time, _member: u32, _io: &mut Io) {}

    /// Starts a volume after a power failure: members hold the data that they held then, and memory is lost. `read`
    /// returns the [note](Io::note) in a sector of a member, if there is one. The call comes first; then follow
    /// [`fail`](Self::fail) for each missing member, and [`begin`](Self::begin).
    fn recover(&mut self, _read: &mut FindNote<'_>) {}

    /// Counts for the summary of a run: name and value.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

dyn_clone::clone_trait_object!(Volume);

/// A kind of volume, without its name and options.
#[derive(Clone, Copy)]
pub struct VolumeKind {
    /// Roles of the members: members of the first role are numbered from 0, members of the next role follow.
    pub roles: &'static [RoleRow],
    /// Counters of a run, in groups that several kinds share.
    pub counters: &'static [Counters],
    /// Promises about data after losses.
    pub promises: Promises,
    /// Builder of the volume.
    pub build: fn(&Options, &Members) -> Result<Box<dyn Volume>>,
}

/// A row of the table of volumes.
pub type VolumeRow = Row<VolumeKind>;

rows! {
    /// The table of all kinds of volume.
    pub static VOLUMES: Table<VolumeKind> = "volume";
    mod single: ROW;
    mod sleds: ROW;
    mod stripe: ROW;
    mod mirror: ROW;
    mod raid5: ROW;
    mod write_buffer: ROW;
    mod metadata: ROW, ROW_WITH_BUFFER;
    mod virtual_disk: ROW;
    mod cache: ROW;
    mod merge: ROW;
}
