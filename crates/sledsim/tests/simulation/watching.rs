//! Watched requests: their reported events agree with the record, and watching does not change the run.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use proptest::prelude::*;
use sledsim::device::{load, BUILTIN_DEVICES};
use sledsim::record::Record;
use sledsim::sched::Policy;
use sledsim::simulation::{Cause, Simulation, Watched, WatchedPart};
use sledsim::station::Decision;
use sledsim::system::System;
use sledsim::time::{Span, Time};
use sledsim::trace::{Op, Trace, TraceRow};
use sledsim::workload::{Columns, PastEnd, Replay, Workload};

use crate::stepped::device;
use crate::support::{params, workload};
use crate::systems::{mixed, run_system, system, KINDS};

/// Runs a trace and watches every tenth request. Returns the events of these requests, the decisions while they waited,
/// and the record.
fn watched(system: &System, trace: &Trace) -> (Watched, Vec<Decision>, Record) {
    let columns = Columns::of(trace);
    let sectors = system.build().expect("it can be made").sectors();
    let mut simulation =
        Simulation::new(system, columns.devices(), Record::default()).expect("it can be made");
    simulation.watch((0..trace.lbn.len() as u32).step_by(10)).expect("it has not begun");
    let mut replay = Replay::new(columns, 1.0, sectors, PastEnd::Error).expect("the trace fits");
    while let Some(arrival) = replay.next() {
        simulation.submit(&arrival).expect("it is on the device");
    }
    simulation.drain(&mut |_| ControlFlow::Continue(())).expect("nothing stops it");
    let seen = simulation.watched().expect("it is watched");
    let decisions =
        simulation.stations().iter().flat_map(|(_, station)| station.decisions().to_vec()).collect();
    (seen, decisions, simulation.into_outcome().record)
}

