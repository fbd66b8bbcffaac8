//! The outcome of a run.

use super::journal::Journal;
use crate::energy::EnergyOverTime;
use crate::record::{self, Record};
use crate::station::{Station, Totals};
use crate::time::Time;

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// A row for each request, without rows taken out during the run.
    pub record: Record,
    /// Sums over the requests of the run.
    pub totals: record::Totals,
    /// Outcome of each device.
    pub devices: Vec<DeviceOutcome>,
    /// Energy of services that belong to no request, such as background work of volumes. Together with the
    /// energies of requests and of idle times it is the whole energy.
    pub background_energy_j: f64,
    /// Counts of each volume, by name.
    pub volumes: Vec<(String, Vec<(&'static str, f64)>)>,
    /// Services of every device, if a journal was kept.
    pub journal: Option<Box<Journal>>,
}

/// The outcome of a device.
#[derive(Clone, Debug)]
pub struct DeviceOutcome {
    /// Role in the volume: `disk`, `device 2`.
    pub name: String,
    /// Totals of the station.
    pub totals: Totals,
    /// Energy of the device over time.
    pub over_time: EnergyOverTime,
    /// Counts of the device itself: name and value.
    pub counts: Vec<(&'static str, f64)>,
}

impl DeviceOutcome {
    pub(super) fn new(name: String, mut station: Station, end: Time) -> Self {
        station.end(end);
        let (totals, counts) = (*station.totals(), station.device().counts());
        Self { name, totals, over_time: station.into_over_time(), counts }
    }

    /// Energy by [use](crate::energy::USES).
    #[must_use]
    pub fn accounts(&self) -> Vec<(&'static str, f64)> {
        let Totals { energy, idle_energy, .. } = &self.totals;
        energy.accounts().into_iter().chain(idle_energy.accounts()).collect()
    }
}

impl Outcome {
    /// Busy time of each device, in seconds.
    #[must_use]
    pub fn busy_s(&self) -> Vec<f64> {
        self.devices.iter().map(|device| device.totals.busy.as_s()).collect()
    }

    /// Energy of all devices while idle, in joules.
    #[must_use]
    pub fn idle_energy_j(&self) -> f64 {
        self.devices.iter().map(|device| device.totals.idle_energy.total_j()).sum()
    }
}
