//! End a server by a power failure.

use sledsim::error::Result;

use super::client::Client;
use super::power::{PowerPlan, PowerSwitch};
use super::{ServeError, Server};
use crate::emulator::Loss;
use crate::timing::Clock;

impl Server {
    /// Plan a power failure, and prepare the device for it. Afterwards the power switch works, even if `plan`
    /// has no time and no number of answers.
    ///
    /// # Errors
    /// The device is a volume whose contents are not on its members.
    pub fn plan_power(&mut self, plan: PowerPlan) -> Result<()> {
        self.emulator.prepare_for_loss()?;
        self.power_plan = plan;
        Ok(())
    }

    /// A switch that cuts the power of this server. It works only if a power failure was
    /// [planned](Self::plan_power) or if members of a volume keep the contents.
    #[must_use]
    pub fn power_switch(&self) -> PowerSwitch {
        self.power_switch.clone()
    }

    /// The effect of the power failure; `None` if power was not lost.
    #[must_use]
    pub fn loss(&self) -> Option<&Loss> {
        self.loss.as_ref()
    }

    /// Return true if the power is off, or if the planned time or number of answers has been reached.
    pub(super) fn is_power_lost(&self) -> bool {
        let PowerPlan { at_ns, after, .. } = self.power_plan;
        self.emulator.can_lose_power()
            && (self.power_switch.is_off()
                || after.is_some_and(|after| self.status.answered >= after)
                || at_ns.is_some_and(|at_ns| self.clock.now_ns() >= at_ns))
    }

    /// Cut the power: disconnect all clients and determine which data are lost. No request is answered any more.
    pub(super) fn lose_power(&mut self) -> std::result::Result<(), ServeError> {
        let now_ns = self.clock.now_ns();
        // A planned power failure happens at its planned time, even if the server is late.
        let at_ns = self.power_plan.at_ns.map_or(now_ns, |at_ns| at_ns.min(now_ns));
        let tokens: Vec<u64> = self.clients.keys().copied().collect();
        let unsent: u64 = self.clients.values().map(Client::unsent).sum();
        tokens.into_iter().try_for_each(|token| self.close(token))?;
        self.gone.clear();
        let loss = self.emulator.lose_power(at_ns, self.power_plan.cut)?;
        // An answer that was sent in part counts as not sent.
        self.loss = Some(Loss { unanswered: loss.unanswered + unsent, ..loss });
        Ok(())
    }
}