/// Checks that hold for every system: watching changes nothing, events agree with the record, waits lead back to the
/// arrival without a gap, and each decision against a watched request is reported.
fn check(what: &str, system: &System, trace: &Trace) -> (Watched, Vec<Decision>, Record) {
    let (seen, decisions, record) = watched(system, trace);
    assert!(record == run_system(system, trace).record, "{what}: watching does not change the record");
    assert_eq!(seen.ends.len(), trace.lbn.len().div_ceil(10), "{what}");
    let parts: BTreeMap<u32, &WatchedPart> = seen.parts.iter().map(|part| (part.number, part)).collect();
    for end in &seen.ends {
        let at = end.row as usize;
        let times = [record.arrival_ns[at], record.completion_ns[at]].map(|ns| Time(ns as u64));
        assert_eq!([end.arrival, end.completion], times, "{what}: row {at}");
        // The waits of a request lead back to its arrival without a gap.
        let (mut cause, mut until) = (end.cause, end.completion);
        while let (Cause::Part(number), true) = (cause.0, cause.1 > end.arrival) {
            assert!(cause.1 <= until, "{what}: row {at}");
            let part = parts[&number];
            assert_eq!(part.left, Some(cause.1), "{what}: row {at}");
            assert!(part.sent <= part.entered && part.entered <= part.ready, "{what}: row {at}");
            assert!(Some(part.ready) <= part.start && part.start <= part.left, "{what}: row {at}");
            (cause, until) = (part.cause, part.sent);
        }
        assert!(cause.1 <= until || cause.1 <= end.arrival, "{what}: row {at}");
    }
    for decision in &decisions {
        let [chosen, other] = [decision.chosen, decision.watched].map(|number| parts[&number]);
        assert_eq!(chosen.start, Some(decision.at), "{what}");
        assert!(other.ready <= decision.at && other.start > Some(decision.at), "{what}");
        assert!(decision.waiting >= 2, "{what}");
    }
    // A choice is noted whenever a part of a followed request had to wait for another.
    let noted: BTreeSet<_> = decisions.iter().map(|decision| (decision.chosen, decision.watched)).collect();
    for part in seen.parts.iter().filter(|part| part.row.is_some_and(|row| row.is_multiple_of(10))) {
        let is_passed_over = |other: &&WatchedPart| {
            let waits = Some(part.ready) < other.start && other.start < part.start;
            other.device == part.device && waits
        };
        for other in seen.parts.iter().filter(is_passed_over) {
            assert!(noted.contains(&(other.number, part.number)), "{what}: {other:?} before {part:?}");
        }
    }
    (seen, decisions, record)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A request on a single device has one part, the request itself, whose phases are those of the record.
    #[test]
    fn a_part_is_the_request(seed in any::<u64>(), number in 0..BUILTIN_DEVICES.len(), rate in 20.0..3000.0_f64) {
        let name = BUILTIN_DEVICES[number].0;
        let trace = workload(&params(name, ""), rate, 300, seed);
        let (seen, _, record) = check(name, &device(name, "sptf", None), &trace);
        for part in &seen.parts {
            let at = part.number as usize;
            prop_assert_eq!(part.row, Some(part.number));
            prop_assert_eq!(part.sent, Time(record.arrival_ns[at] as u64));
            prop_assert_eq!(part.start, Some(Time(record.start_ns[at] as u64)));
            prop_assert_eq!((part.ready - part.entered).0 as i64, record.overhead_ns[at]);
            prop_assert_eq!(part.service.positioning.0 as i64, record.positioning_ns[at]);
            prop_assert_eq!(part.left, Some(Time(record.completion_ns[at] as u64)));
        }
        for end in &seen.ends {
            prop_assert_eq!(end.cause, (Cause::Part(end.row), end.completion));
        }
    }

    /// SPTF never serves a request while a watched one with a shorter positioning time, by the device's own prediction,
    /// waits.
    #[test]
    fn sptf_chooses_what_is_nearest(seed in any::<u64>(), rate in 800.0..3000.0_f64) {
        let trace = workload(&params("osdi00", ""), rate, 300, seed);
        let (seen, decisions, _) = check("sptf", &device("osdi00", "sptf", None), &trace);
        let parts: BTreeMap<u32, &WatchedPart> = seen.parts.iter().map(|part| (part.number, part)).collect();
        for decision in decisions {
            prop_assert!(decision.chosen_costs.positioning <= decision.watched_costs.positioning);
            // The service took the predicted time.
            let service = parts[&decision.chosen].service;
            prop_assert!(service.positioning <= decision.chosen_costs.positioning);
            prop_assert!(decision.chosen_costs.positioning <= service.positioning + service.hold);
        }
    }

    #[test]
    fn on_every_volume(seed in any::<u64>(), rate in 50.0..1000.0_f64) {
        for (kind, options) in KINDS.iter() {
            let system = system(kind, options, "sptf");
            let sectors = system.build().expect("it can be made").sectors();
            check(&format!("{kind} {options}"), &system, &mixed(sectors, rate, 300, seed));
        }
    }
}

/// Each decision while a watched request waits is reported. The watched one is the last of four; the first of them
/// finds the device idle, so that no decision was needed.
#[test]
fn each_choice_while_a_watched_one_waits_is_noted() {
    let mut trace = Trace::default();
    for lbn in [0, 100_000, 200_000, 3_000_000] {
        trace.push(TraceRow { lbn, blocks: 8, ..TraceRow::default() });
    }
    let mut simulation =
        Simulation::new(&device("osdi00", "fcfs+deadline:after_ms=1000", None), 1, Record::default())
            .expect("it can be made");
    simulation.watch([3]).expect("it has not begun");
    let mut replay = Replay::new(Columns::of(&trace), 1.0, u64::MAX, PastEnd::Error).expect("the trace fits");
    while let Some(arrival) = replay.next() {
        simulation.submit(&arrival).expect("it is on the device");
    }
    simulation.drain(&mut |_| ControlFlow::Continue(())).expect("nothing stops it");
    let (_, station) = simulation.stations()[0];
    let noted =
        station.decisions().iter().map(|decision| (decision.chosen, decision.watched, decision.waiting));
    assert_eq!(noted.collect::<Vec<_>>(), [(1, 3, 3), (2, 3, 2)]);
}

