//! Shutting down and waking up: times and energy.

use crate::time::Span;

/// Times and energy of shutting down and waking up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Time from the end of an access until the device is at rest.
    pub shutdown: Span,
    /// Time from rest until the next access can start.
    pub startup: Span,
    /// Energy of shutting down and waking up together, in joules.
    pub energy_j: f64,
    /// Power while ready, in watts.
    pub idle_w: f64,
    /// Power at rest, in watts.
    pub inactive_w: f64,
}

impl Transition {
    /// Idle time from which rest takes less energy than staying ready; None if rest takes as much power.
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

/// Seconds longer than any run.
const LONGEST_S: f64 = 1e9;
