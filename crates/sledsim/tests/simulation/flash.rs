//! A flash card in whole runs: its phases, its erase blocks, and its sleep.

use proptest::prelude::*;
use sledsim::device::{build, Device};
use sledsim::device::{load, load_flash};
use sledsim::record::Record;
use sledsim::request::{Op, Request};
use sledsim::sched::SCHEDULERS;
use sledsim::time::Time;
use sledsim::trace::{self, Trace};

use crate::support::{params, run, workload};

/// Parameters of a card with erase blocks of 128 KiB, two of which are open for writing, and without a wake-up time.
const ERASE_BLOCKS: &str = "erase_block_kib = 128\nopen_blocks = 2\nwake_ms = 0.0";
const BLOCKS: u64 = 256;

fn card(overrides: &str) -> Box<dyn Device> {
    build(&params("cf-card", overrides), 1).expect("the card is valid").remove(0)
}

/// Time in seconds to copy a sector: to read it and to write it.
fn copy_s() -> f64 {
    let p = load_flash("cf-card");
    512e-6 / p.read_mb_per_s + 512e-6 / p.write_mb_per_s
}

fn served_ns(record: &Record) -> i64 {
    record.start_ns.iter().zip(&record.completion_ns).map(|(start, end)| end - start).sum()
}

/// Numbers of the requests in the order of service.
fn in_order_of_service(record: &Record) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..record.start_ns.len()).collect();
    rows.sort_unstable_by_key(|row| record.start_ns[*row]);
    rows
}

#[test]
fn a_request_takes_its_latency_and_its_transfer() {
    let mut card = card("read_latency_ms = 0.2\nwrite_latency_ms = 0.5\nread_mb_per_s = 20.0");
    for (op, expected_ns) in [(Op::Read, 200_000 + 40 * 25_600), (Op::Write, 500_000 + 40 * 51_200)] {
        let request = Request::new(0, 1000, 40, op);
        assert_eq!(card.access(Time(0), &request).0, expected_ns);
        let service = card.serve(Time(0), &request);
        assert_eq!(service.total().0, expected_ns);
        assert!((service.energy.total_j() / (0.150 * expected_ns as f64 * 1e-9) - 1.0).abs() < 1e-12);
        card.begin(Time(0));
    }
}

/// A card without a request for 5 ms becomes inactive; the next request waits until it is awake. Of three requests,
/// only the last one comes after such a time-out.
#[test]
fn it_sleeps_after_a_time_out() {
    let mut trace = Trace::default();
    for arrival_ns in [0, 4_000_000, 1_000_000_000] {
        trace.push(trace::TraceRow { arrival_ns, lbn: 0, blocks: 1, ..trace::TraceRow::default() });
    }
    let outcome = run(&params("cf-card", ""), &trace, "fcfs");
    assert_eq!(outcome.record.wait_ns, [0, 0, 100_000]);
    let idle_ns = |row: usize| outcome.record.start_ns[row] - outcome.record.completion_ns[row - 1];
    let expected_j =
        (0.050 * (idle_ns(1) + 5_000_000) as f64 + 0.005 * (idle_ns(2) - 5_000_000) as f64) * 1e-9;
    assert!((outcome.idle_energy_j() / expected_j - 1.0).abs() < 1e-9);
}

/// A card with a time-out of 0 becomes inactive as soon as no request waits, but not between two waiting requests.
#[test]
fn requests_that_wait_find_it_awake() {
    let mut trace = workload(&params("cf-card", ""), 100.0, 200, 3);
    trace.arrival_ns.fill(7);
    let record = run(&params("cf-card", "inactive_after_ms = 0.0"), &trace, "sptf").record;
    assert!(record.wait_ns.iter().all(|ns| *ns == 0));
}

/// The total service time of a card without erase blocks does not depend on the order of the requests, and no request
/// is nearer than another.
#[test]
fn any_order_costs_the_same() {
    let params = params("cf-card", "wake_ms = 0.0");
    let trace = workload(&params, 1000.0, 500, 5);
    let fcfs = run(&params, &trace, "fcfs").record;
    for row in SCHEDULERS.rows() {
        assert_eq!(served_ns(&run(&params, &trace, row.name).record), served_ns(&fcfs), "{}", row.name);
    }
    let by_place = run(&params, &trace, "sstf_cyl").record;
    assert_eq!(by_place, fcfs, "equal requests are served in the order in which they came");
}

