//! A drive with a queue of its own: it processes commands on arrival, its arm may leave for the next request before the
//! data of the previous one have crossed the bus, and it holds a limited number of requests.

use std::ops::ControlFlow;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::device::load_disk;
use sledsim::params::{DeviceParams, DiskParams, Queue, WriteHits};
use sledsim::record::Record;
use sledsim::sched::Policy;
use sledsim::simulation::simulate;
use sledsim::trace::{Op, Trace, TraceRow};
use sledsim::workload::{Columns, PastEnd, Replay};

/// An Atlas 10K without a cache, in which each command takes 1 ms.
fn drive(queue: Queue, preseeks: bool, queue_depth: Option<u64>) -> DiskParams {
    DiskParams {
        queue: Some(queue),
        preseeks: Some(preseeks),
        queue_depth,
        cache_segments: 0,
        write_back: false,
        whole_track_reads: false,
        read_miss_after_read_ms: 1.0,
        ..load_disk("atlas10k")
    }
}

/// Runs reads of 8 blocks each, which all arrive at time 0.
fn run(params: &DiskParams, policy: &str, blocks: &[i64]) -> Record {
    let read = |lbn: &i64| TraceRow { lbn: *lbn, blocks: 8, op: Op::Read, ..TraceRow::default() };
    record(params, policy, blocks.iter().map(read))
}

fn record(params: &DiskParams, policy: &str, requests: impl Iterator<Item = TraceRow>) -> Record {
    let mut trace = Trace::default();
    requests.for_each(|request| trace.push(request));
    let replay = Replay::new(Columns::of(&trace), 1.0, u64::MAX, PastEnd::Error);
    let params = DeviceParams::Disk(Box::new(params.clone()));
    let go_on = &mut |_| ControlFlow::Continue(());
    simulate(&params, 1, &Policy::parse(policy).unwrap(), &mut replay.unwrap(), go_on).unwrap().record
}

const SCATTERED: [i64; 4] = [9_000_000, 100, 17_000_000, 4_000_000];

#[test]
fn commands_are_processed_before_their_turn_comes() {
    let host = run(&drive(Queue::Host, false, None), "fcfs", &SCATTERED);
    assert_eq!(host.overhead_ns, [0; 4]);
    assert_eq!(host.command_ns, [1_000_000; 4]);
    let inside = run(&drive(Queue::Drive, false, None), "fcfs", &SCATTERED);
    assert_eq!(inside.overhead_ns, [1_000_000, 2_000_000, 3_000_000, 4_000_000]);
    assert_eq!(inside.command_ns, [0; 4]);
    assert!(inside.completion_ns.iter().zip(&host.completion_ns).all(|(inside, host)| inside <= host));
    for row in 1..4 {
        assert_eq!(inside.start_ns[row], inside.completion_ns[row - 1]);
    }
}

/// The overhead of a write depends on the command that the drive processed before it: 0.474 ms after a read, 0.095 ms
/// after a write. The two writes arrive 0.1 ms apart, so that the second one arrives while the first is processed.
#[test]
fn a_command_follows_the_one_that_was_processed_before_it() {
    let writes = |write_hits, second| {
        let params = DiskParams {
            queue: Some(Queue::Drive),
            preseeks: Some(false),
            write_hits,
            ..load_disk("cheetah4lp")
        };
        let write = |number: i64| TraceRow {
            arrival_ns: 100_000 * number,
            lbn: 5_000 + second * number,
            blocks: 8,
            op: Op::Write,
            ..TraceRow::default()
        };
        record(&params, "fcfs", (0..2).map(write)).overhead_ns
    };
    let [hit_ns, waits_ns] = [474_000, 474_000 - 100_000 + 95_000];
    assert_eq!(writes(Some(WriteHits::Every), 1_000), [hit_ns, waits_ns]);
    let [first, sequential] = writes(Some(WriteHits::Sequential), 8)[..] else { panic!("two writes") };
    assert_eq!(sequential, first - 100_000 + 95_000);
}

/// The arm leaves for the next read while the data of the previous read still cross the bus: eight blocks of 0.099 ms
/// take longer on the bus than under the head.
#[test]
fn the_next_seek_overlaps_the_bus() {
    let found = run(&drive(Queue::Drive, true, None), "fcfs", &SCATTERED);
    for row in 0..3 {
        let early_ns = found.completion_ns[row] - found.start_ns[row + 1];
        assert!((600_000..792_000).contains(&early_ns), "{early_ns} ns");
    }
    for row in 0..4 {
        let phases = found.command_ns[row]
            + found.wait_ns[row]
            + found.positioning_ns[row]
            + found.hold_ns[row]
            + found.transfer_ns[row]
            + found.bus_ns[row];
        assert_eq!(found.completion_ns[row] - found.start_ns[row], phases);
    }
}

