//! The outcome of a run: record, sums, and totals of devices and volumes.

use super::journal::Journal;
use crate::energy::EnergyOverTime;
use crate::record::{self, Record};
use crate::station::{Station, Totals};
use crate::time::Time;

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The record, with a row for each request; rows removed during the run are missing.
    pub record: Record,
    /// Sums over all requests of the run.
    pub totals: record::Totals,
    /// Outcome of each device of the run.
    pub devices: Vec<DeviceOutcome>,
    /// Energy in joules of services that belong to no request, such as the background work of volumes. This energy, the
    /// energy of requests and the energy of idle times add up to the energy of all devices.
    pub background_energy_j: f64,
    /// Each volume with its name, and with its counts: name and value of each.
    pub volumes: Vec<(String, Vec<(&'static str, f64)>)>,
    /// Services of every device, if the run kept a journal.
    pub journal: Option<Box<Journal>>,
}

/// The outcome of one device.
#[derive(Clone, Debug)]
pub struct DeviceOutcome {
    /// Name of the device, which is its role in the volume: `disk`, `device 2`.
    pub name: String,
    /// Totals of the device and its queue.
    pub totals: Totals,
    /// Energy of the device in intervals of time, if recorded.
    pub over_time: EnergyOverTime,
    /// Counts that the device itself keeps: name and value of each.
    pub counts: Vec<(&'static str, f64)>,
}

impl DeviceOutcome {
    pub(super) fn new(name: String, mut station: Station, end: Time) -> Self {
        station.end(end);
        let (totals, counts) = (*station.totals(), station.device().counts());
        Self { name, totals, over_time: station.into_over_time(), counts }
    }

    /// Energy in joules for each [use](crate::energy::USES).
    #[must_use]
    pub fn accounts(&self) -> Vec<(&'static str, f64)> {
        let Totals { energy, idle_energy, .. } = &self.totals;
        energy.accounts().into_iter().chain(idle_energy.accounts()).collect()
    }
}

impl Outcome {
    /// Time for which each device was busy, in seconds.
    #[must_use]
    pub fn busy_s(&self) -> Vec<f64> {
        self.devices.iter().map(|device| device.totals.busy.as_s()).collect()
    }

    /// Energy of all devices during idle times, in joules.
    #[must_use]
    pub fn idle_energy_j(&self) -> f64 {
        self.devices.iter().map(|device| device.totals.idle_energy.total_j()).sum()
    }
}
