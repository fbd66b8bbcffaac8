//! Workloads: the next request and its time.

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
    /// Time at which the host issues the request.
    pub time: Time,
    /// Operation: read or write.
    pub op: Op,
    /// True if the request is for metadata of a file system.
    pub metadata: bool,
    /// The request.
    pub request: HostRequest,
}

/// A source of requests, in order of time.
pub trait Workload {
    /// The next request; `None` if there is no request for now.
    fn next(&mut self) -> Option<Arrival>;

    /// True if completions affect the workload; otherwise the workload is not notified of completions.
    fn waits(&self) -> bool {
        true
    }

    /// Notes that the request of that row is complete at `now`: a closed loop may continue.
    fn completed(&mut self, _row: u32, _now: Time) {}

    /// The next request, if `ahead` was expected: a completion may allow an earlier one.
    fn next_or_earlier(&mut self, ahead: Option<Arrival>) -> Option<Arrival> {
        ahead.or_else(|| self.next())
    }

    /// Expected number of requests, for the columns of the record.
    fn expected(&self) -> usize {
        0
    }
}
