//! A run: the way of every request from the workload to the record.

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

/// Told of the number of requests that have been served.
pub use crate::observer::Observer;

/// Runs a workload to its end on `devices` devices of the same parameters, each behind the same policy: one for
/// each traced device.
///
/// # Errors
/// Parameters or options of the policy that cannot be; [`crate::error::Error::Interrupted`] when the observer breaks.
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

/// Runs a workload to its end on devices that have been built, with an empty record of the columns that are wanted.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_devices<W: Workload + ?Sized>(
    devices: Vec<Box<dyn Device>>,
    policy: &Policy,
    workload: &mut W,
    record: Record,
    observe: &mut Observer<'_>,
) -> Result<Outcome> {
    Simulation::of_devices(devices, policy, record)?.run(workload, observe, None)
}

/// Runs a workload to its end on a system; each traced device has one of its own.
///
/// # Errors
/// As [`simulate`], and what cannot be of a volume.
pub fn simulate_system<W: Workload + ?Sized>(
    system: &System,
    traced_devices: u32,
    workload: &mut W,
    observe: &mut Observer<'_>,
) -> Result<Outcome> {
    let record = Record::with_capacity(workload.expected());
    Simulation::new(system, traced_devices, record)?.run(workload, observe, None)
}
