//! A run: the way of every request from the workload to the record.

mod direct;
mod jobs;
mod over_volumes;
mod restart;

use crate::device::{self, Device};
use crate::energy::EnergyOverTime;
use crate::error::Result;
use crate::params::DeviceParams;
use crate::record::Record;
use crate::sched::Policy;
use crate::station::{Station, Totals};
use crate::system::{Built, System};
use crate::time::Time;
use crate::workload::Workload;
pub use restart::{restart, Restart};

/// Told of the number of requests that have been served.
pub use crate::observer::Observer;

/// Work between two calls of the observer: a decision counts as many as wait, for a policy may look at each, and
/// one written in Python is slow.
const OBSERVED_EVERY: u64 = 1 << 14;

/// What a run produced.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// One row a request.
    pub record: Record,
    /// What each device did.
    pub devices: Vec<DeviceOutcome>,
    /// Energy of services that stand with no request: what volumes did behind them. With the energies of requests, and
    /// of idle times, that is all.
    pub background_energy_j: f64,
    /// What each volume counted, by name.
    pub volumes: Vec<(String, Vec<(&'static str, f64)>)>,
}

/// What a device did in a run.
#[derive(Clone, Debug)]
pub struct DeviceOutcome {
    /// What it is in the volume: `disk`, `device 2`.
    pub name: String,
    /// What its station did.
    pub totals: Totals,
    /// What it took, and when.
    pub over_time: EnergyOverTime,
    /// What it counted itself: name and value.
    pub counts: Vec<(&'static str, f64)>,
}

impl DeviceOutcome {
    fn new(name: String, mut station: Station, end: Time) -> Self {
        station.end(end);
        let (totals, counts) = (*station.totals(), station.device().counts());
        Self { name, totals, over_time: station.into_over_time(), counts }
    }

    /// What it took, by [use](crate::energy::USES).
    #[must_use]
    pub fn accounts(&self) -> Vec<(&'static str, f64)> {
        let Totals { energy, idle_energy, .. } = &self.totals;
        energy.accounts().into_iter().chain(idle_energy.accounts()).collect()
    }
}

impl Outcome {
    /// How long each device served, in seconds.
    #[must_use]
    pub fn busy_s(&self) -> Vec<f64> {
        self.devices.iter().map(|device| device.totals.busy.as_s()).collect()
    }

    /// Energy of all devices while they served nothing, in joules.
    #[must_use]
    pub fn idle_energy_j(&self) -> f64 {
        self.devices.iter().map(|device| device.totals.idle_energy.total_j()).sum()
    }
}

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
    simulate_devices(device::build(params, devices)?, policy, workload, observe)
}

/// The same on devices that have been built.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_devices<W: Workload + ?Sized>(
    devices: Vec<Box<dyn Device>>,
    policy: &Policy,
    workload: &mut W,
    observe: &mut Observer<'_>,
) -> Result<Outcome> {
    let station = |device: Box<dyn Device>| Ok(Station::new(policy.build(&*device)?, device));
    direct::run(devices.into_iter().map(station).collect::<Result<_>>()?, workload, observe)
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
    match system {
        System::Device(plan) => {
            simulate_devices(plan.build(traced_devices, 0)?, &plan.policy, workload, observe)
        }
        System::Volume(_) => {
            let mut number = 0;
            let built = (0..traced_devices).map(|_| match system.build_from(&mut number)? {
                Built::Volume(volume) => Ok(volume),
                Built::Device(..) => unreachable!("a volume is built of a volume"),
            });
            over_volumes::run(built.collect::<Result<_>>()?, workload, observe)
        }
    }
}
