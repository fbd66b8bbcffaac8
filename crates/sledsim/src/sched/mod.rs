//! Schedulers: which of the waiting requests is served next.

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
/// The device is handed in to look at only, when a request comes in (so that a policy can keep an index over
/// places) and when the next is chosen. Ties are broken by arrival in every policy.
///
/// To choose is to look: `choose` changes nothing. What it chose, or what a wrapper chose over its head, is
/// [taken](Self::take) then, and that is when a policy remembers where it is.
pub trait Scheduler: DynClone + Send + Sync {
    /// Takes in a request that waits from now on.
    fn push(&mut self, request: Request, device: &dyn Device);

    /// The request to serve next, if any waits.
    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request>;

    /// Takes out a request, which waits here and is served now.
    ///
    /// It is any of those that wait, not always the chosen one: a wrapper may prefer another.
    fn take(&mut self, request: &Request, device: &dyn Device);

    /// Takes out a request, which waits here and goes to another queue of the same device.
    fn withdraw(&mut self, request: &Request, device: &dyn Device) {
        self.take(request, device);
    }

    /// Another queue of the same device serves this request, which does not wait here: a policy that remembers
    /// where the device is goes there.
    fn served(&mut self, _request: &Request, _device: &dyn Device) {}

    /// Whether the next one is always the one that was pushed first.
    fn is_in_order(&self) -> bool {
        false
    }

    /// How many wait.
    fn len(&self) -> usize;

    /// Whether none waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Chooses and takes.
    fn pop(&mut self, now: Time, device: &dyn Device) -> Option<Request> {
        let chosen = self.choose(now, device)?;
        self.take(&chosen, device);
        Some(chosen)
    }
}

dyn_clone::clone_trait_object!(Scheduler);

/// What every policy may rely on.
const WAITS: &str = "what is taken waits in the queue";

/// Makes an empty queue in front of a device, or says which option cannot be.
pub type BuildScheduler = dyn Fn(&Options, &dyn Device) -> Result<Box<dyn Scheduler>> + Send + Sync;

/// Makes an empty queue around those that the function makes, or says which option cannot be.
pub type BuildWrapper = fn(&Options, &dyn Fn() -> Result<Box<dyn Scheduler>>) -> Result<Box<dyn Scheduler>>;

/// One policy.
pub type SchedulerRow = Row<&'static BuildScheduler>;

/// One wrapper around any policy: `sptf+deadline:after_ms=50`.
pub type WrapperRow = Row<BuildWrapper>;

rows! {
    /// Every policy, to which users add their own while the program runs.
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
    /// Every wrapper around any policy.
    pub static WRAPPERS: Table<BuildWrapper> = "scheduler wrapper";
    mod deadline: ROW;
    mod priority: ROW;
}