/// SPTF on a card prefers writes that continue where an earlier write ended, so that few erase blocks have to be
/// closed.
#[test]
fn sptf_writes_on_where_it_has_written() {
    let mut trace = Trace::default();
    // Four streams of writes, mixed, all waiting at once.
    for at in 0..200_i64 {
        let lbn = at % 4 * 100 * BLOCKS as i64 + at / 4 * 4;
        trace.push(trace::TraceRow { lbn, blocks: 4, op: trace::Op::Write, ..trace::TraceRow::default() });
    }
    let params = params("cf-card", ERASE_BLOCKS);
    let [fcfs, sptf] = ["fcfs", "sptf"].map(|policy| run(&params, &trace, policy).record);
    let switches = |record: &Record| record.switches.iter().sum::<u32>();
    assert_eq!(
        (switches(&fcfs), switches(&sptf)),
        (198, 2),
        "every write that finds no open erase block closes one"
    );
    assert!(served_ns(&sptf) < served_ns(&fcfs) / 5);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Positioning and access times that the card predicts for a request equal those of its service, in any state of
    /// the card.
    #[test]
    fn a_request_takes_the_predicted_time(
        requests in prop::collection::vec((0..6000_u64, 1..600_u32, any::<bool>(), 0..20_000_000_u64), 1..60),
        kib in prop::sample::select(vec![0, 4, 128]),
    ) {
        let mut card = card(&format!("erase_block_kib = {kib}"));
        let mut now = Time(0);
        for (lbn, blocks, write, idle_ns) in requests {
            let request = Request::new(0, lbn, blocks, if write { Op::Write } else { Op::Read });
            let (positioning, access) = (card.positioning(now, &request), card.access(now, &request));
            let service = card.serve(now, &request);
            // Making room for the first block is a part of making room; it is rounded separately.
            let before = service.command + service.wait + service.switching;
            prop_assert!(service.command + service.wait <= positioning && positioning.0 <= before.0 + 1);
            prop_assert_eq!(access, service.total());
            now = Time(now.0 + service.total().0 + idle_ns);
        }
    }

    /// The sectors written and copied fill all closed erase blocks exactly; the rest lie in the two open ones, under
    /// any policy.
    #[test]
    fn sectors_are_written_or_copied(seed in any::<u64>(), policy in 0..SCHEDULERS.rows().len()) {
        let params = params("cf-card", ERASE_BLOCKS);
        let mut trace = workload(&params, 1000.0, 200, seed);
        trace.lbn.iter_mut().for_each(|lbn| *lbn %= 5000);
        let record = run(&params, &trace, SCHEDULERS.rows()[policy].name).record;
        let (mut filled, mut closed) = (0.0, 0.0);
        for row in in_order_of_service(&record) {
            if trace.op[row] == trace::Op::Read {
                prop_assert_eq!(record.switches[row], 0);
                continue;
            }
            let closings = f64::from(record.switches[row]);
            closed += closings;
            let copied = (record.switch_ns[row] as f64 * 1e-9 - closings * 2e-3) / copy_s();
            prop_assert!((copied - copied.round()).abs() < 1e-3 && copied > -0.5);
            filled += f64::from(trace.blocks[row]) + copied.round();
            let open = filled - closed * BLOCKS as f64;
            prop_assert!((0.0..2.0 * BLOCKS as f64).contains(&open), "{open} sectors in two open blocks");
        }
    }
}

#[test]
fn impossible_values_are_refused() {
    for (overrides, said) in [
        ("read_mb_per_s = 0.0", "read_mb_per_s = 0: must be a number from 0.001 to 1000000 MB/s"),
        ("write_mb_per_s = -1.0", "write_mb_per_s = -1: must be a number from 0.001 to 1000000 MB/s"),
        ("read_latency_ms = nan", "read_latency_ms = NaN: must be a number from 0 to 1000 ms"),
        ("inactive_after_ms = -5.0", "inactive_after_ms = -5: must be a number from 0 to 1000000000000 ms"),
        ("idle_power_mw = inf", "idle_power_mw = inf: must be a number from 0 to 1000000 mW"),
        ("block_count = 7", "block_count = 7: must be a whole number from 8 to 1125899906842624"),
        ("open_blocks = 0", "open_blocks = 0: must be a whole number from 1 to 1024"),
        (
            "erase_block_kib = 96",
            "erase_block_kib = 96: expected a divisor of the card's size, but block_count = 4194304 is not a multiple of 192 blocks \
             of 512 bytes",
        ),
        (
            "erase_block_kib = 524288",
            "open_blocks = 4: expected fewer than the card's 4 erase blocks of 524288 KiB",
        ),
    ] {
        let error = load("cf-card", overrides.parse().unwrap()).unwrap_err().to_string();
        assert_eq!(error, format!("cf-card: {said}"));
    }
    for (key, near) in [("read_mb_s", "read_mb_per_s"), ("erase_block_kb", "erase_block_kib")] {
        let error = load("cf-card", format!("{key} = 1").parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(&format!("unknown key `{key}`: did you mean `{near}`?")), "{error}");
    }
}

/// Every key of the card's file has a source: from the paper, calibrated or assumed.
#[test]
fn every_figure_says_where_it_comes_from() {
    let spec = load("cf-card", toml::Table::new()).unwrap();
    for (key, source) in &spec.said.source {
        let said = ["from the paper: ", "calibrated: ", "assumed: "];
        assert!(key == "description" || said.iter().any(|word| source.starts_with(word)), "{key}: {source}");
    }
}
