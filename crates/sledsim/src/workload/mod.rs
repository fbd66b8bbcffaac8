//! Workloads: which request comes next, and when.

mod generators;
mod past_end;
mod replay;

use crate::request::Op;
use crate::time::Time;
use crate::volume::HostRequest;
pub use generators::{random, random_generator, Drawer, Generator, GeneratorRow, GENERATORS};
#[cfg(feature = "fitted")]
pub use generators::{FittedWorkload, WorkloadFit};
pub use past_end::PastEnd;
pub use replay::{
    Batch, Batches, Columns, Dependencies, Replay, ReplayMode, ReplayRow, Replaying, Streamed, REPLAYS,
};

/// A request of the host at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// When it is issued.
    pub time: Time,
    /// Read or write.
    pub op: Op,
    /// Whether it is for metadata of a file system.
    pub metadata: bool,
    /// The request.
    pub request: HostRequest,
}

/// A source of requests, in order of time.
pub trait Workload {
    /// The next request; none if there is none for now.
    fn next(&mut self) -> Option<Arrival>;

    /// Whether completions make a difference to it: else it is told of none.
    fn waits(&self) -> bool {
        true
    }

    /// The request of that row is complete at `now`: a closed loop may go on.
    fn completed(&mut self, _row: u32, _now: Time) {}

    /// The next request, when `ahead` was to be: a completion may have let an earlier one come.
    fn next_or_earlier(&mut self, ahead: Option<Arrival>) -> Option<Arrival> {
        ahead.or_else(|| self.next())
    }

    /// How many requests are to be expected, for the columns of the record.
    fn expected(&self) -> usize {
        0
    }
}
