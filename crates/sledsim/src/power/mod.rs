//! Power management: when a device that serves nothing shuts down, and when it wakes up.

mod adaptive;
mod always_on;
mod build;
mod oracle;
mod registry;
mod timeout;

use crate::table::Row;
pub use build::build;
pub use registry::POWER_POLICIES;

use crate::error::Result;
use crate::options::Options;
use crate::time::Span;

/// Times and energy of shutting down and waking up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// From the end of an access until the device is at rest.
    pub shutdown: Span,
    /// From rest until the next access can set off.
    pub startup: Span,
    /// Energy of both in joules.
    pub energy_j: f64,
    /// Power while ready, in watts.
    pub idle_w: f64,
    /// Power at rest, in watts.
    pub inactive_w: f64,
}

impl Transition {
    /// How long an idle time has to be for rest to take less energy than staying ready; none does if rest takes as
    /// much power.
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

/// Longer than any run, in seconds.
const LONGEST_S: f64 = 1e9;

/// The decision about an idle time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The device stays ready.
    Never,
    /// It shuts down after so long, and wakes up when a request comes.
    After(Span),
    /// It shuts down at once, and is ready again when the request comes.
    UntilNeeded,
}

/// A policy of power management.
pub trait PowerPolicy: Send + Sync {
    /// Decides about an idle time that lasts `idle`, at which only an oracle may look.
    fn rest(&self, idle: Span, transition: &Transition) -> Rest;

    /// Whether no idle time is long enough.
    fn is_always_on(&self) -> bool {
        false
    }

    /// An idle time is over.
    fn learn(&mut self, _idle: Span, _transition: &Transition) {}

    /// Another one in the same state.
    fn copy(&self) -> Box<dyn PowerPolicy>;
}

/// An option in milliseconds, which is not negative.
fn span(options: &Options, name: &str) -> Result<Span> {
    let ms = options.number(name)?;
    Ok(Span::from_s(ms * 1e-3))
}

/// Makes a policy, or says which option cannot be.
type MakePowerPolicy = fn(&Options) -> Result<Box<dyn PowerPolicy>>;

/// One policy.
pub type PowerRow = Row<MakePowerPolicy>;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TRANSITION: Transition = Transition {
        shutdown: Span(1_000_000),
        startup: Span(500_000),
        energy_j: 300e-6,
        idle_w: 0.1,
        inactive_w: 0.005,
    };

    /// Energy of an idle time that begins with being ready, if it rests from then on and is ready again in time; of one
    /// that is too short for that if it stays ready.
    fn in_time_j(after: Span, idle: Span, t: &Transition) -> f64 {
        let rests = after + t.shutdown + t.startup;
        if rests > idle {
            return t.idle_w * idle.as_s();
        }
        t.idle_w * after.as_s() + t.energy_j + t.inactive_w * idle.saturating_sub(rests).as_s()
    }

    /// Energy of an idle time under a decision, and whether the request at its end waits.
    fn energy_j(rest: Rest, idle: Span, t: &Transition) -> (f64, bool) {
        match rest {
            Rest::Never => (t.idle_w * idle.as_s(), false),
            Rest::After(after) if after >= idle => (t.idle_w * idle.as_s(), false),
            // The energy of a shutdown that is not at its end, and of starting up, stands with the request.
            Rest::After(after) => {
                let at_rest = idle.saturating_sub(after + t.shutdown);
                let waits = t.startup > Span::ZERO || after + t.shutdown > idle;
                (t.idle_w * after.as_s() + t.energy_j + t.inactive_w * at_rest.as_s(), waits)
            }
            Rest::UntilNeeded => (in_time_j(Span::ZERO, idle, t), false),
        }
    }

    fn transition() -> impl Strategy<Value = Transition> {
        let span = || (0_u64..10_000_000).prop_map(Span);
        (span(), span(), 0.0..1e-3_f64, 0.01..0.2_f64, 0.0..1.0_f64).prop_map(
            |(shutdown, startup, energy_j, idle_w, share)| Transition {
                shutdown,
                startup,
                energy_j,
                idle_w,
                inactive_w: share * idle_w,
            },
        )
    }

    proptest! {
        /// No decision that lets no request wait takes less energy than the oracle's, whatever rest takes: none at the
        /// end of an idle time, and no policy.
        #[test]
        fn nothing_that_lets_no_request_wait_beats_the_oracle(
            t in transition(),
            idle_ns in prop::collection::vec(0_u64..50_000_000, 1..60),
            after_ns in 0_u64..50_000_000,
        ) {
            let oracle = build("oracle").unwrap();
            for row in POWER_POLICIES.rows() {
                let mut policy = build(row.name).unwrap();
                for idle in idle_ns.iter().copied().map(Span) {
                    let (best_j, waits) = energy_j(oracle.rest(idle, &t), idle, &t);
                    prop_assert!(!waits);
                    let (taken_j, waits) = energy_j(policy.rest(idle, &t), idle, &t);
                    prop_assert!(waits || taken_j >= best_j - 1e-12, "{}: {taken_j} J beats {best_j} J", row.name);
                    let any_j = in_time_j(Span(after_ns), idle, &t);
                    prop_assert!(any_j >= best_j - 1e-12, "rest after {after_ns} ns: {any_j} J beats {best_j} J");
                    policy.learn(idle, &t);
                }
            }
        }
    }

    /// A policy whose requests wait has a longer time to rest in, and may take less.
    #[test]
    fn waiting_may_take_less_than_the_oracle() {
        let slow = Transition { startup: Span(5_000_000), ..TRANSITION };
        let idle = Span(5_500_000);
        let [best, waiting] = ["oracle", "immediate"].map(|name| {
            let policy = build(name).unwrap();
            energy_j(policy.rest(idle, &slow), idle, &slow)
        });
        assert!(waiting.1 && !best.1 && waiting.0 < best.0, "{waiting:?}, {best:?}");
    }

    #[test]
    fn breaking_even_takes_as_much_either_way() {
        let even = TRANSITION.break_even().unwrap();
        let (ready, _) = energy_j(Rest::Never, even, &TRANSITION);
        // To the nanosecond.
        let (rested, _) = energy_j(Rest::UntilNeeded, even, &TRANSITION);
        assert!((ready - rested).abs() < 1e-9 * TRANSITION.idle_w, "{ready} J, {rested} J");
        assert_eq!(Transition { inactive_w: 0.1, ..TRANSITION }.break_even(), None);
    }

    #[test]
    fn names_have_options() {
        let after = |text: &str| build(text).unwrap().rest(Span(1), &TRANSITION);
        assert_eq!(after("timeout:ms=2.5"), Rest::After(Span(2_500_000)));
        assert_eq!(after("always-on"), Rest::Never);
        assert_eq!(after("immediate"), Rest::After(Span::ZERO));
        for (text, expected) in [
            ("timeout:ms=-1", "power_policy = timeout:ms=-1: timeout: ms = -1: expected a number from 0"),
            ("imediate", "did you mean \"immediate\""),
            ("immediate:ms=1", "it has no options"),
        ] {
            let error = build(text).err().unwrap().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
