//! A simulation that advances in steps, of whatever size, gives the same record as a run in one go.

use std::ops::ControlFlow;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::device::BUILTIN_DEVICES;
use sledsim::faults::FaultPlan;
use sledsim::record::{select, Record};
use sledsim::request::Op;
use sledsim::sched::Policy;
use sledsim::simulation::{Outcome, Simulation};
use sledsim::system::System;
use sledsim::time::Time;
use sledsim::trace::Trace;
use sledsim::volume::HostRequest;
use sledsim::workload::{Arrival, Columns, PastEnd, Replay, Workload};

use crate::coarse::{self, drum, ON_A_BUS};
use crate::conformance::policies;
use crate::support::{params, workload};
use crate::systems::{mixed, run_system, system, KINDS};

/// Runs a trace in steps: before an arrival, time sometimes advances to a random instant, to the next event or not at
/// all, and at times a copy of the simulation takes over.
fn in_steps(system: &System, trace: &Trace, seed: u64) -> Outcome {
    let mut rng = Pcg64::seed_from_u64(seed);
    let columns = Columns::of(trace);
    let sectors = system.build().expect("it can be made").sectors();
    let mut simulation =
        Simulation::new(system, columns.devices(), Record::default()).expect("it can be made");
    let mut replay = Replay::new(columns, 1.0, sectors, PastEnd::Error).expect("the trace fits");
    let mut complete = Vec::new();
    while let Some(arrival) = replay.next() {
        while rng.random_bool(0.3) {
            let next = simulation.next_event().unwrap_or(simulation.now());
            let until = match rng.random_range(0..3) {
                0 => Time(rng.random_range(simulation.now().0..=arrival.time.0)),
                1 => next.clamp(simulation.now(), arrival.time),
                _ => simulation.now(),
            };
            let certain = simulation.certain();
            let told =
                simulation.advance(until, &mut |_| ControlFlow::Continue(())).expect("time does not go back");
            for (row, time) in certain {
                let is_there = told.contains(&(row, time)) || simulation.certain().contains(&(row, time));
                assert!(is_there, "a certain completion remains certain: request {row} at {time:?}");
            }
            complete.extend(told);
        }
        if rng.random_bool(0.02) {
            let mut other = simulation.clone();
            std::mem::swap(&mut simulation, &mut other);
            // The copy left behind continues, and changes nothing.
            other.drain(&mut |_| ControlFlow::Continue(())).expect("nothing stops it");
        }
        simulation.submit(&arrival).expect("it is on the device");
    }
    complete.extend(simulation.drain(&mut |_| ControlFlow::Continue(())).expect("nothing stops it"));
    assert_eq!(simulation.pending(), 0);
    let outcome = simulation.into_outcome();
    assert!(complete.is_sorted_by_key(|(_, time)| *time), "completions are reported in the order of time");
    complete.sort_unstable();
    let all = outcome.record.completion_ns.iter().zip(0..).map(|(ns, row)| (row, Time(*ns as u64)));
    assert!(all.eq(complete), "every completion is reported once");
    outcome
}

/// Asserts that a run in steps gives the same record as a run in one go. Totals are compared only for a single device,
/// because a volume may do more work after the last request if steps let time pass.
pub fn assert_same(what: &str, system: &System, trace: &Trace, seed: u64) {
    let (whole, steps) = (run_system(system, trace), in_steps(system, trace, seed));
    assert!(whole.record == steps.record, "{what}");
    if matches!(system, System::Device(_)) {
        assert_eq!(whole.devices[0].totals, steps.devices[0].totals, "{what}");
        assert_eq!(whole.devices[0].over_time, steps.devices[0].over_time, "{what}");
    }
}

