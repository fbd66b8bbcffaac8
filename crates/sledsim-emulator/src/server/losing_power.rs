//! The end of a server whose power is lost.

use sledsim::error::Result;

use super::client::Client;
use super::power::{PowerPlan, PowerSwitch};
use super::{ServeError, Server};
use crate::emulator::Loss;
use crate::timing::Clock;

impl Server {
    /// Plans a loss of power, for which the device is prepared: then there is the switch in any case.
    ///
    /// # Errors
    /// Volumes.
    pub fn plan_power(&mut self, plan: PowerPlan) -> Result<()> {
        self.emulator.prepare_for_loss()?;
        self.power_plan = plan;
        Ok(())
    }

    /// What cuts the power of this server, if it is [prepared](Self::plan_power) for that.
    #[must_use]
    pub fn power_switch(&self) -> PowerSwitch {
        self.power_switch.clone()
    }

    /// What was lost, if power was.
    #[must_use]
    pub fn loss(&self) -> Option<&Loss> {
        self.loss.as_ref()
    }

    /// Whether power is off from now on.
    pub(super) fn is_power_lost(&self) -> bool {
        let PowerPlan { at_ns, after, .. } = self.power_plan;
        self.emulator.can_lose_power()
            && (self.power_switch.is_off()
                || after.is_some_and(|after| self.status.answered >= after)
                || at_ns.is_some_and(|at_ns| self.clock.now_ns() >= at_ns))
    }

    /// Power is lost: nobody is answered any more.
    pub(super) fn lose_power(&mut self) -> std::result::Result<(), ServeError> {
        let now_ns = self.clock.now_ns();
        // When it was planned, even if the server comes late.
        let at_ns = self.power_plan.at_ns.map_or(now_ns, |at_ns| at_ns.min(now_ns));
        let tokens: Vec<u64> = self.clients.keys().copied().collect();
        let unsent: u64 = self.clients.values().map(Client::unsent).sum();
        tokens.into_iter().try_for_each(|token| self.close(token))?;
        self.gone.clear();
        let loss = self.emulator.lose_power(at_ns, self.power_plan.cut)?;
        // Who has not got all of an answer has none.
        self.loss = Some(Loss { unanswered: loss.unanswered + unsent, ..loss });
        Ok(())
    }
}
