//! Tests of power policies: no policy that delays no request beats the oracle, and options are
//! read.

use super::*;
use proptest::prelude::*;

const TRANSITION: Transition = Transition {
    shutdown: Span(1_000_000),
    startup: Span(500_000),
    energy_j: 300e-6,
    idle_w: 0.1,
    inactive_w: 0.005,
};

/// Energy in joules of an idle time of length `idle`. The device shuts down after `after` and is ready again at
/// the end. If the idle time is too short for this, the device stays ready.
fn in_time_j(after: Span, idle: Span, t: &Transition) -> f64 {
    let rests = after + t.shutdown + t.startup;
    if rests > idle {
        return t.idle_w * idle.as_s();
    }
    t.idle_w * after.as_s() + t.energy_j + t.inactive_w * idle.saturating_sub(rests).as_s()
}

/// Energy in joules of an idle time of length `idle` under the decision `rest`, and true if the next request
/// must wait.
fn energy_j(rest: Rest, idle: Span, t: &Transition) -> (f64, bool) {
    match rest {
        Rest::Never => (t.idle_w * idle.as_s(), false),
        Rest::After(after) if after >= idle => (t.idle_w * idle.as_s(), false),
        // The energy of an unfinished shutdown and of the start-up counts with the request.
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
    /// Checks that no decision that delays no request takes less energy than the decision of the oracle,
    /// whatever a shutdown costs.
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

/// A device for which a shutdown saves energy if the idle time is longer than 3 ms. Shutdown and start-up take
/// 1.5 ms, and 1.5 ms at rest save the energy that they cost.
const EVEN_AFTER_3_MS: Transition = Transition { energy_j: 292.5e-6, ..TRANSITION };

proptest! {
    /// Checks that the adaptive time-out changes only after idle times longer than the time-out, and becomes
    /// shorter if the shutdown saved energy.
    #[test]
    fn an_adaptive_time_out_learns_from_rests_alone(idle_ms in prop::collection::vec(0_u64..12, 1..40)) {
        let mut policy = build("adaptive:ms=2,least_ms=1,most_ms=8").unwrap();
        let mut after_ms = 2;
        for idle_ms in idle_ms {
            let found = policy.rest(Span(idle_ms * 1_000_000), &EVEN_AFTER_3_MS);
            prop_assert_eq!(found, Rest::After(Span(after_ms * 1_000_000)));
            policy.learn(Span(idle_ms * 1_000_000), &EVEN_AFTER_3_MS);
            if idle_ms > after_ms {
                let gains = idle_ms - after_ms >= 3;
                after_ms = if gains { after_ms / 2 } else { 2 * after_ms }.clamp(1, 8);
            }
        }
    }
}

/// A policy that delays requests has more time to rest, and may take less energy than the oracle.
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
    // Both energies are equal, except for rounding to 1 ns.
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
        ("immediate:ms=1", "immediate has no options: found \"ms=1\""),
    ] {
        let error = build(text).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
