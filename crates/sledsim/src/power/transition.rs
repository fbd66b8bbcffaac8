//! Times and energies of shutting down and waking up.

use crate::time::Span;

/// Times, energy and powers that decide whether a shutdown saves energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Duration of a shutdown, from the end of an access until the device is at rest.
    pub shutdown: Span,
    /// Duration of the start-up, from rest until the next access can start.
    pub startup: Span,
    /// Energy of shutdown and start-up together, in joules.
    pub energy_j: f64,
    /// Power in watts while the device is ready.
    pub idle_w: f64,
    /// Power in watts while the device is at rest.
    pub inactive_w: f64,
}

impl Transition {
    /// Shortest idle time for which a shutdown takes less energy than staying ready; None if the device saves
    /// no power at rest.
    #[must_use]
    pub fn break_even(&self) -> Option<Span> {
        let saved_w = self.idle_w - self.inactive_w;
        let moving = self.shutdown + self.startup;
        (saved_w > 0.0).then(|| {
            let rest_s = (self.energy_j - self.idle_w * moving.as_s()) / saved_w;
            moving + Span::from_s(rest_s.clamp(0.0, LONGEST_S))
        })
    }
}

/// A duration in seconds that no run exceeds; it replaces longer break-even times.
const LONGEST_S: f64 = 1e9;