/// A request answered from the memory of a cache has as its cause the time of the decision, one hit time before the
/// answer; events in between are not the cause of its wait.
#[test]
fn a_late_answer_has_the_cause_of_its_decision() {
    const HIT: Span = Span(3_000_000);
    for writes in ["through", "back"] {
        let cache = system("cache", &format!("cache_mb = 1\nhit_us = 3000\nwrites = \"{writes}\""), "sptf");
        let trace = mixed(4000, 400.0, 1000, 5);
        let (seen, _, record) = check(writes, &cache, &trace);
        let mut late = 0;
        for end in &seen.ends {
            let lasts = end.completion - end.cause.1;
            assert!([Span::ZERO, HIT].contains(&lasts), "{writes}: row {} after {lasts:?}", end.row);
            late += u32::from(lasts == HIT);
            if record.parts[end.row as usize] == 0 {
                assert_eq!(lasts, HIT, "{writes}: row {}", end.row);
            }
        }
        assert!(late > 10, "{writes}: {late} of {} are answered from memory", seen.ends.len());
    }
}

#[test]
fn requests_are_watched_from_the_beginning() {
    let system = device("osdi00", "fcfs", None);
    let mut simulation = Simulation::new(&system, 1, Record::default()).expect("it can be made");
    assert!(simulation.watched().is_none());
    let trace = workload(&params("osdi00", ""), 100.0, 1, 1);
    let mut replay = Replay::new(Columns::of(&trace), 1.0, u64::MAX, PastEnd::Error).expect("the trace fits");
    simulation.submit(&replay.next().expect("there is one")).expect("it is on the device");
    let error = simulation.watch([0]).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "expected a new simulation whose requests can be followed, found a simulation that has begun"
        ),
        "{error}"
    );
}

/// The data of a completed read cross the bus after the data of a write that arrived meanwhile: the record has this
/// wait as `bus_wait`.
#[test]
fn a_read_waits_for_the_data_of_others_on_the_bus() {
    const BLOCK: Span = Span(512_000);
    let overrides = "bus_mb_per_s = 1.0".parse().expect("it is TOML");
    let spec = load("osdi00", overrides).expect("it can be made");
    let system = System::device(spec, &Policy::parse("fcfs").expect("it is one"), None);
    let mut trace = Trace::default();
    for (op, lbn, blocks) in [(Op::Read, 0, 20), (Op::Write, 100_000, 100)] {
        trace.push(TraceRow { op, lbn, blocks, ..TraceRow::default() });
    }
    for rows in [1, 2] {
        let mut simulation = Simulation::new(&system, 1, Record::default()).expect("it can be made");
        simulation.watch(0..rows).expect("it has not begun");
        let replay = Replay::new(Columns::of(&trace), 1.0, u64::MAX, PastEnd::Error);
        let mut replay = replay.expect("the trace fits");
        for _ in 0..rows {
            simulation.submit(&replay.next().expect("there is one")).expect("it is on the device");
        }
        simulation.drain(&mut |_| ControlFlow::Continue(())).expect("nothing stops it");
        let seen = simulation.watched().expect("it is watched");
        let read = seen.parts.iter().find(|part| part.number == 0).expect("it is there");
        let begun = read.start.expect("it was served");
        let [ended, left] = [begun + read.service.total(), read.left.expect("it is complete")];
        assert_eq!(left - ended, read.bus_wait + Span(20 * BLOCK.0));
        // The bus carries the data of a write from the processing of its command.
        let write = seen.parts.iter().find(|part| part.number == 1);
        let waited = write.map_or(Span::ZERO, |write| write.ready + Span(100 * BLOCK.0) - ended);
        assert_eq!(read.bus_wait, waited, "{rows} requests");
        assert_eq!(waited > Span::ZERO, rows == 2);
        assert!(write.is_none_or(|write| write.bus_wait == Span::ZERO));
    }
}
