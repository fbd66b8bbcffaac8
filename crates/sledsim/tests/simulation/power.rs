//! Power management of a sled: rest, wake-up, and uses of energy that add up to the total.

use proptest::prelude::*;
use sledsim::power::POWER_POLICIES;
use sledsim::record::Record;
use sledsim::simulation::Outcome;
use sledsim::trace::{Op, Trace, TraceRow};

use crate::support::{params, run};

/// Powers of a device that saves much at rest, and whose wake-up takes time and energy.
const POWERS: &str = "electronics_power_mw = 20.0\nseek_power_mw = 120.0\nactuation_power_mw = 100.0\n\
    actuation_exponent = 2.0\ninactive_power_mw = 5.0\nshutdown_energy_mj = 0.02\nstartup_ms = 0.3\n\
    startup_energy_mj = 0.01\n";

fn trace(requests: &[(i64, i64, i32, bool)]) -> Trace {
    let (mut trace, mut arrival_ns) = (Trace::default(), 1);
    for (gap_ns, lbn, blocks, write) in requests {
        arrival_ns += gap_ns;
        let op = if *write { Op::Write } else { Op::Read };
        trace.push(TraceRow { arrival_ns, lbn: *lbn, blocks: *blocks, op, ..TraceRow::default() });
    }
    trace
}

fn under(policy: &str, trace: &Trace) -> Outcome {
    run(&params("osdi00", &format!("{POWERS}power_policy = {policy:?}")), trace, "fcfs")
}

/// Runs two reads of one block in the middle cylinder; the second arrives `gap_ns` ns after the first.
fn again_after(policy: &str, gap_ns: i64) -> Record {
    again_with("", policy, gap_ns)
}

fn again_with(powers: &str, policy: &str, gap_ns: i64) -> Record {
    let overrides = format!("{powers}power_policy = {policy:?}\noverhead_ms = 0.0\nbus_mb_per_s = 0.0");
    let requests = trace(&[(0, 3_376_350, 1, false), (gap_ns, 3_376_350, 1, false)]);
    run(&params("osdi00", &overrides), &requests, "fcfs").record
}

#[test]
fn a_sled_at_rest_starts_in_the_centre() {
    let record = again_after("immediate", 50_000_000);
    assert_eq!((record.seek_x_ns[1], record.wait_ns[1]), (0, 0));
    assert!((35_000..400_000).contains(&record.positioning_ns[1]), "a launch: {}", record.positioning_ns[1]);
    let again = again_after("immediate", 90_000_000);
    assert_eq!(again.positioning_ns[1], record.positioning_ns[1]);
}

/// The sled moves upwards if a request can be served in both directions in the same time. From rest in the centre, both
/// ends of the middle row, or of a whole track, are equally near.
#[test]
fn of_directions_that_are_as_quick_the_sled_moves_upwards() {
    let (middle_row, track) = ((3_376_340, 20), (3_376_080, 540));
    for (lbn, blocks) in [middle_row, track] {
        let requests = trace(&[(0, 0, 1, false), (50_000_000, lbn, blocks, false)]);
        let record = run(&params("osdi00", "power_policy = \"immediate\""), &requests, "fcfs").record;
        assert_eq!(record.direction[1], 1, "{blocks} blocks");
    }
}

#[test]
fn a_request_waits_until_the_sled_is_at_rest() {
    let free_ns = again_after("immediate", 50_000_000).completion_ns[0];
    let soon = again_after("immediate", free_ns + 1);
    assert!(soon.wait_ns[1] > 50_000, "{} ns", soon.wait_ns[1]);
}

/// A request that arrives after the time-out finds the sled at rest; one that arrives at its end or earlier does not.
/// Arrivals differ from the time-out by whole milliseconds.
#[test]
fn a_sled_rests_after_its_time_out() {
    let free_ns = again_with(POWERS, "always-on", 50_000_000).completion_ns[0];
    for (after_ms, idle_ms) in (1..4).flat_map(|after_ms| (0..6).map(move |idle_ms| (after_ms, idle_ms))) {
        for policy in ["timeout", "adaptive"] {
            let policy = format!("{policy}:ms={after_ms}");
            let record = again_with(POWERS, &policy, free_ns - 1 + idle_ms * 1_000_000);
            assert_eq!(record.start_ns[1] - record.completion_ns[0], idle_ms * 1_000_000);
            let wakes = [record.wait_ns[1] > 0, record.startup_j[1] > 0.0];
            assert_eq!(wakes, [idle_ms > after_ms; 2], "{policy}, idle for {idle_ms} ms");
        }
    }
}

