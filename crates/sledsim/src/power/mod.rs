//! Power management: when a device that serves nothing shuts down, and when it wakes up.

mod adaptive;
mod always_on;
mod immediate;
mod oracle;
mod timeout;

use crate::error::{normalise, unknown_name, Error, Result};
use crate::options::{OptionRow, Options};
use crate::time::Span;

/// What shutting down and waking up take.
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

/// What becomes of an idle time.
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
    /// What becomes of an idle time that lasts `idle`. Only an oracle may look at that.
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

/// One policy.
pub struct PowerRow {
    /// The name that users give.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub description: &'static str,
    /// What can be set.
    pub options: &'static [OptionRow],
    /// Makes it with such options.
    pub build: fn(&Options) -> Result<Box<dyn PowerPolicy>>,
}

/// Every policy: one file and one row here.
pub const POWER_POLICIES: &[PowerRow] =
    &[always_on::ROW, immediate::ROW, timeout::ROW, adaptive::ROW, oracle::ROW];

/// The row of that name.
///
/// # Errors
/// An unknown name.
pub fn find(name: &str) -> Result<&'static PowerRow> {
    let row = POWER_POLICIES.iter().find(|row| normalise(row.name) == normalise(name));
    row.ok_or_else(|| unknown_name("power policy", name, POWER_POLICIES.iter().map(|row| row.name)))
}

/// The policy of a name with options: `timeout:ms=1`.
///
/// # Errors
/// An unknown name, an option that cannot be.
pub fn build(text: &str) -> Result<Box<dyn PowerPolicy>> {
    let (name, options) = text.split_once(':').unwrap_or((text, ""));
    let row = find(name)?;
    (row.build)(&Options::parse(row.name, row.options, options)?)
        .map_err(|error| Error::Parameter(format!("power_policy = {text}: {error}")))
}

/// An option in milliseconds, which is not negative.
fn span(options: &Options, name: &str) -> Result<Span> {
    let ms = options.number(name, "a number from 0 to 1e9 (ms)", |ms| (0.0..=1e9).contains(&ms))?;
    Ok(Span::from_s(ms * 1e-3))
}

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

    /// Energy of an idle time under a decision.
    fn energy_j(rest: Rest, idle: Span, t: &Transition) -> f64 {
        let asleep =
            |idle: Span| t.energy_j + t.inactive_w * idle.saturating_sub(t.shutdown + t.startup).as_s();
        match rest {
            Rest::Never => t.idle_w * idle.as_s(),
            Rest::After(after) if after >= idle => t.idle_w * idle.as_s(),
            Rest::After(after) => t.idle_w * after.as_s() + asleep(idle.saturating_sub(after)),
            Rest::UntilNeeded => asleep(idle),
        }
    }

    proptest! {
        /// No policy takes less energy over idle times than the oracle, and the adaptive one at most so much more.
        #[test]
        fn nothing_beats_the_oracle(idle_ns in prop::collection::vec(0_u64..50_000_000, 1..200)) {
            let best: f64 = idle_ns.iter().map(|idle| {
                let oracle = build("oracle").unwrap();
                energy_j(oracle.rest(Span(*idle), &TRANSITION), Span(*idle), &TRANSITION)
            }).sum();
            for row in POWER_POLICIES {
                let mut policy = build(row.name).unwrap();
                let mut all = 0.0;
                for idle in &idle_ns {
                    all += energy_j(policy.rest(Span(*idle), &TRANSITION), Span(*idle), &TRANSITION);
                    policy.learn(Span(*idle), &TRANSITION);
                }
                prop_assert!(all >= best - 1e-12, "{}: {all} J beats {best} J", row.name);
            }
        }
    }

    #[test]
    fn breaking_even_takes_as_much_either_way() {
        let even = TRANSITION.break_even().unwrap();
        let ready = energy_j(Rest::Never, even, &TRANSITION);
        // To the nanosecond.
        let rested = energy_j(Rest::UntilNeeded, even, &TRANSITION);
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
