//! Media that must be erased before data are written over older data (001-F31).

use proptest::prelude::*;
use sledsim::device::load;
use sledsim::episodes::parse;
use sledsim::params::DeviceParams;
use sledsim::record::Record;
use sledsim::sched::Policy;
use sledsim::simulation::Outcome;
use sledsim::system::System;
use sledsim::trace::{Op, Trace, TraceRow};

use crate::support::{params, responses, run};
use crate::systems::run_system;

/// Parameters of a small device of a hundred cylinders: 129 erase blocks of 1 MiB, all of which hold data except the
/// reserve.
const SMALL: &str = "stroke_x_nm = 4000\nerase_block_kib = 1024\nerase_ms = 500.0\nerase_slice_ms = 5.0\n\
    overhead_ms = 0.0\nbus_mb_per_s = 0.0\n";
const ERASE_NS: i64 = 500_000_000;
const SLICE_NS: i64 = 5_000_000;
const BLOCKS: i64 = 2048;

fn log(reserve: u64) -> DeviceParams {
    params("osdi00-erase", &format!("{SMALL}erase_reserve_blocks = {reserve}\n"))
}

fn in_place() -> DeviceParams {
    params("osdi00-erase", &format!("{SMALL}erase_management = \"in-place\"\n"))
}

fn trace(requests: &[(i64, i64, i32, Op)]) -> Trace {
    let mut trace = Trace::default();
    for (arrival_ns, lbn, blocks, op) in requests {
        trace.push(TraceRow {
            arrival_ns: *arrival_ns,
            lbn: *lbn,
            blocks: *blocks,
            op: *op,
            ..TraceRow::default()
        });
    }
    trace
}

/// Writes of 128 blocks, `count` of them, one every `every_ns` ns, to places within the first few erase blocks.
fn writes(count: i64, every_ns: i64) -> Trace {
    trace(&(0..count).map(|at| (at * every_ns, at * 7919 % 500 * 128, 128, Op::Write)).collect::<Vec<_>>())
}

fn count(outcome: &Outcome, name: &str) -> f64 {
    let counts = &outcome.devices[0].counts;
    counts.iter().find(|(known, _)| *known == name).expect("it is counted").1
}

/// Service time of a request in ns without its wait and without the time to erase `erased` erase blocks.
fn moving_ns(record: &Record, row: usize, erased: i64) -> i64 {
    record.completion_ns[row] - record.start_ns[row] - record.wait_ns[row] - erased * ERASE_NS
}

#[test]
fn a_write_in_place_erases_all_that_it_touches() {
    let whole = BLOCKS as i32;
    let requests = [
        (0, 100, 8, Op::Write),
        (2_000_000_000, BLOCKS, whole, Op::Write),
        (4_000_000_000, 2 * BLOCKS - 4, 8, Op::Write),
        (6_000_000_000, 100, 8, Op::Read),
    ];
    let outcome = run(&in_place(), &trace(&requests), "fcfs");
    let record = &outcome.record;
    // A mebibyte takes 13 ms at 76 MiB/s: once to read it, once to write it.
    let took = |row, erased| moving_ns(record, row, erased) as f64 * 1e-6;
    assert!(
        (26.0..29.0).contains(&took(0, 1)),
        "a partial write in place reads, erases and writes: {} ms",
        took(0, 1)
    );
    assert!((13.0..15.0).contains(&took(1, 1)), "a whole erase block is not read first: {} ms", took(1, 1));
    assert!((52.0..58.0).contains(&took(2, 2)), "a write to two erase blocks: {} ms", took(2, 2));
    assert!(took(3, 0) < 1.0, "a read: {} ms", took(3, 0));
    assert_eq!((count(&outcome, "erased_blocks"), record.switches[3]), (4.0, 0));
}

/// Blocks of an erase block that a write does not cover in full are copied before the erase block is erased.
#[test]
fn what_a_write_leaves_of_erase_blocks_is_copied() {
    // Blocks of two sectors.
    let blocks = format!("{SMALL}erase_management = \"in-place\"\ntips_per_block = 128\n");
    let device = params("osdi00-erase", &blocks);
    for (sector, sectors) in [
        (0, 2048),
        (0, 2047),
        (1, 2047),
        (1, 2046),
        (6, 1),
        (7, 1),
        (7, 2),
        (100, 4),
        (2047, 2),
        (1001, 5000),
    ] {
        let outcome = run(&device, &trace(&[(0, sector, sectors, Op::Write)]), "fcfs");
        let end = sector + i64::from(sectors);
        let touched = (end + BLOCKS - 1) / BLOCKS - sector / BLOCKS;
        let covered = (end / 2 - (sector + 1) / 2).max(0);
        let copied = count(&outcome, "copied_blocks");
        assert_eq!(copied, (touched * BLOCKS / 2 - covered) as f64, "{sectors} sectors from {sector} on");
    }
}

