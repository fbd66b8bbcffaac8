//! Energy of a sled while it serves requests, waits for requests, or is shut down.

use super::access_plan::Plan;
use super::motion::PlaceY;
use super::Mems;
use crate::device::Service;
use crate::energy::{IdleEnergy, IdleTime, ServiceEnergy};
use crate::power::{Rest, Transition};
use crate::request::Request;
use crate::time::{Span, Time};

/// Time and energy to wake up the sled before a service.
#[derive(Clone, Copy, Default)]
pub(super) struct Woken {
    /// Time until the sled is awake, from the start of the service.
    pub(super) after: Span,
    /// Energy of the start-up in joules, in addition to the energy of the service.
    pub(super) startup_j: f64,
}

/// Time until the sled is awake after an idle time of the length `idle`, with the decision `rest` of the
/// power policy; None if the sled is awake already.
fn until_awake(idle: Span, rest: Rest, transition: &Transition) -> Option<Span> {
    let Rest::After(after) = rest else { return None };
    Some(transition.shutdown.saturating_sub(idle.saturating_sub(after)) + transition.startup)
}

impl Mems {
    fn transition(&self) -> Transition {
        let (power, shutdown) = (&self.power, Span::from_s(self.parking_s()));
        let moving_j = (power.electronics_w + power.seek_w) * shutdown.as_s() + power.shutdown_j;
        let starting_j = power.electronics_w * power.startup.as_s() + power.startup_j;
        Transition {
            shutdown,
            startup: power.startup,
            energy_j: moving_j + starting_j,
            idle_w: power.ready_w(self.place.x_m),
            inactive_w: power.inactive_w,
        }
    }

    /// The decision of the power policy for an idle time of the length `idle`, and the data on which it is
    /// based; None if the device has no power policy.
    fn rest(&self, idle: Span) -> Option<(Rest, Transition)> {
        let transition = self.power.policy.as_ref().map(|_| self.transition())?;
        match self.power.policy.as_ref()?.rest(idle, &transition) {
            Rest::After(after) if after >= idle => Some((Rest::Never, transition)),
            rest => Some((rest, transition)),
        }
    }

    /// Time for which a request waits that comes after an idle time of the length `idle`: until the sled
    /// has stopped and woken up again. None if the sled is not shut down.
    pub(super) fn waking(&self, idle: Span) -> Option<Span> {
        let (rest, transition) = self.rest(idle)?;
        until_awake(idle, rest, &transition)
    }

    /// Durations and energies of the phases of an idle time of the length `idle`.
    pub(super) fn idle_time(&self, idle: Span) -> IdleTime {
        let power = &self.power;
        let all_ready = || IdleTime::ready(idle, power.ready_w(self.place.x_m));
        let Some((rest, transition)) = self.rest(idle) else { return all_ready() };
        let (ready, asleep) = match rest {
            Rest::Never => return all_ready(),
            Rest::After(after) => (after, idle.saturating_sub(after)),
            Rest::UntilNeeded => (Span::ZERO, idle.saturating_sub(transition.startup)),
        };
        let stopping = transition.shutdown.min(asleep);
        let at_rest = asleep.saturating_sub(stopping);
        let moving_j = power.seek_w * transition.shutdown.as_s() + power.shutdown_j;
        let left = transition.shutdown.saturating_sub(stopping);
        let left_j =
            if left == Span::ZERO { 0.0 } else { moving_j * (left.as_s() / transition.shutdown.as_s()) };
        let energy = IdleEnergy {
            idle_j: transition.idle_w * ready.as_s(),
            shutdown_j: power.electronics_w * stopping.as_s() + moving_j - left_j,
            inactive_j: power.inactive_w * at_rest.as_s(),
        };
        IdleTime { ready, stopping, at_rest, energy, left_j, ..IdleTime::default() }
    }

