//! The record of single requests on a sled, compared with values computed here from the parameters.

use sledsim::device::Service;
use sledsim::record::Record;
use sledsim::time::{Span, Time};
use sledsim::trace::{Op, Trace, TraceRow};

use crate::support::{params, run};

fn one(lbn: i64, blocks: i32, op: Op) -> Trace {
    let mut trace = Trace::default();
    trace.push(TraceRow { arrival_ns: 0, lbn, blocks, op, ..TraceRow::default() });
    trace
}

const ROW_NS: f64 = 90.0 * 40.0 / 0.028;

#[test]
fn a_track_passes_under_the_tips_in_its_rows() {
    // The middle cylinder begins at LBN 1250 x 2700; its first track has 540 blocks in 27 rows.
    let record = run(&params("osdi00", ""), &one(1250 * 2700, 540, Op::Read), "fcfs").record;
    assert_eq!((record.rows[0], record.switches[0]), (27, 0));
    assert_eq!(record.transfer_ns[0], (27.0 * ROW_NS).round() as i64);
    assert_eq!((record.seek_x_ns[0], record.settle_ns[0]), (0, 0), "the sled starts on that cylinder");
}

#[test]
fn overhead_and_bus_are_reported_apart() {
    let trace = one(1000, 8, Op::Read);
    let with = run(&params("osdi00", ""), &trace, "fcfs").record;
    let without = run(&params("osdi00", "overhead_ms = 0.0\nbus_mb_per_s = 0.0"), &trace, "fcfs").record;
    assert_eq!((with.overhead_ns[0], with.bus_ns[0]), (200_000, 8 * 5_120));
    assert_eq!((without.overhead_ns[0], without.bus_ns[0]), (0, 0));
    assert_eq!(with.completion_ns[0] - without.completion_ns[0], 200_000 + 8 * 5_120);
}

#[test]
fn a_write_waits_for_its_data_if_the_sled_is_there_first() {
    // The 8 blocks need 4.096 ms on the bus at 1 MB/s, far longer than positioning.
    let record = run(&params("osdi00", "bus_mb_per_s = 1.0"), &one(1000, 8, Op::Write), "fcfs").record;
    let in_place = record.start_ns[0] + record.positioning_ns[0];
    assert_eq!(in_place + record.hold_ns[0], 200_000 + 4_096_000);
    assert_eq!(record.bus_ns[0], 0);
}

#[test]
fn the_next_cylinder_costs_what_its_parameter_says() {
    // The last row of a cylinder and the first of the next: five tracks are an odd number, so the sweep
    // joins.
    let trace = one(1251 * 2700 - 20, 40, Op::Read);
    let switch = |overrides| {
        let record = run(&params("osdi00", overrides), &trace, "fcfs").record;
        assert_eq!((record.rows[0], record.switches[0]), (2, 1));
        record.switch_ns[0]
    };
    let hidden = switch("cylinder_switch = \"tip-deflection\"");
    let sought = switch("cylinder_switch = \"seek\"");
    assert!((40_000..60_000).contains(&hidden), "the switch takes a turnaround at the edge: {hidden} ns");
    assert!(
        (233_000..235_000).contains(&sought),
        "the switch takes a seek of one bit and settling: {sought} ns"
    );
}

#[test]
fn access_modes_bind_the_direction() {
    let direction = |mode: &str, lbn, blocks| {
        let params = params("osdi00", &format!("access_mode = {mode:?}"));
        run(&params, &one(lbn, blocks, Op::Read), "fcfs").record.direction[0]
    };
    for cylinder in [0, 1, 700, 701] {
        let lbn = cylinder * 2700;
        assert_eq!(direction("parity", lbn, 1), if cylinder % 2 == 0 { 1 } else { -1 });
        assert_eq!(direction("unidirectional", lbn, 1), 1);
        // With five tracks a cylinder, the first track of an odd cylinder is an odd track.
        assert_eq!(direction("serpentine", lbn, 60), if cylinder % 2 == 0 { 1 } else { -1 });
        assert_eq!(direction("serpentine", lbn + 540, 60), if cylinder % 2 == 0 { -1 } else { 1 });
    }
}

#[test]
fn bidirectional_is_never_slower() {
    for (lbn, blocks) in [(0, 1), (999, 30), (540, 540), (12_345, 2000), (6_749_000, 1000)] {
        let time = |mode: &str| {
            // A bus would wait for the row that happens to come last.
            let params = params("osdi00", &format!("access_mode = {mode:?}\nbus_mb_per_s = 0.0"));
            run(&params, &one(lbn, blocks, Op::Read), "fcfs").record.completion_ns[0]
        };
        let best = time("bidirectional");
        for mode in ["serpentine", "parity", "unidirectional"] {
            assert!(best <= time(mode), "{mode} at {lbn}");
        }
    }
}

#[test]
fn energy_is_power_times_time() {
    let outcome = run(&params("osdi00", ""), &one(1000, 8, Op::Read), "fcfs");
    let record = &outcome.record;
    let in_use_s = (record.positioning_ns[0] + record.transfer_ns[0]) as f64 * 1e-9;
    let expected_j = 0.1 * in_use_s + 8.0 * 64.0 * 1e-3 * ROW_NS * 1e-9;
    assert!((record.energy_j[0] / expected_j - 1.0).abs() < 1e-12);
    let idle_s = record.completion_ns[0] as f64 * 1e-9 - in_use_s;
    assert!((outcome.idle_energy_j() / (0.1 * idle_s) - 1.0).abs() < 1e-9);
}

#[test]
fn sleds_that_move_as_one_share_their_position() {
    // The same place, in the middle of the medium, on the second sled, needs no seek in x.
    let mut trace = one(3_376_350, 1, Op::Read);
    let (arrival_ns, lbn) = (5_000_000, 6_750_000 + 3_376_350);
    trace.push(TraceRow { arrival_ns, lbn, blocks: 1, ..TraceRow::default() });
    let record = run(&params("osdi00", "sleds = 2"), &trace, "fcfs").record;
    assert_eq!(record.seek_x_ns[1], 0);
    assert!(record.positioning_ns[1] < 100_000, "positioning takes at most a turnaround");
}

#[test]
fn traced_devices_are_devices_of_their_own() {
    let mut trace = Trace::default();
    for device in 0..3 {
        trace.push(TraceRow { arrival_ns: 0, lbn: 5000, blocks: 8, device, ..TraceRow::default() });
    }
    let outcome = run(&params("osdi00", ""), &trace, "fcfs");
    assert_eq!(outcome.busy_s().len(), 3);
    assert_eq!(outcome.record.queue_length, [0, 0, 0]);
    assert_eq!(outcome.record.completion_ns[0], outcome.record.completion_ns[2]);
}

/// The column `bus_ns` contains the bus time within the service and the bus time after it.
#[test]
fn time_on_the_bus_adds_up() {
    let mut record = Record::with_capacity(1);
    record.arrive(0, Time(100), 0);
    let service = Service { transfer: Span(30), bus: Span(7), ..Service::default() };
    record.serve(0, Time(100), &service, &service.energy);
    record.complete(0, Time(137), Time(142), 1, 1);
    assert_eq!((record.bus_ns[0], record.completion_ns[0]), (7 + 5, 142));
}

#[test]
fn what_is_in_memory_begins_when_it_comes() {
    let mut record = Record::with_capacity(2);
    record.arrive(1, Time(500), 3);
    assert_eq!(record.serve_from_memory(1), Time(500));
    assert_eq!((record.start_ns[1], record.queue_length[1]), (500, 3));
}