#[test]
fn a_log_hides_erasing_in_idle_time() {
    let plain = params("osdi00", "stroke_x_nm = 4000\noverhead_ms = 0.0\nbus_mb_per_s = 0.0\n");
    // A load of 128 kB/s fills an erase block every eight seconds: time enough to erase it.
    let requests = writes(2000, 512_000_000);
    let (hidden, rewritten) = (run(&log(8), &requests, "fcfs"), run(&plain, &requests, "fcfs"));
    assert!(count(&hidden, "erased_blocks") > 50.0);
    assert_eq!(count(&hidden, "cleaned_before_writes"), 0.0);
    let full = run(&log(2), &writes(2000, 0), "fcfs");
    // Each waiting request counts once, in any number of cleaning steps.
    let slow = full.record.switch_ns.iter().filter(|ns| **ns > 3_000_000).count();
    assert_eq!(count(&full, "cleaned_before_writes"), slow as f64);
    let longest = |outcome: &Outcome| responses(&outcome.record).into_iter().max().unwrap();
    // A request waits at most for a slice, or for one copy: 256 blocks read and written.
    let copy_ns = 2 * 4_000_000 + 2_000_000;
    assert!(longest(&hidden) <= longest(&rewritten) + SLICE_NS.max(copy_ns), "{} ns", longest(&hidden));
    let shown = run(&in_place(), &writes(20, 2_000_000_000), "fcfs");
    assert!(responses(&shown.record).into_iter().min().unwrap() > ERASE_NS);
}

#[test]
fn erasing_is_left_for_a_request_after_a_slice() {
    // The first writes leave an erase block with nothing in use; the read arrives while it is erased.
    let mut requests: Vec<_> = (0..17).map(|at| (at, at % 16 * 128, 128, Op::Write)).collect();
    requests.push((200_000_000, 50_000, 8, Op::Read));
    let record = run(&log(4), &trace(&requests), "fcfs").record;
    let wait_ns = *record.wait_ns.last().unwrap();
    assert!((1..=SLICE_NS).contains(&wait_ns), "{wait_ns} ns");
}

#[test]
fn a_log_that_is_full_shows_its_erasing() {
    let outcome = run(&log(2), &writes(2000, 1_000_000), "fcfs");
    assert!(count(&outcome, "cleaned_before_writes") > 0.0);
    assert!(responses(&outcome.record).into_iter().max().unwrap() > ERASE_NS);
}