    /// Ends the idle time before a service that starts at `now`, reports its length to the power policy,
    /// and returns the time and energy of the wake-up.
    pub(super) fn wake(&mut self, now: Time) -> Woken {
        let idle = now.since(self.free_since);
        if idle == Span::ZERO {
            return Woken::default();
        }
        let Some((rest, transition)) = self.rest(idle) else { return Woken::default() };
        if let Some(policy) = &mut self.power.policy {
            policy.learn(idle, &transition);
        }
        let startup_j = match rest {
            Rest::Never => 0.0,
            Rest::After(_) => self.power.startup_j,
            // The start-up lies in the idle time, whose figures have no field for its energy.
            Rest::UntilNeeded => self.power.startup_j + self.power.electronics_w * self.power.startup.as_s(),
        };
        Woken { after: until_awake(idle, rest, &transition).unwrap_or_default(), startup_j }
    }

    /// Energy of a sled that is held in place, awake, for the duration `lasts`.
    pub(super) fn staying_energy(&self, lasts: Span) -> ServiceEnergy {
        ServiceEnergy {
            actuation_j: self.power.hold_w(self.place.x_m) * lasts.as_s(),
            electronics_j: self.power.electronics_w * lasts.as_s(),
            ..ServiceEnergy::default()
        }
    }

    /// Holds the sled in place, awake, for the duration `lasts` from `now` on, while the medium is being
    /// erased. If the sled was shut down, it stands in the centre from then on, as at the start of a run.
    pub(crate) fn stay(&mut self, now: Time, lasts: Span) -> Service {
        let (place, _) = self.start(now);
        let woken = self.wake(now);
        self.place = if matches!(place.y, PlaceY::Parked) { self.motion.centre() } else { place };
        let mut service = Service { wait: woken.after, switching: lasts, ..Service::default() };
        service.energy = ServiceEnergy {
            actuation_j: self.power.hold_w(self.place.x_m) * lasts.as_s(),
            electronics_j: self.power.electronics_w * service.total().as_s(),
            startup_j: woken.startup_j,
            ..ServiceEnergy::default()
        };
        self.free_since = now + service.total();
        service
    }

    /// Two powers in watts: to hold the sled at the first cylinder of a request, and the mean over all rows
    /// of the request.
    fn holding_w(&self, now: Time, request: &Request, plan: &Plan) -> [f64; 2] {
        let power = &self.power;
        if plan.switches == 0 || power.exponent == 0.0 {
            return [power.hold_w(plan.end.x_m); 2];
        }
        let (mut first_w, mut sum_w) = (None, 0.0);
        for run in self.runs(now, request) {
            let hold_w = power.hold_w(self.motion.cylinder_m(u64::from(run.cylinder)));
            first_w.get_or_insert(hold_w);
            sum_w += hold_w * run.rows() as f64;
        }
        [first_w.expect("a request has a row"), sum_w / plan.rows as f64]
    }

    /// Energy of the service of a request that starts at `now` and follows `plan`.
    pub(super) fn service_energy(
        &self,
        (now, request): (Time, &Request),
        service: &Service,
        plan: &Plan,
        startup_j: f64,
    ) -> ServiceEnergy {
        let power = &self.power;
        let settling =
            service.positioning.saturating_sub(plan.x.seek.max(service.seek_y + service.turnaround));
        let settling = settling.min(service.settle);
        let [settled_w, passing_w] = self.holding_w(now, request, plan);
        let moving = service.positioning.saturating_sub(settling) + service.switching;
        let still = service.hold + service.transfer + service.bus;
        let tips = power.supplied_tips.map_or(service.tip_sectors, |tips| tips * u64::from(service.rows));
        ServiceEnergy {
            seek_j: power.seek_w * moving.as_s(),
            settle_j: settled_w * settling.as_s(),
            actuation_j: passing_w * still.as_s(),
            tips_j: power.tip_w * tips as f64 * self.motion.row_s,
            electronics_j: power.electronics_w * service.total().as_s(),
            startup_j,
        }
    }
}
