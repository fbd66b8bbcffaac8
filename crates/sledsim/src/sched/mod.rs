//! Schedulers: queues with a policy, which chooses the next of the waiting requests.

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

/// A queue with a policy, which chooses the next request.
///
/// A policy looks at the device only, and only when a request arrives (to keep an index by place) and when the next
/// request is chosen. Between equally good requests, every policy chooses the one that arrived first.
///
/// The method `choose` changes nothing. The chosen request, or another request that a wrapper prefers, is then
/// [taken](Self::take). A policy that remembers a position updates this position only then.
pub trait Scheduler: DynClone + Send + Sync {
    /// Adds a request, which waits from now on.
    fn push(&mut self, request: Request, device: &dyn Device);

    /// Returns the request to serve next; `None` if no request waits.
    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request>;

    /// Removes a waiting request, which is served now.
    ///
    /// The request may differ from the chosen one, because a wrapper may prefer another.
    fn take(&mut self, request: &Request, device: &dyn Device);

    /// Removes a waiting request, because it moves to another queue of the same device.
    fn withdraw(&mut self, request: &Request, device: &dyn Device) {
        self.take(request, device);
    }

    /// Informs the policy of a request that the device serves from another queue. A policy that remembers the position
    /// of the device updates this position.
    fn served(&mut self, _request: &Request, _device: &dyn Device) {}

    /// True if the policy always serves the waiting request that was added first.
    fn is_in_order(&self) -> bool {
        false
    }

    /// Number of requests that wait in the queue.
    fn len(&self) -> usize;

    /// True if no request waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Chooses a request, removes it from the queue and returns it.
    fn pop(&mut self, now: Time, device: &dyn Device) -> Option<Request> {
        let chosen = self.choose(now, device)?;
        self.take(&chosen, device);
        Some(chosen)
    }
}

dyn_clone::clone_trait_object!(Scheduler);

/// Condition that every policy relies on; the text is the message of the panic if it does not hold.
const WAITS: &str = "a request that is taken must wait in the queue";

/// Builds an empty queue in front of a device from the options of a policy, or reports an invalid option.
pub type BuildScheduler = dyn Fn(&Options, &dyn Device) -> Result<Box<dyn Scheduler>> + Send + Sync;

/// Builds an empty queue of a wrapper around the queues that the second argument builds, or reports an invalid option.
pub type BuildWrapper = fn(&Options, &dyn Fn() -> Result<Box<dyn Scheduler>>) -> Result<Box<dyn Scheduler>>;

/// An entry of the table of policies.
pub type SchedulerRow = Row<&'static BuildScheduler>;

/// An entry of the table of wrappers, such as the deadline in `sptf+deadline:after_ms=50`.
pub type WrapperRow = Row<BuildWrapper>;

rows! {
    /// The table of all policies, to which users can add policies at run time.
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
