//! Volumes: a volume turns requests into requests to its members, and also has background work of its own.
//!
//! A volume is a state machine: it receives a request, the completion of a part, or a wake, and replies with
//! actions. It has neither a clock nor devices; the same machine runs in a simulation and in tests that
//! follow the data of every sector.

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

/// A layer between the senders of requests and the members, which are devices or other volumes.
///
/// A volume replies to every call with actions, through [`Io`]. It [completes](Io::complete) every request
/// once, when no part of the request is in flight; later work belongs to a [job of the volume](Io::begin).
pub trait Volume: DynClone + Send + Sync {
    /// Number of sectors that the volume offers.
    fn sectors(&self) -> u64;

    /// Begins a run at the time `now`; a volume with periodic work asks for its first [wake](Io::wake).
    fn begin(&mut self, _now: Time, _io: &mut Io) {}

    /// Starts a request as `job`; the request lies within the sectors of the volume. The buffer of the job
    /// holds the data of a write from the start; the data of a read must be there when the job is completed.
    /// Parts of the job have its urgency.
    fn submit(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io);

    /// Handles the completion of a part.
    fn done(&mut self, now: Time, part: &Part, io: &mut Io);

    /// Handles a wake for which the volume has asked with this token.
    fn woken(&mut self, _now: Time, _token: u64, _io: &mut Io) {}

    /// Handles the change of a job from background to foreground; the volume then promotes the jobs for which
    /// this job waits.
    fn promoted(&mut self, _now: Time, _job: Job, _io: &mut Io) {}

    /// Handles the completion of the last foreground part at a member.
    fn idle(&mut self, _now: Time, _member: u32, _io: &mut Io) {}

    /// Handles the failure of a member and the loss of its data; the parts in flight to the member will not complete.
    ///
    /// # Errors The volume cannot work without this member.
    fn fail(&mut self, _now: Time, member: u32, _io: &mut Io) -> Result<()> {
        fault(format!("member {member} has failed, and the volume cannot work without this member"))
    }

    /// Replaces a failed member by an empty one.
    fn replace(&mut self, _now: Time, _member: u32, _io: &mut Io) {}

    /// Restores the state of a volume after a power failure: members hold the data that they held then, and
    /// memory is lost. `read` returns the [note](Io::note) in a sector of a member, if any. This is the first
    /// call; calls of [`fail`](Self::fail) for missing members and of [`begin`](Self::begin) follow.
    fn recover(&mut self, _read: &mut FindNote<'_>) {}

    /// Counts for the summary of a run: name and value of each.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

dyn_clone::clone_trait_object!(Volume);

/// A kind of volume: the data of its entry in the table, besides its name and options.
#[derive(Clone, Copy)]
pub struct VolumeKind {
    /// Roles of the members. Members are numbered from 0 in the order of the roles.
    pub roles: &'static [RoleRow],
    /// Counts that the kind reports, in groups that several kinds have in common.
    pub counters: &'static [Counters],
    /// The data that the kind promises to keep after failures.
    pub promises: Promises,
    /// Builds a volume of the kind from its options and the sizes of its members.
    pub build: fn(&Options, &Members) -> Result<Box<dyn Volume>>,
}

/// An entry of the table of volumes.
pub type VolumeRow = Row<VolumeKind>;

rows! {
    /// The table of all kinds of volumes.
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
