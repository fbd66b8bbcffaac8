//! Times of single requests on a sled, compared with values computed here from parameters and closed formulas.

use sledsim::device::build;
use sledsim::device::load_mems;
use sledsim::device::mems::Mems;
use sledsim::params::DeviceParams;
use sledsim::record::Record;
use sledsim::request;
use sledsim::time::Time;
use sledsim::trace::{Op, Trace, TraceRow};

use crate::support::{params, run};

const ALONE: &str = "overhead_ms = 0.0\nbus_mb_per_s = 0.0\n";
const BIT_M: f64 = 40e-9;
/// Number of blocks of a cylinder of 5 tracks of 27 rows.
const CYLINDER: i64 = 5 * 27 * 20;

fn one(overrides: &str, lbn: i64, blocks: i32, op: Op) -> Record {
    let mut trace = Trace::default();
    trace.push(TraceRow { lbn, blocks, op, ..TraceRow::default() });
    run(&params("osdi00", &format!("{ALONE}{overrides}")), &trace, "fcfs").record
}

#[test]
fn reads_and_writes_settle_each_in_their_time() {
    let settling = "settle_ms = 0.2\nwrite_settle_ms = 0.5\n";
    let ns = [Op::Read, Op::Write].map(|op| one(settling, 0, 1, op).settle_ns[0]);
    assert_eq!(ns, [200_000, 500_000]);
    let DeviceParams::Mems(own) = params("osdi00", settling) else { unreachable!("it is a sled") };
    let settled_s = Mems::new(&own).unwrap().seek_x_s(0.0, 10e-6);
    let unsettled = Mems::new(&sledsim::params::MemsParams { settle_ms: Some(0.0), ..*own.clone() }).unwrap();
    assert!((settled_s - unsettled.seek_x_s(0.0, 10e-6) - 0.2e-3).abs() < 1e-9, "as before a read");
}

/// The switch from the last row of a cylinder to the first row of the next takes the time in x, a seek and settling,
/// which is longer than the turnaround in y.
#[test]
fn a_cylinder_switch_takes_the_longer_of_x_and_y() {
    let device = Mems::new(&load_mems("osdi00")).unwrap();
    let (x0_m, x1_m) = (-1250.0 * BIT_M, -1249.0 * BIT_M);
    let record = one("cylinder_switch = \"seek\"", CYLINDER - 20, 40, Op::Read);
    let expected_ns = device.seek_x_s(x0_m, x1_m) * 1e9;
    assert_eq!(record.switches[0], 1);
    assert!((record.switch_ns[0] as f64 - expected_ns).abs() < 2.0, "{} ns", record.switch_ns[0]);
    // A sled that deflects its tips only turns around.
    let deflected = one("cylinder_switch = \"tip-deflection\"", CYLINDER - 20, 40, Op::Read);
    assert!(deflected.switch_ns[0] < record.switch_ns[0] / 2);
}

/// Bidirectional access serves each request at least as fast as every other access mode, because it chooses the
/// quickest of all ways.
#[test]
fn of_all_ways_through_a_request_the_quickest_is_taken() {
    let mut quicker = 0;
    for at in 0..60 {
        let (lbn, blocks) = (3_375_000 + 97 * at, 30 + 17 * (at as i32 % 40));
        let times = ["bidirectional", "unidirectional", "serpentine", "parity"].map(|mode| {
            let record = one(&format!("access_mode = {mode:?}"), lbn, blocks, Op::Read);
            record.completion_ns[0] - record.start_ns[0]
        });
        assert!(
            times[1..].iter().all(|ns| *ns >= times[0]),
            "{blocks} blocks at {lbn}: {times:?} ns by access mode"
        );
        quicker += u32::from(times[1..].iter().all(|ns| *ns > times[0]));
    }
    assert!(quicker > 5, "{quicker}");
}

/// The distance to a row is that to its nearer end; the sled starts over the middle cylinder, at -50 bits in y.
#[test]
fn distances_are_to_the_nearer_end_of_a_row() {
    let device = build(&params("osdi00", ALONE), 1).unwrap().remove(0);
    for row in 0..27 {
        let lbn = (1250 * CYLINDER + 20 * row) as u64;
        let lower = (90 * row - 1220) as f64;
        let nearer = (lower + 50.0).abs().min((lower + 100.0 + 50.0).abs());
        let found_m = device.distance_m(Time::ZERO, &request::Request::new(0, lbn, 1, request::Op::Read));
        assert!((found_m - nearer * BIT_M).abs() < 1e-15, "row {row}: {found_m} m");
    }
}

/// Energy for seeking is drawn while the actuators move the sled: in switches, and in positioning except for the part
/// of settling that follows the motion.
#[test]
fn seeking_takes_energy_while_the_sled_moves() {
    let powers = "seek_power_mw = 120.0\nactuation_power_mw = 0.0\nelectronics_power_mw = 0.0\n";
    let record = one(powers, CYLINDER - 100, 400, Op::Read);
    let moved = record.seek_x_ns[0].max(record.seek_y_ns[0] + record.turnaround_ns[0]);
    assert!(
        record.positioning_ns[0] - i64::from(moved) <= i64::from(record.settle_ns[0])
            && record.switch_ns[0] > 10_000
    );
    let moving_s = (i64::from(moved) + record.switch_ns[0]) as f64 * 1e-9;
    assert!((record.seek_j[0] - 0.12 * moving_s).abs() < 1e-12, "{} J", record.seek_j[0]);
}

/// Numbers of tracks are unique in the device: they count cylinder by cylinder, one sled after the other.
#[test]
fn tracks_are_counted_over_the_whole_device() {
    let device = build(&params("osdi00", "sleds = 2\nstroke_x_nm = 4000"), 1).unwrap().remove(0);
    let cylinders = u64::from(device.extent().cylinders);
    let mut tracks = vec![false; 2 * cylinders as usize * 5];
    for lbn in (0..device.blocks()).step_by(20) {
        let at = device.coordinates(lbn);
        assert_eq!(at.track / 5 % cylinders, u64::from(at.cylinder), "block {lbn}");
        tracks[at.track as usize] = true;
    }
    assert!(tracks.iter().all(|has_blocks| *has_blocks));
}
