//! Volumes: which requests to its members a request becomes, and what a volume does on its own.
//!
//! A volume is a machine that waits: it is told of a request, of a part that is done, of a time that has come, and
//! answers with what is to be done. It knows neither clock nor devices; the same machine runs in a simulation and in
//! tests that follow every block.

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

/// What stands between requests and the devices, or other volumes, that are its members.
///
/// Whatever a volume is told, it answers through [`Io`]. Every request is [completed](Io::complete) once, when none
/// of its parts is on its way any more; what goes on behind it belongs to a [job of its own](Io::begin).
pub trait Volume: DynClone + Send + Sync {
    /// Sectors that it offers.
    fn sectors(&self) -> u64;

    /// A run begins at `now`: work that comes by the clock may be [scheduled](Io::wake).
    fn begin(&mut self, _now: Time, _io: &mut Io) {}

    /// A request comes in as `job`, within the sectors of the volume. The data of a write lie in the buffer of the
    /// job, from its first sector on; those of a read are to be there when it is completed. Its parts are as urgent as
    /// it is itself.
    fn submit(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io);

    /// A member is done with a part.
    fn done(&mut self, now: Time, part: &Part, io: &mut Io);

    /// A time that was asked for has come.
    fn woken(&mut self, _now: Time, _token: u64, _io: &mut Io) {}

    /// A background job becomes foreground; what it waits for itself has to follow.
    fn promoted(&mut self, _now: Time, _job: Job, _io: &mut Io) {}

    /// Nothing urgent waits at that member or is served by it any more.
    fn idle(&mut self, _now: Time, _member: u32, _io: &mut Io) {}

    /// A member has failed, and all that it held is lost; parts that were on their way to it do not come back.
    ///
    /// # Errors
    /// The volume cannot do without it.
    fn fail(&mut self, _now: Time, member: u32, _io: &mut Io) -> Result<()> {
        fault(format!("member {member} has failed, and the volume needs it"))
    }

    /// An empty member has come in the place of one that had failed.
    fn replace(&mut self, _now: Time, _member: u32, _io: &mut Io) {}

    /// Starts a volume whose members hold what they held at a loss of power; what it had in memory is gone. `read`
    /// gives the [note](Io::note) in a sector of a member, if there is one. It comes before anything else; then
    /// follow [`fail`](Self::fail) for each member that is missing, and [`begin`](Self::begin).
    fn recover(&mut self, _read: &mut FindNote<'_>) {}

    /// What it counted, for the summary of a run: name and value.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

dyn_clone::clone_trait_object!(Volume);

/// A kind of volume, besides its name and options.
#[derive(Clone, Copy)]
pub struct VolumeKind {
    /// Its members: those of the first role are numbered from 0 on, those of the next follow.
    pub roles: &'static [RoleRow],
    /// What it counts in a run, in groups that several kinds share.
    pub counters: &'static [Counters],
    /// The data that it keeps, whatever is lost.
    pub promises: Promises,
    /// Makes it.
    pub build: fn(&Options, &Members) -> Result<Box<dyn Volume>>,
}

/// One kind of volume.
pub type VolumeRow = Row<VolumeKind>;

rows! {
    /// Every kind of volume.
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
