//! Runs: the way of every request from the workload to the record.

mod alone;
mod data_moves;
mod host;
mod in_order;
mod interrupted;
mod jobs;
mod journal;
mod machine;
mod outcome;
mod restart;
mod shared_bus;
mod stepped;
mod tree;
mod watching;

use crate::device::{self, Device};
use crate::error::Result;
use crate::params::DeviceParams;
use crate::record::Record;
use crate::sched::Policy;
use crate::system::System;
use crate::workload::Workload;
pub use data_moves::{DataMove, DeviceExtent, MemoryPlace};
pub use host::Sink;
pub use interrupted::Interrupted;
pub use journal::{Journal, Place, Served, Waited};
pub use outcome::{DeviceOutcome, Outcome};
pub use restart::{restart, Restart};
pub use stepped::Simulation;
pub use watching::{Cause, Watched, WatchedEnd, WatchedPart};

/// Observer of a run: a function that is called at intervals with the number of requests that are complete.
pub use crate::observer::Observer;

/// Runs a workload to its end on `devices` equal devices, one for each traced device, each behind a queue
/// with the same policy.
///
/// # Errors Parameters or options of the policy are invalid; [`crate::error::Error::Interrupted`] if the observer stops
/// the run.
pub fn simulate<W: Workload + ?Sized>(
    params: &DeviceParams,
    devices: u32,
    policy: &Policy,
    workload: &mut W,
    observe: &mut Observer<'_>,
) -> Result<Outcome> {
    let record = Record::with_capacity(workload.expected());
    simulate_devices(device::build(params, devices)?, policy, workload, record, observe)
}

/// Runs a workload to its end on devices that are already built. `record` is empty and determines the columns
/// that are kept.
///
/// # Errors The errors of [`simulate`].
pub fn simulate_devices<W: Workload + ?Sized>(
    devices: Vec<Box<dyn Device>>,
    policy: &Policy,
    workload: &mut W,
    record: Record,
    observe: &mut Observer<'_>,
) -> Result<Outcome> {
    Simulation::of_devices(devices, policy, record)?.run(workload, observe, None)
}

/// Runs a workload to its end on copies of `system`, one for each traced device.
///
/// # Errors The errors of [`simulate`], and an invalid volume.
pub fn simulate_system<W: Workload + ?Sized>(
    system: &System,
    traced_devices: u32,
    workload: &mut W,
    observe: &mut Observer<'_>,
) -> Result<Outcome> {
    let record = Record::with_capacity(workload.expected());
    Simulation::new(system, traced_devices, record)?.run(workload, observe, None)
}