/// A write waits on its track until its data have crossed the bus. When the arm arrives there, the bus is still busy
/// with the data of the previous read.
#[test]
fn a_write_is_held_back_until_its_data_have_crossed_the_bus() {
    let params = DiskParams { bus_read_ms_per_block: 10.0, ..drive(Queue::Drive, true, None) };
    let request = |(lbn, op): (i64, Op)| TraceRow { lbn, blocks: 8, op, ..TraceRow::default() };
    let requests = [(9_000_000, Op::Read), (100, Op::Write)];
    let found = record(&params, "fcfs", requests.into_iter().map(request));
    let turn_ns = 60_000_000_000 / params.rotation_rpm as i64;
    let seek_ns = found.positioning_ns[1] - found.rotation_ns[1];
    assert!(seek_ns < 10_000_000 && found.rotation_ns[1] <= turn_ns);
    // The bus is free when the host has the data of the read; then the data of the write cross, and their sectors
    // pass within a turn or two.
    let held_ns = found.completion_ns[0] - found.start_ns[1] - found.positioning_ns[1];
    assert!(found.hold_ns[1] > held_ns - turn_ns && found.hold_ns[1] < held_ns + 2 * turn_ns);
    let phases = found.command_ns[1] + found.wait_ns[1] + found.positioning_ns[1] + found.hold_ns[1];
    assert_eq!(found.completion_ns[1] - found.start_ns[1], phases + found.transfer_ns[1] + found.bus_ns[1]);
}

/// Completions of reads on one track are at least the bus time of a read apart, because the bus carries the data of one
/// request at a time.
#[test]
fn the_bus_carries_one_request_at_a_time() {
    let found = run(&drive(Queue::Drive, true, None), "fcfs", &[0, 16, 32, 48, 64]);
    for row in 1..5 {
        assert!(found.completion_ns[row] - found.completion_ns[row - 1] >= 8 * 99_000);
    }
}

/// Reads of consecutive blocks need no motion, so that each read begins to pass under the head when the previous one
/// has passed.
#[test]
fn reads_that_follow_one_another_pass_without_a_pause() {
    let first_blocks: Vec<i64> = (0..20).map(|number| 1_010 + 8 * number).collect();
    let params = DiskParams {
        read_miss_after_read_ms: 0.01,
        bus_read_ms_per_block: 0.001,
        ..drive(Queue::Drive, true, None)
    };
    let found = run(&params, "fcfs", &first_blocks);
    let sector_ns = 60e9 / params.rotation_rpm as f64 / 334.0;
    for row in 1..20 {
        assert!(found.positioning_ns[row] < 10, "{row}: {} ns", found.positioning_ns[row]);
        assert!((found.transfer_ns[row] as f64 - 8.0 * sector_ns).abs() < 10.0);
    }
}

/// Reads of consecutive sectors complete one sector time apart: the host requests each sector, at the latest, while the
/// sector passes under the head for the read-ahead.
#[test]
fn a_sector_that_is_read_ahead_is_finished_when_it_is_asked_for() {
    for preseeks in [false, true] {
        let params = DiskParams {
            queue: Some(Queue::Drive),
            preseeks: Some(preseeks),
            read_miss_after_read_ms: 0.01,
            read_hit_after_read_ms: 0.01,
            ..load_disk("dec-rz26")
        };
        let read = |lbn| TraceRow { lbn, blocks: 1, op: Op::Read, ..TraceRow::default() };
        let found = record(&params, "fcfs", (0..40).map(read));
        let sector_ns = 60_000_000_000 / params.rotation_rpm as i64 / 58;
        for row in 1..40 {
            let apart_ns = found.completion_ns[row] - found.completion_ns[row - 1];
            assert!(apart_ns.abs_diff(sector_ns) < 10, "read {row}: {apart_ns} ns after the previous one");
        }
    }
}

#[test]
fn a_drive_orders_no_more_than_it_holds() {
    let order = |depth| {
        let found = run(&drive(Queue::Drive, false, depth), "clook_lbn", &[0, 900, 700, 500, 300]);
        let mut rows: Vec<usize> = (0..5).collect();
        rows.sort_by_key(|row| found.start_ns[*row]);
        rows
    };
    // The first is served once its command is processed, when the others are still to come.
    assert_eq!(order(None), [0, 4, 3, 2, 1]);
    assert_eq!(order(Some(1)), [0, 1, 2, 3, 4]);
    // Requests 900 and 700 are inside; then 900 and 500, of which C-LOOK takes the upper; then 500 and 300.
    assert_eq!(order(Some(2)), [0, 2, 1, 4, 3]);
}