pub fn device(name: &str, policy: &str, faults: Option<&str>) -> System {
    let policy = Policy::parse(policy).expect("the policy is known");
    let spec = sledsim::device::load(name, toml::Table::new()).expect("the device is known");
    let plan = |text: &str| FaultPlan::from_table(text.parse().expect("it is TOML"), "faults");
    System::device(spec, &policy, faults.map(|text| plan(text).expect("the plan is valid")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn under_every_policy(seed in any::<u64>(), rate in 100.0..3000.0_f64) {
        let trace = workload(&params("osdi00", ""), rate, 200, seed);
        for policy in policies() {
            assert_same(&policy, &device("osdi00", &policy, None), &trace, seed);
        }
    }

    #[test]
    fn on_every_device(seed in any::<u64>(), rate in 20.0..1000.0_f64) {
        for (name, _) in BUILTIN_DEVICES {
            let trace = workload(&params(name, ""), rate, 200, seed);
            for policy in ["sptf", "look_lbn"] {
                assert_same(name, &device(name, policy, None), &trace, seed);
            }
        }
    }

    #[test]
    fn on_every_volume(seed in any::<u64>(), rate in 50.0..1000.0_f64) {
        for (kind, options) in KINDS.iter() {
            let system = system(kind, options, "sptf");
            let sectors = system.build().expect("it can be made").sectors();
            assert_same(kind, &system, &mixed(sectors, rate, 300, seed), seed);
        }
    }

    /// Steps also equal a run in one go if requests arrive at the instants at which others complete.
    #[test]
    fn where_times_meet(seed in any::<u64>(), most_ms in 1..12_u64) {
        for policy in policies() {
            let system = drum(&policy);
            let sectors = system.build().expect("it can be made").sectors();
            assert_same(&policy, &system, &coarse::requests(sectors, most_ms, 60, seed), seed);
        }
        for (kind, options) in ON_A_BUS {
            let system = coarse::volume(kind, &format!("{options}\n{}", coarse::BUS), &coarse::member());
            let sectors = system.build().expect("it can be made").sectors();
            assert_same(kind, &system, &coarse::requests(sectors, 4 * most_ms, 60, seed), seed);
        }
    }
}

/// A request may reach up to the last block of a device or volume; a request beyond it is rejected.
#[test]
fn requests_reach_to_the_end() {
    let devices = BUILTIN_DEVICES.iter().map(|(name, _)| device(name, "fcfs", None));
    let volumes = KINDS.iter().map(|(kind, options)| system(kind, options, "fcfs"));
    for system in devices.chain(volumes) {
        let end = system.build().expect("it can be made").sectors();
        let mut simulation = Simulation::new(&system, 1, Record::default()).expect("it can be made");
        let mut submit = |sector: u64, sectors: u32| {
            let request = HostRequest { traced_device: 0, sector, sectors };
            let arrival = Arrival::new(Time::ZERO, Op::Read, request);
            let (before, found) = (simulation.arrived(), simulation.submit(&arrival));
            assert_eq!(simulation.arrived(), before + u64::from(found.is_ok()));
            found
        };
        for (sector, sectors) in [(end - 1, 1), (end - 8, 8), (0, 1)] {
            submit(sector, sectors).expect("it ends where the device does");
        }
        for (sector, sectors) in [(end - 7, 8), (end - 1, 2), (end, 1), (end + 1, 1), (u64::MAX, 1), (0, 0)] {
            let found = submit(sector, sectors).expect_err("it reaches past the end").to_string();
            let expected = "request 3: expected at least one block within the device's";
            assert_eq!(
                found,
                format!("{expected} {end} blocks, found {sectors} blocks from LBN {sector} on")
            );
        }
    }
}

#[test]
fn time_ends_before_the_latest() {
    const LATEST: u64 = Time::LATEST.0;
    let system = device("osdi00", "fcfs", None);
    let mut simulation = Simulation::new(&system, 1, Record::default()).expect("it can be made");
    let mut advance = |until: u64| simulation.advance(Time(until), &mut |_| ControlFlow::Continue(()));
    for until in [LATEST, LATEST + 1, u64::MAX] {
        let found = advance(until).expect_err("it is too late").to_string();
        assert_eq!(found, format!("expected a time below {LATEST} ns, found {until} ns"));
    }
    assert_eq!(advance(LATEST - 1).expect("there is such a time"), []);
    let request = HostRequest { traced_device: 0, sector: 0, sectors: 1 };
    let mut submit = |time| simulation.submit(&Arrival::new(Time(time), Op::Read, request));
    let found = submit(LATEST).expect_err("it is too late").to_string();
    assert_eq!(found, format!("request 0: expected an arrival time below {LATEST} ns, found {LATEST} ns"));
    assert_eq!(submit(LATEST - 1).expect("it is early enough"), 0);
}

/// Steps equal a run in one go with faults, which occur at times of the run.
#[test]
fn under_plans_of_faults() {
    let plans = [
        "manufacture = { tip_failure_probability = 0.02, media_defects = 500.0 }\ncheck_tips = 2\nspare_tips = 64",
        "life = { age_hours = 1.0, tip_failures_per_tip_hour = 1e-2, media_defects_per_hour = 1e4 }",
        "tip_failures = [{ tip = 5, at_s = 0.2 }]\nbad_blocks = [{ lbn = 100, blocks = 500 }]",
    ];
    for plan in plans {
        let system = device("osdi00", "sptf", Some(plan));
        let sectors = system.build().expect("it can be made").sectors();
        assert_same(plan, &system, &mixed(sectors, 500.0, 500, 3), 3);
    }
}

/// Requests that a power failure interrupts on several devices are listed in the order of the requests, whichever
/// device would complete first.
#[test]
fn what_power_interrupts_is_in_order() {
    const DEVICES: u32 = 6;
    let system = device("osdi00", "fcfs", None);
    let (sectors, mut most) = (system.build().expect("it can be made").sectors(), 0);
    let mut rng = Pcg64::seed_from_u64(3);
    for _ in 0..20 {
        let record = Record::new(select("all").expect("it is a set"), 0);
        let mut simulation = Simulation::new(&system, DEVICES, record).expect("it can be made");
        simulation.note_passages().expect("it is a device");
        for traced_device in 0..DEVICES {
            let sector = rng.random_range(0..sectors - 2000);
            let request = HostRequest { traced_device, sector, sectors: rng.random_range(1..2000) };
            let arrival = Arrival::new(Time::ZERO, Op::Write, request);
            simulation.submit(&arrival).expect("it is on the device");
        }
        for at_us in (0..5000).step_by(200) {
            simulation
                .advance(Time(1000 * at_us), &mut |_| ControlFlow::Continue(()))
                .expect("nothing stops it");
            let rows: Vec<u32> = simulation.interrupted().iter().map(|one| one.row).collect();
            assert!(rows.is_sorted_by(|one, next| one < next), "after {at_us} us: {rows:?}");
            most = most.max(rows.len());
        }
    }
    assert_eq!(most, DEVICES as usize, "all devices serve at the same time");
}

/// Waiting requests go to a new policy in the order of their arrival; the order of the previous policy is forgotten.
#[test]
fn what_waits_goes_to_another_policy_in_the_order_in_which_it_came() {
    for before in ["sptf", "clook_lbn", "fcfs"] {
        let system = device("osdi00", before, None);
        let mut simulation = Simulation::new(&system, 1, Record::default()).expect("it can be made");
        for (sector, sectors) in
            [(3_000_000, 8000), (5_000_000, 8), (1_000_000, 8), (4_000_000, 8), (2_000_000, 8), (0, 8)]
        {
            let request = HostRequest { traced_device: 0, sector, sectors };
            let arrival = Arrival::new(Time::ZERO, Op::Read, request);
            simulation.submit(&arrival).expect("it is on the device");
        }
        // The first is served while the commands of the others are processed.
        let complete = simulation.advance(Time(5_000_000), &mut |_| ControlFlow::Continue(()));
        assert_eq!(complete.expect("nothing stops it"), []);
        simulation.change_policy(&Policy::parse("fcfs").expect("it is one")).expect("it can be put there");
        let complete = simulation.drain(&mut |_| ControlFlow::Continue(())).expect("nothing stops it");
        let rows: Vec<u32> = complete.iter().map(|(row, _)| *row).collect();
        assert_eq!(rows, [0, 1, 2, 3, 4, 5], "{before}");
    }
}
