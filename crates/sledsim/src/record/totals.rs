//! Sums over the requests of a run, kept up to date during the run.

use super::{Record, Responses};
use crate::busiest::BusiestTimes;
use crate::device::Service;
use crate::time::Time;

/// Phases of a service that are summed over requests, in the order in which they occur. The last one ends when the
/// medium has finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Command processing by the device.
    Command,
    /// Wait until the medium is free.
    Wait,
    /// Positioning, until the first row can be accessed.
    Positioning,
    /// Wait of the medium for the data of a write.
    Hold,
    /// Track and cylinder switches inside the request.
    Switch,
    /// Transfer, while rows pass under the tips.
    Transfer,
}

impl Phase {
    /// All phases, each with the name of its column.
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
    /// Number of flushes among them.
    pub flushes: u64,
    /// Times of arrival of the first and of the last request.
    pub arrivals: Option<[Time; 2]>,
    /// Seconds and minutes with the most arrivals of reads and writes.
    pub busiest: BusiestTimes,
    /// Time of the last completion.
    pub end: Time,
    /// Sum of the durations of each phase of reads and writes in nanoseconds, in the order of [`Phase::ALL`].
    pub phases_ns: [u128; Phase::ALL.len()],
    /// Response times of the reads and writes whose rows were removed from the record.
    pub responses: Responses,
    /// Response times of all complete flushes.
    pub flush_responses: Responses,
}

impl Totals {
    /// Counts a request that arrives at `now`.
    #[inline]
    pub fn arrive(&mut self, now: Time) {
        let [first, _] = self.arrivals.unwrap_or([now; 2]);
        self.arrivals = Some([first, now]);
        self.requests += 1;
    }

    /// Number of reads and writes that have arrived.
    #[must_use]
    pub fn transfers(&self) -> u64 {
        self.requests - self.flushes
    }

    /// The mean time of a phase of reads and writes in seconds; NaN without them.
    #[must_use]
    pub fn mean_s(&self, phase: Phase) -> f64 {
        self.phases_ns[phase as usize] as f64 * 1e-9 / self.transfers() as f64
    }

    /// The mean time of reads and writes from the start of the service until the medium has finished, in seconds; NaN
    /// without them.
    #[must_use]
    pub fn mean_service_s(&self) -> f64 {
        self.phases_ns.iter().sum::<u128>() as f64 * 1e-9 / self.transfers() as f64
    }

    /// Adds the phases of a service that begins.
    #[inline]
    pub fn serve(&mut self, service: &Service) {
        let Service { command, wait, positioning, hold, switching, transfer, .. } = service;
        let phases = [command, wait, positioning, hold, switching, transfer];
        for (sum, phase) in self.phases_ns.iter_mut().zip(phases) {
            *sum += u128::from(phase.0);
        }
    }

    /// Adds the response times of the reads and writes in rows that were removed from the record.
    pub fn take(&mut self, rows: &Record) {
        self.responses.add(rows.responses_ns());
    }
}