#[test]
fn errors_name_impossible_values() {
    for (overrides, expected) in [
        ("erase_block_kib = 0", "erase_block_kib = 0: expected one or more whole blocks of 512 bytes"),
        (
            "erase_slice_ms = 4000.0",
            "erase_slice_ms = 4000: expected more than 0 and at most erase_ms = 3000 ms",
        ),
        ("erase_slice_ms = 0.0", "erase_slice_ms = 0: expected more than 0"),
        ("erase_power_mw = -1.0", "erase_power_mw = -1: must be a number from 0 to 1000000 mW"),
        ("erase_reserve_blocks = 1", "erase_reserve_blocks = 1: expected 2 or more, and fewer than the 205"),
        ("erase_management = \"none\"", "unknown erase_management"),
    ] {
        let error = load("osdi00-erase", overrides.parse().unwrap()).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let error = load("osdi00", "erase_ms = 10.0".parse().unwrap()).err().unwrap().to_string();
    assert!(error.contains("erase_ms needs erase_block_kib"), "{error}");
}

/// Time in s from the first arrival to the last completion.
fn span_s(outcome: &Outcome) -> f64 {
    let record = &outcome.record;
    let (begin, end) = (record.arrival_ns.iter().min().unwrap(), record.completion_ns.iter().max().unwrap());
    1e-9 * (end - begin) as f64
}

/// A device that erases also draws its other powers all the time: 50 mW for electronics, and 50 mW for seeking or for
/// holding the sled.
#[test]
fn a_device_that_erases_takes_all_other_power_too() {
    for (device, gap_ns) in [(log(8), 512_000_000), (log(2), 1_000_000), (in_place(), 2_000_000_000)] {
        let outcome = run(&device, &writes(400, gap_ns), "fcfs");
        let totals = &outcome.devices[0].totals;
        let beside_tips_j = totals.energy.total_j() - totals.energy.tips_j + totals.idle_energy.total_j();
        let expected_j = 0.1 * span_s(&outcome);
        assert!(
            (beside_tips_j / expected_j - 1.0).abs() < 1e-6,
            "energy besides the tips: {beside_tips_j} J, expected {expected_j} J"
        );
    }
    let tips_j = |erase_power: &str| {
        let device = format!("{SMALL}erase_management = \"in-place\"\nerase_power_mw = {erase_power}\n");
        let outcome = run(&params("osdi00-erase", &device), &writes(20, 2_000_000_000), "fcfs");
        (outcome.devices[0].totals.energy.tips_j, count(&outcome, "erased_blocks"))
    };
    let ((with, erased), (without, _)) = (tips_j("300.0"), tips_j("0.0"));
    assert!(((with - without) / (erased * 0.5 * 0.3) - 1.0).abs() < 1e-9);
}

/// A device in a slow-down cleans its log only after the request, which takes longer than the motion of the sled: the
/// device does one thing at a time, so that its power stays the same.
#[test]
fn a_device_that_is_slow_cleans_afterwards() {
    let slow = [parse("slow:at=1,ms=1e7,factor=20").expect("the episode is valid")];
    for (kind, gap_ns) in
        [("erase_reserve_blocks = 8\n", 512_000_000), ("erase_reserve_blocks = 2\n", 90_000_000)]
    {
        let spec = load("osdi00-erase", format!("{SMALL}{kind}").parse().unwrap()).unwrap();
        let system = System::device(spec, &Policy::parse("fcfs").unwrap(), None);
        let outcome = run_system(&system.with_episodes(&slow).unwrap(), &writes(400, gap_ns));
        assert!(count(&outcome, "erased_blocks") > 0.0);
        let totals = &outcome.devices[0].totals;
        let beside_tips_j = totals.energy.total_j() - totals.energy.tips_j + totals.idle_energy.total_j();
        let expected_j = 0.1 * span_s(&outcome);
        assert!(
            (beside_tips_j / expected_j - 1.0).abs() < 1e-6,
            "energy besides the tips: {beside_tips_j} J, expected {expected_j} J"
        );
    }
}

/// The device erases nothing while it processes a command (7 ms): another request that arrives meanwhile does not delay
/// the first. Before the command, it erases in the background in slices of 5 ms.
#[test]
fn nothing_is_erased_while_a_command_is_processed() {
    let device =
        format!("{SMALL}erase_reserve_blocks = 4\n").replace("overhead_ms = 0.0", "overhead_ms = 7.0");
    let device = params("osdi00-erase", &device);
    for at_ms in 200..205 {
        let mut requests: Vec<_> = (0..17).map(|at| (at, at % 16 * 128, 128, Op::Write)).collect();
        requests.push((at_ms * 1_000_000, 50_000, 8, Op::Read));
        let alone = run(&device, &trace(&requests), "fcfs").record;
        for after_ms in 1..7 {
            requests.push(((at_ms + after_ms) * 1_000_000, 50_000, 8, Op::Read));
            let followed = run(&device, &trace(&requests), "fcfs").record;
            assert_eq!(
                followed.completion_ns[17], alone.completion_ns[17],
                "{at_ms} ms, {after_ms} ms later"
            );
            requests.pop();
        }
    }
}

/// The time-out of the power policy starts when background erasing ends. The device erases for 0.5 s, and a request
/// arrives 0.5 s after that.
#[test]
fn idle_time_begins_when_erasing_is_over() {
    let rest = "electronics_power_mw = 20.0\nseek_power_mw = 30.0\nactuation_power_mw = 80.0\n\
        inactive_power_mw = 5.0\nstartup_ms = 500.0\nstartup_energy_mj = 0.01\nshutdown_energy_mj = 0.02\n";
    let mut requests: Vec<_> = (0..17).map(|at| (at, at % 16 * 128, 128, Op::Write)).collect();
    requests.push((1_040_000_000, 50_000, 8, Op::Read));
    let under = |policy: &str| {
        let policy = format!("erase_reserve_blocks = 4\npower_policy = \"{policy}\"\n");
        run(&params("osdi00-erase", &format!("{SMALL}{rest}{policy}")), &trace(&requests), "fcfs")
    };
    let ready = under("timeout:ms=800");
    assert_eq!(count(&ready, "erased_blocks"), 1.0);
    let (record, totals) = (&ready.record, &ready.devices[0].totals);
    assert_eq!(
        (record.wait_ns[17], record.startup_j[17]),
        (0, 0.0),
        "the time-out has not passed, so that no wake-up is needed"
    );
    let idle_s = totals.idle_energy.idle_j / 0.1;
    let busy_until = record.completion_ns[..17].iter().max().unwrap();
    assert!((idle_s + 0.5 + 1e-9 * *busy_until as f64 - 1.04).abs() < 1e-6, "{idle_s} s");
    let rested = under("timeout:ms=300");
    assert_eq!((rested.record.wait_ns[17], rested.record.startup_j[17]), (500_000_000, 10e-6));
    let idle = &rested.devices[0].totals.idle_energy;
    assert!((idle.idle_j - 0.1 * 0.3).abs() < 1e-12 && idle.inactive_j > 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A sled starts up as often as it goes to rest, also if erasing interrupts an idle time. For each use of energy,
    /// the energies of all intervals of time add up to the total.
    #[test]
    fn every_rest_has_its_start(
        reserve in 2_u64..6,
        asked in prop::collection::vec((0_i64..1_500_000_000, 0_i64..20_000, 1_i64..3000, any::<bool>()), 20..60),
        policy in prop::sample::select(vec!["immediate", "timeout:ms=20", "timeout:ms=300", "adaptive", "oracle"]),
    ) {
        let powers = format!(
            "electronics_power_mw = 0.0\nseek_power_mw = 0.0\nactuation_power_mw = 80.0\ninactive_power_mw = 5.0\n\
             startup_ms = 7.0\nstartup_energy_mj = 3.0\nshutdown_energy_mj = 1.0\npower_policy = \"{policy}\"\n"
        );
        let (mut at_ns, mut requests) = (0, Vec::new());
        for (gap_ns, lbn, blocks, write) in asked {
            at_ns += gap_ns;
            // Half of the writes are whole erase blocks, which are not read before they are erased.
            let [lbn, blocks] = if gap_ns % 2 == 0 { [lbn / BLOCKS * BLOCKS, BLOCKS] } else { [lbn, blocks] };
            requests.push((at_ns, lbn, blocks as i32, if write { Op::Write } else { Op::Read }));
        }
        for kind in [format!("erase_reserve_blocks = {reserve}\n"), "erase_management = \"in-place\"\n".to_owned()] {
            let device = params("osdi00-erase", &format!("{SMALL}{powers}{kind}"));
            let outcome = run(&device, &trace(&requests), "fcfs");
            let totals = &outcome.devices[0].totals;
            let (rests, starts) = (totals.idle_energy.shutdown_j / 1e-3, totals.energy.startup_j / 3e-3);
            prop_assert!((rests - starts).abs() < 1e-6, "{rests} rests, {starts} start-ups");
            for (number, (name, joules)) in outcome.devices[0].accounts().into_iter().enumerate() {
                let over_time_j: f64 = outcome.devices[0].over_time.of_use(number).sum();
                prop_assert!((over_time_j - joules).abs() <= 1e-9 * joules, "{name}: {over_time_j} J over time, {joules} J in total");
            }
        }
    }

    /// Runs are consistent for any requests and any number of free erase blocks: phases add up, services do not
    /// overlap, the energies of all requests add up to that of the device, and a second run gives the same record.
    #[test]
    fn runs_are_whole(
        reserve in 2_u64..6,
        gap_ns in 1_i64..400_000_000,
        asked in prop::collection::vec((0_i64..200_000, 1_i32..3000, any::<bool>()), 50..150),
        policy in prop::sample::select(vec!["fcfs", "sptf", "satf", "clook_lbn"]),
    ) {
        let request = |(at, (lbn, blocks, write)): (usize, &(i64, i32, bool))| {
            (at as i64 * gap_ns, *lbn, *blocks, if *write { Op::Write } else { Op::Read })
        };
        let requests = trace(&asked.iter().enumerate().map(request).collect::<Vec<_>>());
        for device in [log(reserve), in_place()] {
            let outcome = run(&device, &requests, policy);
            let record = &outcome.record;
            let mut served: Vec<(i64, i64)> = Vec::new();
            for row in 0..requests.len() {
                let phases = record.command_ns[row] + record.wait_ns[row] + record.positioning_ns[row]
                    + record.hold_ns[row] + record.switch_ns[row] + record.transfer_ns[row] + record.bus_ns[row];
                prop_assert_eq!(record.completion_ns[row] - record.start_ns[row], phases);
                served.push((record.start_ns[row], record.completion_ns[row]));
            }
            served.sort_unstable();
            prop_assert!(served.windows(2).all(|pair| pair[0].1 <= pair[1].0));
            let of_requests: f64 = record.energy_j.iter().sum();
            let of_device = outcome.devices[0].totals.energy.total_j();
            prop_assert!((of_requests / of_device - 1.0).abs() < 1e-9);
            prop_assert_eq!(&run(&device, &requests, policy).record, record);
        }
    }
}
