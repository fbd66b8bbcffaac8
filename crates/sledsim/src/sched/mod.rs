//! Schedulers: the choice of the next request among the requests that wait.

mod bits;
mod cost;
mod cylinder_queue;
mod index;
mod least_cost;
mod on_line;
mod operation_queue;
mod ordered_queue;
mod policy;
mod registering;
mod unordered_queue;

use crate::device::Device;
use crate::error::Result;
pub use crate::options::{OptionRow, Options};
use crate::request::Request;
use crate::table::{rows, Row};
use crate::time::Time;
use dyn_clone::DynClone;
pub use policy::Policy;
pub use registering::register_scheduler;

/// A queue with a policy.
///
/// A policy only looks at the device, when a request arrives (so that it can keep an index over places) and when the
/// next is chosen. Ties are broken by arrival in every policy.
///
/// `choose` changes nothing. The chosen request, or another that a wrapper prefers, is then [taken](Self::take), and
/// only then a policy updates its position.
pub trait Scheduler: DynClone + Send + Sync {
    /// Adds a request that waits from now on.
    fn push(&mut self, request: Request, device: &dyn Device);

    /// The request to serve next, if any waits.
    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request>;

    /// Removes a waiting request, which is served now.
    ///
    /// It may be any waiting request, not only the chosen one: a wrapper may prefer another.
    fn take(&mut self, request: &Request, device: &dyn Device);

    /// Removes a waiting request, which goes to another queue of the same device.
    fn withdraw(&mut self, request: &Request, device: &dyn Device) {
        self.take(request, device);
    }

    /// Notes that another queue of the same device serves this request, which does not wait here: a policy that
    /// remembers the place of the device updates it.
    fn served(&mut self, _request: &Request, _device: &dyn Device) {}

    /// True if the next request is always the request that was pushed first.
    fn is_in_order(&self) -> bool {
        false
    }

    /// Number of waiting requests.
    fn len(&self) -> usize;

    /// True if no request waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Chooses and takes a request.
    fn pop(&mut self, now: Time, device: &dyn Device) -> Option<Request> {
        let chosen = self.choose(now, device)?;
        self.take(&chosen, device);
        Some(chosen)
    }
}

dyn_clone::clone_trait_object!(Scheduler);

/// Guarantee to every policy, as the message of a panic.
const WAITS: &str = "what is taken waits in the queue";

/// Builds an empty queue in front of a device, or reports an invalid option.
pub type BuildScheduler = dyn Fn(&Options, &dyn Device) -> Result<Box<dyn Scheduler>> + Send + Sync;

/// Builds an empty queue around the queues that the function builds, or reports an invalid option.
pub type BuildWrapper = fn(&Options, &dyn Fn() -> Result<Box<dyn Scheduler>>) -> Result<Box<dyn Scheduler>>;

/// A row of the table of policies.
pub type SchedulerRow = Row<&'static BuildScheduler>;

/// A row of the table of wrappers, such as the deadline in `sptf+deadline:after_ms=50`.
pub type WrapperRow = Row<BuildWrapper>;

rows! {
    /// The table of all policies; users add more at run time.
    pub static SCHEDULERS: Table<&'static BuildScheduler> = "scheduler";
    mod fcfs: ROW;
    mod sstf: LBN, TRACK, CYLINDER;
    mod look: LBN, CYLINDER;
    mod clook: LBN, CYLINDER, CSCAN;
    mod vscan: LBN, CYLINDER;
    mod sdf: ROW;
    mod sptf: ROW;
    mod sptf_driver: ROW;
    mod satf: ROW;
    mod aged_time: SPTF, SATF;
    mod wptf: ROW;
    mod zones: FCFS, SPTF, ARRIVED;
    mod pyramid: ROW;
}

rows! {
    /// The table of all wrappers around policies.
    pub static WRAPPERS: Table<BuildWrapper> = "scheduler wrapper";
    mod deadline: ROW;
    mod priority: ROW;
}
