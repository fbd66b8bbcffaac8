//! Workloads: sources of requests with their arrival times.

mod generators;
mod past_end;
mod replay;

use crate::request::{Durable, Op};
use crate::time::Time;
use crate::volume::HostRequest;
pub use generators::{random, random_generator, Drawer, Generator, GeneratorRow, GENERATORS};
#[cfg(feature = "fitted")]
pub use generators::{FittedWorkload, WorkloadFit};
pub use past_end::PastEnd;
pub use replay::{
    Batch, Batches, Columns, Dependencies, Replay, ReplayMode, ReplayRow, Replaying, Streamed, REPLAYS,
};

/// A request of the host with its arrival time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Time at which the host issues the request.
    pub time: Time,
    /// Operation of the request: read or write.
    pub op: Op,
    /// Data that must be durable when the request is complete.
    pub durable: Durable,
    /// True if the request is for metadata of a file system.
    pub metadata: bool,
    /// Device, position and size of the request.
    pub request: HostRequest,
}

impl Arrival {
    /// A read or write that need not be durable, not for metadata.
    #[must_use]
    pub fn new(time: Time, op: Op, request: HostRequest) -> Self {
        Self { time, op, durable: Durable::Nothing, metadata: false, request }
    }

    /// A flush of a traced device.
    #[must_use]
    pub fn flush(time: Time, traced_device: u32) -> Self {
        let request = HostRequest { traced_device, sector: 0, sectors: 0 };
        Self { durable: Durable::Earlier, ..Self::new(time, Op::Write, request) }
    }
}

/// A source of requests, in order of time.
pub trait Workload {
    /// Returns the next request; `None` if no further request is known now.
    fn next(&mut self) -> Option<Arrival>;

    /// True if completions determine later requests; otherwise the workload is not notified of completions.
    fn waits(&self) -> bool {
        true
    }

    /// Notifies the workload that the request `_row` (its number in order of issue) completed at
    /// `_now`; the workload may then issue another one.
    fn completed(&mut self, _row: u32, _now: Time) {}

    /// Returns the next request. `ahead` is the request that was expected to be next; a completion
    /// may have made an earlier request possible.
    fn next_or_earlier(&mut self, ahead: Option<Arrival>) -> Option<Arrival> {
        ahead.or_else(|| self.next())
    }

    /// Expected number of requests, for which a run reserves memory.
    fn expected(&self) -> usize {
        0
    }
}
