//! A run may hand over finished rows and remove them from memory; these rows equal those of a run that keeps all rows.

use std::ops::ControlFlow;

use sledsim::error::Result;
use sledsim::for_each_column;
use sledsim::record::{select, Phase, Record};
use sledsim::simulation::{Outcome, Simulation};
use sledsim::system::System;
use sledsim::time::Time;
use sledsim::trace::{Op, Trace};
use sledsim::workload::{Batch, PastEnd, Streamed};

use crate::stepped::device;
use crate::systems::{mixed, run_system, system};

/// Number of requests: enough that rows are removed several times.
const COUNT: usize = 150_000;
/// Least number of rows that a run removes at a time, except at its end.
const TAKEN: usize = 1 << 15;

fn batch(trace: &Trace, from: usize, to: usize) -> Batch {
    Batch {
        arrival_ns: trace.arrival_ns[from..to].to_vec(),
        lbn: trace.lbn[from..to].to_vec(),
        blocks: trace.blocks[from..to].to_vec(),
        kind: trace.op[from..to].iter().map(|op| u8::from(*op == Op::Write)).collect(),
        metadata: trace.metadata[from..to].to_vec(),
        device: trace.device[from..to].to_vec(),
    }
}

/// Runs a trace in batches of `rows` requests. Returns the outcome, the error at the end of the trace if any, and the
/// removed rows with the columns `columns`.
fn stream(
    system: &System,
    trace: &Trace,
    rows: usize,
    columns: &str,
    rule: PastEnd,
) -> (Outcome, Result<()>, Vec<Record>) {
    let mut from = 0;
    let mut next = || {
        let to = (from + rows).min(trace.len());
        let next = (from < to).then(|| batch(trace, from, to));
        from = to;
        Ok(next)
    };
    let sectors = system.build().expect("it can be made").sectors();
    let mut streamed = Streamed::new(&mut next, 1.0, rule).expect("it begins well").on(sectors);
    let devices = streamed.devices().len() as u32;
    let record = Record::new(select(columns).expect("they are known"), 0);
    let mut taken = Vec::new();
    let mut sink = |rows| {
        taken.push(rows);
        Ok(())
    };
    let observe = &mut |_| ControlFlow::Continue(());
    let simulation = Simulation::new(system, devices, record).expect("it can be made");
    let outcome = simulation.run(&mut streamed, observe, Some(&mut sink)).expect("nothing stops it");
    (outcome, streamed.end(), taken)
}

fn assert_same(what: &str, system: &System, trace: &Trace) {
    let whole = run_system(system, trace);
    let (streamed, end, taken) = stream(system, trace, 40_000, "all", PastEnd::Error);
    end.unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(taken.len() > 2, "{what}: rows are removed during the run");
    let few = |rows: &Record| rows.arrival_ns.len() < TAKEN;
    assert!(!taken[..taken.len() - 1].iter().any(few), "{what}: at least TAKEN rows are removed at a time");
    macro_rules! compare {
        ($($column:ident),*) => { $(
            let all: Vec<_> = taken.iter().flat_map(|rows| rows.$column.iter().copied()).collect();
            if !whole.record.$column.is_empty() {
                assert!(all == whole.record.$column, "{what}: {}", stringify!($column));
            }
            assert_eq!(all.len(), trace.len(), "{what}: {}", stringify!($column));
        )* };
    }
    for_each_column!(compare);
    let asked =
        |rows: &Record| rows.lbn.iter().zip(&rows.blocks).map(|(lbn, blocks)| (*lbn, *blocks)).collect();
    let asked: Vec<(i64, i32)> = taken.iter().flat_map(|rows| -> Vec<_> { asked(rows) }).collect();
    assert!(asked.into_iter().eq(trace.lbn.iter().copied().zip(trace.blocks.iter().copied())), "{what}");
    assert_eq!(streamed.totals.requests, trace.len() as u64);
    assert_eq!(streamed.totals.phases_ns, whole.totals.phases_ns, "{what}");
    assert_eq!(streamed.totals.arrivals, whole.totals.arrivals, "{what}");
    assert_eq!(streamed.devices[0].totals, whole.devices[0].totals, "{what}");
    let responses =
        whole.record.completion_ns.iter().zip(&whole.record.arrival_ns).map(|(end, start)| end - start);
    assert_eq!(streamed.totals.responses.max_ns() as i64, responses.clone().max().unwrap(), "{what}");
    assert_eq!(streamed.totals.responses.sum_ns() as i64, responses.sum::<i64>(), "{what}");
    let positioning: i64 = whole.record.positioning_ns.iter().sum();
    let mean_s = positioning as f64 * 1e-9 / trace.len() as f64;
    let found_s = streamed.totals.mean_s(Phase::Positioning);
    assert!(
        (found_s - mean_s).abs() <= 1e-12 * mean_s,
        "{what}: mean positioning {found_s} s, expected {mean_s} s"
    );
}

