//! Power of a device, and the policy that decides when an idle sled is shut down.

use crate::error::Result;
use crate::params::{MemsParams, TipSupply};
use crate::power::{self, PowerPolicy};
use crate::time::Span;

/// Powers (in watts) and energies (in joules) of a device, and the policy that decides when an idle sled is
/// shut down.
#[derive(Clone)]
pub(super) struct Power {
    pub electronics_w: f64,
    pub seek_w: f64,
    pub actuation_w: f64,
    /// Force to hold the sled against its springs, as a fraction of the full force, per metre of displacement.
    pub force_per_m: f64,
    pub exponent: f64,
    pub tip_w: f64,
    /// Number of tips that draw power in every row, even if they read or write no wanted data; None if only
    /// the tips of the request draw power.
    pub supplied_tips: Option<u64>,
    pub idle_w: Option<f64>,
    pub inactive_w: f64,
    pub shutdown_j: f64,
    pub startup: Span,
    pub startup_j: f64,
    /// The power policy; None if the device is never shut down.
    pub policy: Option<Box<dyn PowerPolicy>>,
}

impl Power {
    pub(super) fn new(p: &MemsParams) -> Result<Self> {
        let policy = power::build(&p.power_policy)?;
        Ok(Self {
            electronics_w: p.electronics_power_mw * 1e-3,
            seek_w: p.seek_power_mw * 1e-3,
            actuation_w: p.actuation_power_mw * 1e-3,
            force_per_m: p.spring_factor / (p.stroke_x_nm as f64 * 0.5e-9),
            exponent: p.actuation_exponent,
            tip_w: p.tip_power_mw * 1e-3,
            supplied_tips: (p.tip_supply == TipSupply::ActiveTips).then_some(p.active_tips),
            idle_w: p.idle_power_mw.map(|idle_mw| idle_mw * 1e-3),
            inactive_w: p.inactive_power_mw * 1e-3,
            shutdown_j: p.shutdown_energy_mj * 1e-3,
            startup: Span::from_s(p.startup_ms * 1e-3),
            startup_j: p.startup_energy_mj * 1e-3,
            policy: (!policy.is_always_on()).then_some(policy),
        })
    }

    /// Power in watts to hold the sled against its springs at displacement `x_m` (004-F10, D5). The force
    /// is proportional to the displacement, and the power to a power of the force.
    pub fn hold_w(&self, x_m: f64) -> f64 {
        if self.exponent == 0.0 {
            return self.actuation_w;
        }
        self.actuation_w * libm::pow(self.force_per_m * x_m.abs(), self.exponent)
    }

    /// Total power in watts of a device that is ready for a request, with its sled at displacement `x_m`.
    pub fn ready_w(&self, x_m: f64) -> f64 {
        self.idle_w.unwrap_or_else(|| self.electronics_w + self.hold_w(x_m))
    }
}
