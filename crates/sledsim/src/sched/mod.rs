//! Schedulers: which of the waiting requests is served next.

mod clook_lbn;
mod fcfs;
mod sptf;
mod sstf_lbn;

use crate::device::Device;
use crate::error::{normalise, unknown_name, Result};
use crate::request::Request;
use crate::time::Time;
pub use clook_lbn::ClookLbn;
pub use fcfs::Fcfs;
pub use sptf::Sptf;
pub use sstf_lbn::SstfLbn;

/// A queue with a policy.
///
/// The device is handed in to look at only, when a request comes in (so that a policy can keep an index over
/// places) and when the next is chosen. Ties are broken by arrival in every policy.
pub trait Scheduler: Send {
    /// Takes in a request that waits from now on.
    fn push(&mut self, request: Request, device: &dyn Device);

    /// Takes out the request to serve next, if any waits.
    fn pop(&mut self, now: Time, device: &dyn Device) -> Option<Request>;

    /// How many wait.
    fn len(&self) -> usize;

    /// Whether none waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One policy.
pub struct SchedulerRow {
    /// The name that users give.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub description: &'static str,
    /// Makes an empty queue.
    pub build: fn() -> Box<dyn Scheduler>,
}

/// Every policy: one file and one row here.
pub const SCHEDULERS: &[SchedulerRow] = &[
    SchedulerRow {
        name: "fcfs",
        description: "first come, first served",
        build: || Box::new(Fcfs::default()),
    },
    SchedulerRow {
        name: "sstf_lbn",
        description: "shortest seek time first, judged by the distance in LBN (001-F13)",
        build: || Box::new(SstfLbn::default()),
    },
    SchedulerRow {
        name: "clook_lbn",
        description: "cyclical look: ascending LBN, then from the lowest again (001-F13)",
        build: || Box::new(ClookLbn::default()),
    },
    SchedulerRow {
        name: "sptf",
        description: "shortest positioning time first, exact (001-F13, 000-F16)",
        build: || Box::new(Sptf::default()),
    },
];

/// The policy of that name.
///
/// # Errors
/// An unknown name, answered with the nearest known one.
pub fn find(name: &str) -> Result<&'static SchedulerRow> {
    let wanted = normalise(name);
    SCHEDULERS
        .iter()
        .find(|row| normalise(row.name) == wanted)
        .ok_or_else(|| unknown_name("scheduler", name, SCHEDULERS.iter().map(|row| row.name)))
}
