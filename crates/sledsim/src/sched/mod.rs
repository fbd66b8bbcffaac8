//! Schedulers: which of the waiting requests is served next.

mod aged_time;
mod bits;
mod clook;
mod cost;
mod cylinder_queue;
mod deadline;
mod fcfs;
mod index;
mod least_cost;
mod look;
mod on_line;
mod operation_queue;
mod ordered_queue;
mod policy;
mod priority;
mod pyramid;
mod registering;
mod registry;
mod satf;
mod sdf;
mod sptf;
mod sptf_driver;
mod sstf;
mod unordered_queue;
mod vscan;
mod wptf;
mod zones;

use crate::device::Device;
use crate::error::Result;
pub use crate::options::{OptionRow, Options};
use crate::request::Request;
use crate::table::Row;
use crate::time::Time;
use dyn_clone::DynClone;
pub use policy::Policy;
pub use registering::register_scheduler;
pub use registry::{SCHEDULERS, WRAPPERS};

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
