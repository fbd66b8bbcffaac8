//! What is added up over a run while it goes on.

use super::{Record, Responses};
use crate::device::Service;
use crate::time::Time;

/// The phases of a service that are added up, in their order: until the medium is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Command processing.
    Command,
    /// Until the medium was free.
    Wait,
    /// Positioning.
    Positioning,
    /// Held back until the data of a write had come.
    Hold,
    /// Switches inside the request.
    Switch,
    /// Transfer.
    Transfer,
}

impl Phase {
    /// All of them, each with the column that holds it.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Command, "command_ns"),
        (Self::Wait, "wait_ns"),
        (Self::Positioning, "positioning_ns"),
        (Self::Hold, "hold_ns"),
        (Self::Switch, "switch_ns"),
        (Self::Transfer, "transfer_ns"),
    ];
}

/// Sums over the requests of a run.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Requests that have come.
    pub requests: u64,
    /// When the first and the last request came.
    pub arrivals: Option<[Time; 2]>,
    /// The last completion.
    pub end: Time,
    /// Nanoseconds of each phase, as [`Phase::ALL`] has them.
    pub phases_ns: [u128; Phase::ALL.len()],
    /// Response times of the requests whose rows were taken out of the record.
    pub responses: Responses,
}

impl Totals {
    /// A request comes.
    #[inline]
    pub fn arrive(&mut self, now: Time) {
        let [first, _] = self.arrivals.unwrap_or([now; 2]);
        self.arrivals = Some([first, now]);
        self.requests += 1;
    }

    /// The mean time of a phase in seconds; NaN without requests.
    #[must_use]
    pub fn mean_s(&self, phase: Phase) -> f64 {
        self.phases_ns[phase as usize] as f64 * 1e-9 / self.requests as f64
    }

    /// The mean time from dispatch until the medium is done, in seconds; NaN without requests.
    #[must_use]
    pub fn mean_service_s(&self) -> f64 {
        self.phases_ns.iter().sum::<u128>() as f64 * 1e-9 / self.requests as f64
    }

    /// A service begins.
    #[inline]
    pub fn serve(&mut self, service: &Service) {
        let Service { command, wait, positioning, hold, switching, transfer, .. } = service;
        let phases = [command, wait, positioning, hold, switching, transfer];
        for (sum, phase) in self.phases_ns.iter_mut().zip(phases) {
            *sum += u128::from(phase.0);
        }
    }

    /// Rows are taken out of the record.
    pub fn take(&mut self, rows: &Record) {
        let times = rows.completion_ns.iter().zip(&rows.arrival_ns);
        self.responses.add(times.map(|(completion, arrival)| (completion - arrival) as u64));
    }
}
