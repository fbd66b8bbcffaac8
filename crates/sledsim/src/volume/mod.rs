//! Volumes: a volume turns requests into requests to its members, and also has background work of its own.
//!
//! A volume is a state machine: it receives a request, the completion of a part, or a wake-up, and replies with
//! actions. It has neither a clock nor devices of its own; the same code runs in a simulation and in tests that follow
//! the data of every sector.

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
/// A volume replies to every call with actions, which it adds to [`Io`]. It [completes](Io::complete) each request
/// once, when no part of this request is in flight. If work for a request continues afterwards, it belongs to a [job of
/// the volume itself](Io::begin).
pub trait Volume: DynClone + Send + Sync {
    /// Number of sectors that the volume offers.
    fn sectors(&self) -> u64;

    /// Begins a run at the time `_now`. A volume with periodic work requests its first [wake-up](Io::wake).
    fn begin(&mut self, _now: Time, _io: &mut Io) {}

    /// Starts to serve a request as `job`. The buffer of `job` holds the data of a write from the start; it must hold
    /// the data of a read before `job` is completed. Parts of `job` have its urgency.
    fn submit(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io);

    /// True if a write may be complete with its data only in the memory of the volume.
    fn has_write_cache(&self) -> bool {
        false
    }

    /// Starts a flush as `job`: data in the memory of the volume go to members, and then the volume
    /// [flushes its members](Io::flush_members), which completes the job.
    fn flush(&mut self, _now: Time, job: Job, io: &mut Io) {
        io.flush_members(job);
    }

    /// Handles the completion of a part by its member.
    fn done(&mut self, now: Time, part: &Part, io: &mut Io);

    /// Handles a wake-up that the volume has requested; `_token` is the token of this request.
    fn woken(&mut self, _now: Time, _token: u64, _io: &mut Io) {}

    /// Handles the change of `_job` from background to foreground. The volume must then promote the jobs that `_job`
    /// waits for.
    fn promoted(&mut self, _now: Time, _job: Job, _io: &mut Io) {}

    /// Handles an idle member: no foreground part is in flight to the member `_member` any more.
    fn idle(&mut self, _now: Time, _member: u32, _io: &mut Io) {}

    /// Handles the failure of the member `member`: its data are lost, and its parts in flight will never complete.
    ///
    /// # Errors The volume cannot work without this member.
    fn fail(&mut self, _now: Time, member: u32, _io: &mut Io) -> Result<()> {
        fault(format!("member {member} has failed, and the volume cannot work without this member"))
    }

    /// Replaces a failed member by an empty one.
    fn replace(&mut self, _now: Time, _member: u32, _io: &mut Io) {}

    /// Restores the state of a volume after a power failure: members still hold their data, but memory is lost. `_read`
    /// returns the [note](Io::note) in a sector of a member. This is the first call to a volume; calls of
    /// [`fail`](Self::fail) for missing members and of [`begin`](Self::begin) follow.
    fn recover(&mut self, _read: &mut FindNote<'_>) {}

    /// Counts for the summary of a run: name and value of each.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

dyn_clone::clone_trait_object!(Volume);

/// A kind of volume: the data of its entry in the table of volumes.
#[derive(Clone, Copy)]
pub struct VolumeKind {
    /// Roles of the members. Members are numbered from 0 in the order of the roles.
    pub roles: &'static [RoleRow],
    /// Counts that the kind reports, each with a description. Several kinds share groups of counts.
    pub counters: &'static [Counters],
    /// The data that volumes of the kind keep after failures.
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
