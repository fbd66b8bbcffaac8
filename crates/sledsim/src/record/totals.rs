//! Sums over a run in progress.

use super::{Record, Responses};
use crate::device::Service;
use crate::time::Time;

/// The phases of a service that are summed, in order, until the medium is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Command processing.
    Command,
    /// Wait until the medium is free.
    Wait,
    /// Positioning.
    Positioning,
    /// Time held back until the data of a write arrive.
    Hold,
    /// Switches inside the request.
    Switch,
    /// Transfer.
    Transfer,
}

impl Phase {
    /// All phases, each with its column.
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
    /// Number of requests that have arrived.
    pub requests: u64,
    /// Arrivals of the first and the last request.
    pub arrivals: Option<[Time; 2]>,
    /// The last completion.
    pub end: Time,
    /// Nanoseconds of each phase, in the order of [`Phase::ALL`].
    pub phases_ns: [u128; Phase::ALL.len()],
    /// Response times of the requests whose rows were removed from the record.
    pub responses: Responses,
}

impl Totals {
    /// Counts a request that arrives.
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

    /// Adds a service that begins.
    #[inline]
    pub fn serve(&mut self, service: &Service) {
        let Service { command, wait, positioning, hold, switching, transfer, .. } = service;
        let phases = [command, wait, positioning, hold, switching, transfer];
        for (sum, phase) in self.phases_ns.iter_mut().zip(phases) {
            *sum += u128::from(phase.0);
        }
    }

    /// Adds rows that are removed from the record.
    pub fn take(&mut self, rows: &Record) {
        let times = rows.completion_ns.iter().zip(&rows.arrival_ns);
        self.responses.add(times.map(|(completion, arrival)| (completion - arrival) as u64));
    }
}