#[test]
fn rest_saves_power() {
    let requests = trace(&[(0, 0, 1, false), (1_000_000_000, 0, 1, false)]);
    let idle_j = |policy| {
        run(&params("osdi00", &format!("power_policy = {policy:?}")), &requests, "fcfs").idle_energy_j()
    };
    assert!((idle_j("immediate") / idle_j("always-on") - 0.5).abs() < 0.01, "50 mW instead of 100 mW");
}

#[test]
fn waking_up_takes_time_and_energy() {
    let requests = trace(&[(0, 0, 8, false), (100_000_000, 0, 8, false), (100_000_000, 4000, 8, true)]);
    let record = under("timeout:ms=2", &requests).record;
    assert_eq!(record.wait_ns[1..], [300_000; 2]);
    assert!(record.startup_j[1..].iter().all(|joules| (joules - 10e-6).abs() < 1e-15));
    let known = under("oracle", &requests).record;
    assert_eq!(known.wait_ns, [0; 3], "ready in time");
    assert_eq!(known.completion_ns, under("always-on", &requests).record.completion_ns);
}

#[test]
fn holding_takes_most_where_the_springs_pull_most() {
    // Requests at the edge and in the centre: the force is 75 % and 0, and its square determines the power.
    let record = under("always-on", &trace(&[(0, 0, 20, false), (1_000_000, 3_376_350, 20, false)])).record;
    let held_s = 1e-9 * (record.transfer_ns[0] + record.hold_ns[0]) as f64;
    assert!((record.actuation_j[0] / (0.100 * 0.75 * 0.75 * held_s) - 1.0).abs() < 1e-3);
    assert!(record.actuation_j[1] < 1e-3 * record.actuation_j[0]);
}

/// Idle energy after the last request counts until the end of the run: the sled goes to rest while the last data still
/// cross the bus, and the run ends with them.
#[test]
fn a_rest_that_is_begun_at_the_end_counts_until_the_end() {
    let overrides =
        format!("{POWERS}shutdown_energy_mj = 0.0\npower_policy = \"immediate\"\noverhead_ms = 0.0\nbus_mb_per_s = 100.0");
    let overrides = overrides.replacen("shutdown_energy_mj = 0.02\n", "", 1);
    let outcome = run(&params("osdi00", &overrides), &trace(&[(0, 0, 8, false)]), "fcfs");
    let record = &outcome.record;
    let idle_ns = record.bus_ns[0];
    assert!((1..200_000).contains(&idle_ns), "data cross the bus while the sled goes to rest: {idle_ns} ns");
    let expected_j = (0.020 + 0.120) * 1e-9 * idle_ns as f64;
    assert!((outcome.idle_energy_j() / expected_j - 1.0).abs() < 1e-9, "{} J", outcome.idle_energy_j());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Uses of energy add up to the total, for each request and for the run, under every power policy. The policy
    /// `oracle`, which wakes the sled in time, completes requests as early as `always-on`.
    #[test]
    fn the_ledger_closes(
        requests in prop::collection::vec((0_i64..30_000_000, 0_i64..6_700_000, 1_i32..100, any::<bool>()), 2..60),
    ) {
        let trace = trace(&requests);
        let oracle = under("oracle", &trace);
        prop_assert_eq!(&oracle.record.completion_ns, &under("always-on", &trace).record.completion_ns);
        for row in POWER_POLICIES.rows() {
            let outcome = under(row.name, &trace);
            let record = &outcome.record;
            for at in 0..trace.len() {
                let accounts = record.seek_j[at] + record.settle_j[at] + record.actuation_j[at]
                    + record.tips_j[at] + record.electronics_j[at] + record.startup_j[at];
                prop_assert!((accounts / record.energy_j[at] - 1.0).abs() < 1e-9);
            }
            let of_requests: f64 = record.energy_j.iter().sum();
            let of_device = outcome.devices[0].totals.energy.total_j();
            prop_assert!((of_requests / of_device - 1.0).abs() < 1e-9);
            let idle_j = outcome.idle_energy_j();
            let accounts: f64 = outcome.devices[0].totals.idle_energy.values().iter().sum();
            prop_assert!((accounts - idle_j).abs() <= 1e-9 * accounts);
            for (number, (name, joules)) in outcome.devices[0].accounts().into_iter().enumerate() {
                let over_time_j: f64 = outcome.devices[0].over_time.of_use(number).sum();
                prop_assert!((over_time_j - joules).abs() <= 1e-9 * joules, "{name}: {over_time_j} J over time, {joules} J in total");
            }
        }
    }
}
