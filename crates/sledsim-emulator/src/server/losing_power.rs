//! Lose power: the end of a server.

use sledsim::error::Result;

use super::client::Client;
use super::power::{PowerPlan, PowerSwitch};
use super::{ServeError, Server};
use crate::emulator::Loss;
use crate::timing::Clock;

impl Server {
    /// Plan a power failure, and prepare the device for it; the power switch then works in any case.
    ///
    /// # Errors
    /// The device is a volume.
    pub fn plan_power(&mut self, plan: PowerPlan) -> Result<()> {
        self.emulator.prepare_for_loss()?;
        self.power_plan = plan;
        Ok(())
    }

    /// The switch that cuts the power of this server, if it is [prepared](Self::plan_power) for that.
    #[must_use]
    pub fn power_switch(&self) -> PowerSwitch {
        self.power_switch.clone()
    }

    /// The effect of the power failure, if power was lost.
    #[must_use]
    pub fn loss(&self) -> Option<&Loss> {
        self.loss.as_ref()
    }

    /// Return true if power is off from now on.
    pub(super) fn is_power_lost(&self) -> bool {
        let PowerPlan { at_ns, after, .. } = self.power_plan;
        self.emulator.can_lose_power()
            && (self.power_switch.is_off()
                || after.is_some_and(|after| self.status.answered >= after)
                || at_ns.is_some_and(|at_ns| self.clock.now_ns() >= at_ns))
    }

    /// Lose power: no request is answered any more.
    pub(super) fn lose_power(&mut self) -> std::result::Result<(), ServeError> {
        let now_ns = self.clock.now_ns();
        // A planned loss happens at its time, even if the server notices it late.
        let at_ns = self.power_plan.at_ns.map_or(now_ns, |at_ns| at_ns.min(now_ns));
        let tokens: Vec<u64> = self.clients.keys().copied().collect();
        let unsent: u64 = self.clients.values().map(Client::unsent).sum();
        tokens.into_iter().try_for_each(|token| self.close(token))?;
        self.gone.clear();
        let loss = self.emulator.lose_power(at_ns, self.power_plan.cut)?;
        // A client without the whole answer has none.
        self.loss = Some(Loss { unanswered: loss.unanswered + unsent, ..loss });
        Ok(())
    }
}