/// Reads of 4 blocks with arrival times. Some reads continue where the previous read ends; at times several reads wait,
/// at times no read waits.
fn reads(count: u64, seed: u64) -> Vec<TraceRow> {
    let mut rng = Pcg64::seed_from_u64(seed);
    let (mut arrival_ns, mut lbn) = (0, 0);
    let read = |_| {
        arrival_ns += if rng.random_bool(0.5) { 0 } else { rng.random_range(0..14_000_000) };
        lbn = if rng.random_bool(0.6) { lbn + 4 } else { rng.random_range(0..17_000_000) };
        TraceRow { arrival_ns, lbn, blocks: 4, op: Op::Read, ..TraceRow::default() }
    };
    (0..count).map(read).collect()
}

/// Checks by its definition when requests enter the drive. Requests enter in the order of arrival: each on its arrival,
/// or when the host has the data of enough earlier requests that the drive holds at most `depth` others. The drive
/// processes the commands one after the other, 1 ms each. A free drive serves the chosen request at once; under FCFS,
/// the next one.
fn check_admission(requests: &[TraceRow], found: &Record, depth: usize, preseeks: bool, is_fcfs: bool) {
    let mut completions = found.completion_ns.clone();
    completions.sort_unstable();
    let (mut entered, mut processed) = (0, 0);
    for (row, request) in requests.iter().enumerate() {
        let room = row.checked_sub(depth + 1).map_or(0, |number| completions[number]);
        entered = room.max(entered).max(request.arrival_ns);
        processed = entered.max(processed) + 1_000_000;
        assert_eq!(found.overhead_ns[row], processed - entered, "{depth}: {row}");
        assert!(found.start_ns[row] >= processed, "{depth}: {row}");
        if is_fcfs && !preseeks {
            let free = if row == 0 { 0 } else { found.completion_ns[row - 1] };
            assert_eq!(found.start_ns[row], processed.max(free), "{depth}: {row}");
        }
    }
}

#[test]
fn a_command_is_processed_when_the_drive_has_room_for_its_request() {
    let requests = reads(400, 7);
    for preseeks in [false, true] {
        for policy in ["fcfs", "sptf", "clook_lbn"] {
            let run = |depth: Option<u64>| {
                // A sequential read passes sooner than its command could be processed, if no turn is lost.
                let drive = DiskParams {
                    bus_read_ms_per_block: if preseeks { 0.1 } else { 0.0 },
                    data_preparation_ms: 0.0,
                    read_completion_ms: 0.0,
                    ..drive(Queue::Drive, preseeks, depth)
                };
                record(&drive, policy, requests.iter().copied())
            };
            let endless = run(None);
            check_admission(&requests, &endless, requests.len(), preseeks, policy == "fcfs");
            for depth in [1, 2, 4] {
                let found = run(Some(depth));
                check_admission(&requests, &found, depth as usize, preseeks, policy == "fcfs");
                assert_ne!(found.completion_ns, endless.completion_ns, "{policy}, {depth}");
            }
            assert_eq!(run(Some(400)), endless);
        }
    }
}

/// A drive that holds one request beside the one in service: the second request enters with the first, and each later
/// request enters when the host has the data of the request two places before it. The drive processes these commands
/// while it serves another request.
#[test]
fn a_drive_that_is_full_takes_the_next_request_when_the_host_has_one() {
    let found = run(&drive(Queue::Drive, false, Some(1)), "fcfs", &SCATTERED);
    assert_eq!(found.overhead_ns, [1_000_000, 2_000_000, 1_000_000, 1_000_000]);
    assert_eq!(found.start_ns[1..], found.completion_ns[..3]);
}

#[test]
fn what_needs_a_queue_is_refused_without_one() {
    let said = |text: &str| sledsim::device::load("atlas10k", text.parse().unwrap()).unwrap_err().to_string();
    assert_eq!(said("queue_depth = 4"), "atlas10k: queue_depth = 4 needs queue = \"drive\"");
    assert_eq!(said("preseeks = true"), "atlas10k: preseeks = true needs queue = \"drive\"");
    assert_eq!(
        said("queue = \"drive\"\nqueue_depth = 0"),
        "atlas10k: queue_depth = 0: must be a whole number from 1 to 1000000000"
    );
}
