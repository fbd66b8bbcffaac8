//! Tests of workloads that are fitted to traces: what a fit keeps, its file, and its errors.

use proptest::prelude::*;
use sledsim::trace::{Op, Trace, TraceRow};
use sledsim::workload::{FittedWorkload, Generator, WorkloadFit};

const CAPACITY: u64 = 6_750_000;

fn fit(trace: &Trace) -> FittedWorkload {
    let mut fit = WorkloadFit::default();
    fit.add(trace).expect("it is a trace");
    fit.finish("test").expect("it has requests")
}

fn generated(text: &str) -> Trace {
    Generator::parse(text).and_then(|generator| generator.draw(CAPACITY)).expect("there is such a workload")
}

fn drawn(fitted: &FittedWorkload, options: &str, capacity: u64) -> Trace {
    fitted.draw(options, capacity).expect("it can be drawn").0
}

fn requests() -> impl Strategy<Value = Vec<TraceRow>> {
    let op = prop::sample::select(vec![Op::Read, Op::Read, Op::Write, Op::Write, Op::Discard, Op::Flush]);
    let interval = prop_oneof![Just(0_i64), 0..2_000_000_i64, 0..1_000_000_000_000_i64];
    let lbn = prop_oneof![0..100_i64, 0..1_i64 << 44];
    let row =
        (interval, lbn, prop_oneof![1..20_i32, 1..1_000_000_i32], op, any::<bool>(), any::<u8>(), 0..4_u8);
    prop::collection::vec(row, 2..300).prop_map(|rows| {
        let mut arrival_ns = 0;
        let request = |(interval_ns, lbn, blocks, op, metadata, class, flags)| {
            arrival_ns += interval_ns;
            TraceRow { arrival_ns, lbn, blocks, op, metadata, class, flags, ..TraceRow::default() }
        };
        rows.into_iter().map(request).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_trace_can_be_fitted_and_drawn(
        requests in requests(),
        capacity in prop_oneof![1..200_u64, 1..1_u64 << 46],
        count in 1..400_usize,
        seed: u64,
    ) {
        let mut trace = Trace::default();
        requests.iter().for_each(|request| trace.push(*request));
        let moved = requests.iter().filter(|request| request.op.moves_data()).count();
        let mut learning = WorkloadFit::default();
        // Two batches give the same fit as one.
        let half = requests.len() / 2;
        for part in [0..half, half..requests.len()] {
            let mut batch = Trace::default();
            batch.extend_from(&trace, part);
            learning.add(&batch).unwrap();
        }
        let Ok(fitted) = learning.finish("test") else {
            prop_assert!(moved < 2);
            return Ok(());
        };
        prop_assert_eq!(&fitted, &fit(&trace));
        prop_assert_eq!(&FittedWorkload::parse(&fitted.text(), "again").unwrap(), &fitted);
        prop_assert_eq!(fitted.requests, moved as u64);
        let found = drawn(&fitted, &format!("count={count},seed={seed}"), capacity);
        prop_assert!(found.arrival_ns[0] >= 0 && found.arrival_ns.is_sorted());
        let mut moving = 0;
        for row in 0..found.len() {
            if found.op[row] == Op::Flush {
                prop_assert!(row > 0 && found.op[row - 1].moves_data());
                continue;
            }
            let (lbn, blocks) = (found.lbn[row], found.blocks[row]);
            prop_assert!(lbn >= 0 && blocks >= 1 && (lbn + i64::from(blocks)) as u64 <= capacity);
            prop_assert!(found.op[row].moves_data());
            moving += 1;
        }
        prop_assert_eq!(moving, count);
    }

    #[test]
    fn a_damaged_file_is_no_panic(at in 0..4000_usize, byte: u8, length in 0..9_usize) {
        let mut text = fit(&generated("mixture:rate=100,count=200")).text().into_bytes();
        let at = at % text.len();
        let end = (at + length).min(text.len());
        text.splice(at..end, [byte]);
        if let Ok(fitted) = FittedWorkload::parse(&String::from_utf8_lossy(&text), "damaged") {
            let _ = fitted.draw("count=50", CAPACITY);
        }
    }
}

/// Asserts that a share of the requests has the same value in the trace and in the drawn requests, up to four standard
/// errors of the difference of two independent samples.
#[track_caller]
fn assert_kept(trace: &Trace, found: &Trace, share: impl Fn(&Trace) -> f64) {
    let (recorded, drawn) = (share(trace), share(found));
    let error = (2.0 * recorded * (1.0 - recorded) / trace.len() as f64).sqrt();
    assert!(
        (recorded - drawn).abs() <= 4.0 * error,
        "share {recorded} in the trace, {drawn} in the drawn requests"
    );
}

fn reads(trace: &Trace) -> f64 {
    trace.op.iter().filter(|op| **op == Op::Read).count() as f64 / trace.len() as f64
}

fn sequential(trace: &Trace) -> f64 {
    let end = |row: usize| trace.lbn[row] + i64::from(trace.blocks[row]);
    (1..trace.len()).filter(|row| trace.lbn[*row] == end(row - 1)).count() as f64 / trace.len() as f64
}

#[test]
fn reads_and_sequentiality_of_generators_are_kept() {
    for text in [
        "stream:rate=200,reads=0.3",
        "stream:rate=200,sequentiality=0.005",
        "zipf:rate=200,reads=0.8,theta=1",
    ] {
        let trace = generated(&format!("{text},count=20000"));
        let found = drawn(&fit(&trace), "", CAPACITY);
        assert_eq!(found.len(), trace.len());
        assert_kept(&trace, &found, reads);
        assert_kept(&trace, &found, sequential);
    }
}

#[test]
fn sizes_are_kept_one_by_one() {
    let trace = generated("random:rate=200,count=20000,size_bytes=2048");
    let found = drawn(&fit(&trace), "", CAPACITY);
    for blocks in [1, 2, 4, 8, 16] {
        assert_kept(&trace, &found, |of| {
            of.blocks.iter().filter(|at| **at <= blocks).count() as f64 / of.len() as f64
        });
    }
}

#[test]
fn the_rate_is_that_of_the_trace_or_the_one_asked_for() {
    let fitted = fit(&generated("random:rate=250,count=4000,arrivals=bursts"));
    let span_s = |options: &str, capacity| {
        let trace = drawn(&fitted, options, capacity);
        trace.arrival_ns[trace.len() - 1] as f64 * 1e-9
    };
    let recorded = generated("random:rate=250,count=4000,arrivals=bursts").arrival_ns;
    let recorded_s = (recorded[3999] - recorded[0]) as f64 * 1e-9;
    assert!((span_s("", CAPACITY) * 3999.0 / 4000.0 - recorded_s).abs() < 1e-6);
    assert!((span_s("rate=1000,count=3000", 1000) - 3.0).abs() < 1e-6);
}

#[test]
fn requests_that_come_at_once_have_no_rate() {
    let fitted = fit(&generated("random:count=100,arrivals=asap"));
    assert!(drawn(&fitted, "", CAPACITY).arrival_ns.iter().all(|at| *at == 0));
    let fault = fitted.draw("rate=5", CAPACITY).unwrap_err().to_string();
    assert!(
        fault.starts_with(
            "fitted: rate = 5: expected no value, because all requests of the trace arrive at the same time;"
        ),
        "{fault}"
    );
    assert!(fitted.draw("rate=5,arrivals=poisson", CAPACITY).is_ok());
}

#[test]
fn what_cannot_be_fitted_is_named() {
    let one = generated("random:rate=1,count=1");
    let mut learning = WorkloadFit::default();
    let fault = |learning: &WorkloadFit| learning.finish("mine").unwrap_err().to_string();
    assert_eq!(fault(&learning), "mine: expected at least two reads or writes in the trace, found 0");
    learning.add(&one).unwrap();
    assert_eq!(fault(&learning), "mine: expected at least two reads or writes in the trace, found 1");
    let mut early = one.clone();
    early.arrival_ns[0] -= 1;
    let order = learning.add(&early).unwrap_err().to_string();
    assert!(order.starts_with("request 1: expected an arrival at or after"), "{order}");
}

#[test]
fn what_moves_no_data_is_counted_by_its_kind() {
    let mut trace = Trace::default();
    for op in [Op::Read, Op::Discard, Op::Flush, Op::Flush, Op::Discard, Op::Flush, Op::Write] {
        trace.push(TraceRow { op, blocks: 8, ..TraceRow::default() });
    }
    let text = fit(&trace).text();
    assert!(text.contains("requests = 2\n"), "{text}");
    assert!(text.contains("flushes = 1\nflush_after_ns = [0]\n"), "{text}");
    assert!(text.contains("discards_left_out = 2\nflushes_left_out = 2\n"), "{text}");
}

/// A trace whose requests all access one block can be fitted, and all drawn requests access this block.
#[test]
fn a_trace_of_one_block_can_be_drawn() {
    let mut trace = Trace::default();
    for op in [Op::Read, Op::Write, Op::Write, Op::Read] {
        trace.push(TraceRow { op, blocks: 1, ..TraceRow::default() });
    }
    let fitted = fit(&trace);
    for seed in 1..20 {
        let found = drawn(&fitted, &format!("count=40,seed={seed}"), 1);
        assert!(found.lbn.iter().all(|lbn| *lbn == 0) && found.blocks.iter().all(|blocks| *blocks == 1));
    }
}

#[test]
fn what_is_no_such_file_is_named() {
    let good = fit(&generated("random:rate=100,count=100")).text();
    let fault = |text: &str| FittedWorkload::parse(text, "my.toml").unwrap_err().to_string();
    assert!(fault("name = \"osdi00\"").starts_with(
        "my.toml:1: expected a file that `sledsim trace fit` has written: unknown field `name`"
    ));
    assert!(fault("").contains("missing field `fitted_workload`"));
    let changed = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        fault(&good.replacen(from, to, 1))
    };
    assert!(changed("fitted_workload = 1", "fitted_workload = 2")
        .ends_with("my.toml: fitted_workload: expected 1, found 2"));
    assert!(changed("requests = 100", "requests = -1").contains("expected u64"));
    assert!(changed("class = 0", "class = 0\nclas = 1").contains("unknown field `clas`"));
    assert!(changed("others = 0", "others = 3")
        .contains("sizes.others_blocks: expected at least one value, found an empty list"));
    assert!(changed("block_requests = 1", "block_requests = 3").contains("expected a power of two"));
    assert!(changed("near_blocks = [", "near_blocks = [5, 4, ")
        .contains("near_blocks: expected ascending values, found 5 before 4"));
}

#[test]
fn same_seed_same_requests() {
    let fitted = fit(&generated("mixture:rate=100,count=2000"));
    assert_eq!(drawn(&fitted, "seed=3", CAPACITY), drawn(&fitted, "seed=3", CAPACITY));
    assert_ne!(drawn(&fitted, "seed=3", CAPACITY), drawn(&fitted, "seed=4", CAPACITY));
    let (_, name, seed) = fitted.draw("seed=3,rate=5e1", CAPACITY).unwrap();
    assert_eq!((name.as_str(), seed), ("fitted:rate=50,count=recorded,seed=3", 3));
}

#[test]
fn a_trace_of_a_single_block_can_be_fitted_and_drawn() {
    let mut trace = Trace::default();
    for arrival_ns in [0, 5, 20, 1000] {
        trace.push(TraceRow { arrival_ns, lbn: 0, blocks: 1, ..TraceRow::default() });
    }
    let fitted = fit(&trace);
    assert_eq!(fitted.end_block(), 1);
    let again = FittedWorkload::parse(&fitted.text(), "again").expect("it is as it was written");
    let found = drawn(&again, "count=50", 1);
    assert_eq!((found.lbn, found.blocks), (vec![0; 50], vec![1; 50]));
}
