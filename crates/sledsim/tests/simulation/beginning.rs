//! Positions of sled, arm and card before the first request, and the choice of a policy among simultaneous first
//! requests.

use proptest::prelude::*;
use sledsim::device::mems::Mems;
use sledsim::device::{load_disk, load_mems};
use sledsim::record::Record;
use sledsim::trace::{Trace, TraceRow};

use crate::support::{params, run};

/// Runs requests of one block each, given as pairs of an arrival time in ns and an LBN.
fn served(device: &str, overrides: &str, scheduler: &str, requests: &[(i64, i64)]) -> Record {
    let mut trace = Trace::default();
    for (arrival_ns, lbn) in requests {
        trace.push(TraceRow { arrival_ns: *arrival_ns, lbn: *lbn, blocks: 1, ..TraceRow::default() });
    }
    run(&params(device, overrides), &trace, scheduler).record
}

/// Parameters of a device whose commands and whose bus take no time.
const ALONE: &str = "overhead_ms = 0.0\nbus_mb_per_s = 0.0";

proptest! {
    /// The sled stays over the middle cylinder and at the lower end of the middle row, ready to move upwards, until the
    /// first request arrives.
    #[test]
    fn a_sled_begins_in_the_middle(arrival_ns in 0..1_000_000_000_000_i64, lbn in 0..6_750_000_i64) {
        let device = Mems::new(&load_mems("osdi00")).unwrap();
        let at = device.locate(lbn as u64).unwrap();
        let bit_m = 40e-9;
        let x_m = (f64::from(at.cylinder) - 1250.0) * bit_m;
        // The medium has 27 rows of 90 bits and a servo burst of 10, symmetrical about the centre: the 14th begins at
        // -50.
        let lower = 90.0 * f64::from(at.row) - 1220.0;
        let y_s = |bits: f64, d: f64| device.seek_y_s(-50.0 * bit_m, 1.0, bits * bit_m, d);
        let y_s = y_s(lower, 1.0).min(y_s(lower + 100.0, -1.0));
        let expected_s = device.seek_x_s(0.0, x_m).max(y_s);
        let found = served("osdi00", ALONE, "fcfs", &[(arrival_ns, lbn)]).positioning_ns[0];
        prop_assert!((found as f64 - expected_s * 1e9).abs() < 2.0, "positioning {found} ns, expected {expected_s} s");
    }

    /// The arm of a disk starts at the outermost cylinder, and the platters rotate from time 0 on.
    #[test]
    fn a_disk_begins_outermost_and_turns(arrival_ns in 0..1_000_000_000_000_i64) {
        let disk = load_disk("atlas10k");
        let turn_ns = 60e9 / disk.rotation_rpm as f64;
        // The first sector of the drive lies at angle 0 of the arm's own track.
        let record = served("atlas10k", "", "fcfs", &[(arrival_ns, 0)]);
        let passed_ns = arrival_ns + record.command_ns[0] + record.positioning_ns[0];
        // The platter makes a whole number of turns in a minute. A head that is late by 3 ns is in time.
        let into_turn = passed_ns as u64 % 60_000_000_000 * disk.rotation_rpm % 60_000_000_000;
        let late_ns = (into_turn as f64 + 30e9).rem_euclid(60e9) - 30e9;
        let late_ns = late_ns / disk.rotation_rpm as f64;
        prop_assert!((-1.0..=4.0).contains(&late_ns), "{late_ns} ns behind the sector");
        let wait_ns = record.positioning_ns[0] as f64;
        prop_assert!((-10.0..turn_ns + 10.0).contains(&wait_ns), "{wait_ns} ns");
    }
}

#[test]
fn a_card_begins_awake() {
    for arrival_ns in [0, 3_600_000_000_000] {
        assert_eq!(served("cf-card", "", "fcfs", &[(arrival_ns, 5)]).wait_ns, [0]);
    }
}

/// Numbers of the requests in the order of service.
fn order(record: &Record) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..record.start_ns.len()).collect();
    rows.sort_by_key(|row| record.start_ns[*row]);
    rows
}

/// An idle device serves the first of several simultaneous requests at once, before the policy knows the others: SPTF
/// serves it first, although it is the furthest from the middle of the medium.
#[test]
fn of_requests_that_come_at_once_the_first_is_served_before_the_others_are_known() {
    let (near, nearer, far) = (3_400_000, 3_376_400, 20);
    for overrides in [ALONE, "overhead_ms = 0.1\nbus_mb_per_s = 0.0"] {
        let at_once = served("osdi00", overrides, "sptf", &[(7, far), (7, near), (7, nearer)]);
        assert_eq!(order(&at_once)[0], 0, "{overrides}");
    }
    // The policy chooses among the requests that wait when the first is done.
    let at_once = served("osdi00", ALONE, "look_lbn", &[(7, nearer), (7, far), (7, near)]);
    assert_eq!(order(&at_once), [0, 2, 1]);
    let busy = served("osdi00", ALONE, "sptf", &[(7, nearer), (8, far), (8, near)]);
    assert_eq!(order(&busy), [0, 2, 1]);
}