#[test]
fn rows_that_are_taken_are_those_of_a_run_that_keeps_them() {
    for (what, policy, rate_per_s) in
        [("osdi00", "fcfs", 800.0), ("osdi00", "sptf", 1500.0), ("disksim-g2", "clook_lbn", 500.0)]
    {
        let system = device(what, policy, None);
        let sectors = system.build().expect("it can be made").sectors();
        assert_same(what, &system, &mixed(sectors, rate_per_s, COUNT, 7));
    }
    for (volume, options) in [("raid5", "stripe_unit_kib = 8"), ("cache", "cache_mb = 1\nwrites = \"back\"")]
    {
        let system = system(volume, options, "fcfs");
        let sectors = system.build().expect("it can be made").sectors();
        assert_same(volume, &system, &mixed(sectors, 400.0, COUNT, 8));
    }
}

/// A saturated device keeps its waiting requests; all rows from the first waiting request on stay in the record.
#[test]
fn what_waits_long_is_kept_as_long() {
    let system = device("osdi00", "sptf", None);
    let sectors = system.build().expect("it can be made").sectors();
    assert_same("overload", &system, &mixed(sectors, 5000.0, COUNT, 9));
}

#[test]
fn devices_keep_their_order_whatever_their_numbers() {
    let system = device("osdi00", "fcfs", None);
    let mut trace = mixed(60_000, 800.0, COUNT, 3);
    trace.device = (0..COUNT as i32).map(|row| row * 7 % 3).collect();
    let whole = run_system(&system, &trace);
    trace.device.iter_mut().for_each(|device| *device = *device * 10 + 5);
    let (_, end, taken) = stream(&system, &trace, 1000, "times,served_by,device", PastEnd::Error);
    end.unwrap();
    let column =
        |of: fn(&Record) -> &[i64]| taken.iter().flat_map(|rows| of(rows).to_vec()).collect::<Vec<_>>();
    assert_eq!(column(|rows| &rows.completion_ns), whole.record.completion_ns);
    assert!(taken.iter().all(|rows| rows.energy_j.is_empty() && rows.lbn.is_empty()));
    let numbers = taken.iter().flat_map(|rows| rows.device.iter().copied());
    assert!(numbers.eq((0..COUNT as i32).map(|row| row * 7 % 3)), "the record numbers devices from 0");
}

#[test]
fn what_is_wrong_with_a_trace_ends_it_and_is_named() {
    let system = device("osdi00", "fcfs", None);
    let sectors = system.build().expect("it can be made").sectors() as i64;
    let fault = |change: &dyn Fn(&mut Trace)| {
        let mut trace = mixed(60_000, 800.0, 3000, 3);
        change(&mut trace);
        let (outcome, end, taken) = stream(&system, &trace, 1000, "none", PastEnd::Error);
        let complete = taken.iter().map(|rows| rows.completion_ns.len() as u64).sum::<u64>();
        assert_eq!(complete, outcome.totals.requests);
        end.unwrap_err().to_string()
    };
    let found = fault(&|trace| trace.lbn[2500] = sectors);
    assert!(found.starts_with(&format!("request 2500: LBN {sectors} + ")), "{found}");
    assert!(found.contains("wrap or squeeze the addresses, or add sleds"), "{found}");
    let found = fault(&|trace| trace.device[1500] = 1);
    assert!(found.starts_with("request 1500: device 1 has no request in the first batch"), "{found}");
    let found = fault(&|trace| trace.arrival_ns[2000] = 0);
    assert!(found.starts_with("request 2000: expected ascending arrival times of at least 0 ns"), "{found}");
    let found = fault(&|trace| trace.blocks[1001] = 0);
    assert_eq!(found, "request 1001: expected at least 1 block, found 0");
}

#[test]
fn addresses_past_the_end_are_wrapped_as_in_memory() {
    let system = device("osdi00", "fcfs", None);
    let sectors = system.build().expect("it can be made").sectors();
    let mut trace = mixed(60_000, 800.0, 3000, 3);
    trace.lbn[5] = sectors as i64 + 17;
    trace.lbn[2999] = sectors as i64 - 1;
    let (_, end, taken) = stream(&system, &trace, 1000, "lbn", PastEnd::Wrap);
    end.unwrap();
    let lbn: Vec<i64> = taken.iter().flat_map(|rows| rows.lbn.clone()).collect();
    assert_eq!(lbn[5], 17);
    assert_eq!(lbn[2999], sectors as i64 - i64::from(trace.blocks[2999]));
    assert!(taken.iter().all(|rows| rows.arrival_ns.iter().all(|ns| Time(*ns as u64) < Time::LATEST)));
}
