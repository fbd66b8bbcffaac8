//! The motion of a sled while it is idle, and the positioning of the next request.

use sledsim::record::Record;
use sledsim::trace::{Trace, TraceRow};

use crate::support::{params, run};

/// Runs two reads of the same block, which arrive `gap_ns` ns apart, on a device with an idle motion.
fn again_after(idle: &str, gap_ns: i64) -> Record {
    let mut trace = Trace::default();
    for arrival_ns in [1, gap_ns] {
        trace.push(TraceRow { arrival_ns, lbn: 3_376_350, blocks: 1, ..TraceRow::default() });
    }
    let overrides = format!("idle = {idle:?}\noverhead_ms = 0.0\nbus_mb_per_s = 0.0");
    run(&params("osdi00", &overrides), &trace, "fcfs").record
}

#[test]
fn holding_does_not_depend_on_the_gap() {
    let [short, long] = [5_000_000, 700_000_000].map(|gap_ns| again_after("hold", gap_ns).positioning_ns[1]);
    assert_eq!(short, long);
}

#[test]
fn sweeping_comes_back_after_a_period() {
    // A sweep goes up and down 2440 bits of 40 nm at 28 mm/s, with a turnaround at either end.
    let sweep_s = 2.0 * (2440.0 * 40e-9 / 0.028);
    let edge_m = 1220.0 * 40e-9;
    let (a, w2) = (803.6, 0.75 * 803.6 / 50e-6_f64);
    let turnaround_s = 2.0 / w2.sqrt() * (w2.sqrt() * 0.028 / (a + w2 * edge_m)).atan();
    let period_ns = ((sweep_s + 2.0 * turnaround_s) * 1e9).round() as i64;
    let first = again_after("sweep", 5_000_000).positioning_ns[1];
    let later = again_after("sweep", 5_000_000 + period_ns).positioning_ns[1];
    let between = again_after("sweep", 5_000_000 + period_ns / 3).positioning_ns[1];
    assert!(first.abs_diff(later) <= 3, "positioning {first} ns, a period later {later} ns");
    assert!(first.abs_diff(between) > 1000, "positioning {first} ns, within a period {between} ns");
}

/// A request that arrives while the idle sled turns around waits for the end of the turn, so that requests in one turn
/// set off at the same time.
#[test]
fn a_turn_is_waited_for() {
    let first = again_after("sweep", 5_000_000);
    // The access goes from -50 bits upwards over row 13, which ends at 40 bits; or downwards, to -40.
    let upwards = first.direction[0] > 0;
    assert!(upwards, "the sled takes the nearer way from the centre");
    let turn_begins_s = (1220.0 - 40.0) * 40e-9 / 0.028;
    let free_ns = first.start_ns[0] + first.positioning_ns[0] + first.transfer_ns[0];
    let turn_begins_ns = free_ns + (turn_begins_s * 1e9) as i64;
    let waits = [5_000, 15_000, 30_000].map(|ns| again_after("sweep", turn_begins_ns + ns).positioning_ns[1]);
    assert!(
        waits[0].abs_diff(waits[1] + 10_000) <= 2 && waits[1].abs_diff(waits[2] + 15_000) <= 2,
        "{waits:?}"
    );
}
