//! Episodes (stalls and slow-downs of a device): their effects on a run, and runs that they do not change.

use proptest::prelude::*;
use sledsim::device::{load, BUILTIN_DEVICES};
use sledsim::episodes::{parse, Episode};
use sledsim::faults::FaultPlan;
use sledsim::record::Record;
use sledsim::request::Op;
use sledsim::sched::Policy;
use sledsim::system::System;
use sledsim::time::{Span, Time};
use sledsim::trace::{Trace, TraceRow};

use crate::conformance::policies;
use crate::stepped::{assert_same, device};
use crate::support::{params, sectors, workload};
use crate::systems::{mixed, run_system, system, KINDS};

const MS: i64 = 1_000_000;
/// Parameters of a device whose commands and whose bus take no time.
const NO_BUS: &str = "overhead_ms = 0\nbus_mb_per_s = 0";

fn under(system: &System, texts: &[String]) -> System {
    let episodes: Vec<Episode> =
        texts.iter().map(|text| parse(text).expect("the episode is valid")).collect();
    system.with_episodes(&episodes).expect("there are such devices")
}

/// A device with the parameters `set`, under a policy and, if given, a plan of faults.
pub fn changed(name: &str, set: &str, policy: &str, faults: Option<&str>) -> System {
    let policy = Policy::parse(policy).expect("it is known");
    let spec = load(name, set.parse().expect("it is TOML")).expect("it is valid");
    let plan = |text: &str| FaultPlan::from_table(text.parse().expect("it is TOML"), "faults");
    System::device(spec, &policy, faults.map(|text| plan(text).expect("the plan is valid")))
}

/// A random episode in whole milliseconds, with `holds` as an independent test of whether a time lies within it.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    at: i64,
    lasts: i64,
    every: i64,
    times: i64,
    factor: f64,
}

impl Drawn {
    fn text(&self) -> String {
        let Self { at, lasts, every, times, factor } = *self;
        let times = format!("at={},ms={lasts},every={},times={times}", at as f64 * 1e-3, every as f64 * 1e-3);
        if factor > 1.0 {
            format!("slow:{times},factor={factor}")
        } else {
            format!("stall:{times}")
        }
    }

    fn holds(&self, since_begin_ns: i64) -> bool {
        (0..self.times)
            .map(|number| (self.at + number * self.every) * MS)
            .any(|begins| (begins..begins + self.lasts * MS).contains(&since_begin_ns))
    }
}

prop_compose! {
    fn drawn(factor: f64)(at in 0_i64..200, lasts in 1_i64..60, pause in 1_i64..60, times in 1_i64..5) -> Drawn {
        Drawn { at, lasts, every: lasts + pause, times, factor }
    }
}

fn texts(all: &[Drawn]) -> Vec<String> {
    all.iter().map(Drawn::text).collect()
}

/// Checks that the parts of every response add up to it, and that no service of a device begins within a stall.
fn check_rows(record: &Record, stalls: &[Drawn], what: &str) {
    let begun = record.arrival_ns[0];
    for at in 0..record.start_ns.len() {
        let parts =
            record.command_ns[at] + record.wait_ns[at] + record.positioning_ns[at] + record.hold_ns[at];
        let parts = parts + record.switch_ns[at] + record.transfer_ns[at] + record.bus_ns[at];
        // A row served from memory needs no service.
        if record.parts[at] > 0 {
            assert_eq!(record.completion_ns[at] - record.start_ns[at], parts, "{what}: row {at}");
            let within = stalls.iter().find(|stall| stall.holds(record.start_ns[at] - begun));
            assert!(within.is_none(), "{what}: request {at} begins in the stall {within:?}");
        }
    }
}

/// Two episodes that begin after the end of the run: they use the code for episodes, but must not change the run.
const AFTER: [&str; 2] = ["stall:at=1e7,ms=5", "slow:at=1e7,ms=5,factor=3"];

#[test]
fn episodes_that_do_not_come_change_nothing() {
    let after = AFTER.map(str::to_owned);
    for (name, _) in BUILTIN_DEVICES {
        let trace = workload(&params(name, ""), 200.0, 300, 3);
        for policy in ["fcfs", "sptf", "look_lbn", "sstf_lbn+deadline:after_ms=20"] {
            let bare = device(name, policy, None);
            let (expected, found) = (run_system(&bare, &trace), run_system(&under(&bare, &after), &trace));
            assert!(found.record == expected.record, "{name} {policy}");
            assert_eq!(found.devices[0].totals, expected.devices[0].totals, "{name} {policy}");
        }
    }
    for (kind, options) in KINDS.iter() {
        let bare = system(kind, options, "sptf");
        let trace = mixed(bare.build().expect("it can be made").sectors(), 400.0, 400, 5);
        let (expected, found) = (run_system(&bare, &trace), run_system(&under(&bare, &after), &trace));
        assert!(found.record == expected.record, "{kind} {options}");
        assert_eq!(found.volumes, expected.volumes, "{kind} {options}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn in_steps_as_in_one_go_under_every_policy(
        seed in any::<u64>(),
        rate in 100.0..3000.0_f64,
        plan in (prop::collection::vec(drawn(1.0), 0..3), prop::collection::vec(drawn(2.5), 0..3)),
    ) {
        let all = [texts(&plan.0), texts(&plan.1)].concat();
        let trace = workload(&params("osdi00", ""), rate, 150, seed);
        for policy in policies() {
            let system = under(&device("osdi00", &policy, None), &all);
            assert_same(&policy, &system, &trace, seed);
            check_rows(&run_system(&system, &trace).record, &plan.0, &policy);
        }
    }

    #[test]
    fn in_steps_as_in_one_go_on_every_device_and_volume(
        seed in any::<u64>(),
        rate in 50.0..1000.0_f64,
        plan in (prop::collection::vec(drawn(1.0), 1..3), prop::collection::vec(drawn(4.0), 0..3)),
    ) {
        let all = [texts(&plan.0), texts(&plan.1)].concat();
        for (name, _) in BUILTIN_DEVICES {
            let trace = workload(&params(name, ""), rate, 100, seed);
            for policy in ["fcfs", "sptf"] {
                let system = under(&device(name, policy, None), &all);
                assert_same(name, &system, &trace, seed);
                check_rows(&run_system(&system, &trace).record, &plan.0, name);
            }
        }
        for (kind, options) in KINDS.iter() {
            let system = under(&system(kind, options, "sptf"), &all);
            let trace = mixed(system.build().expect("it can be made").sectors(), rate, 150, seed);
            assert_same(kind, &system, &trace, seed);
            check_rows(&run_system(&system, &trace).record, &plan.0, kind);
        }
    }

    /// A service in a slow-down takes `factor` times as long. The record adds the extra time to the column of the bus,
    /// which is otherwise 0 here: factor - 1 times the rest of the service.
    #[test]
    fn a_service_takes_longer_by_the_factor(
        seed in any::<u64>(),
        slow in prop::collection::vec((drawn(3.0), 11_u32..60), 1..3),
        stalls in prop::collection::vec(drawn(1.0), 0..2),
        has_faults in any::<bool>(),
    ) {
        let slow: Vec<Drawn> = slow.iter().map(|(one, tenths)| Drawn { factor: f64::from(*tenths) / 10.0, ..*one }).collect();
        let all = [texts(&slow), texts(&stalls)].concat();
        let faults = has_faults.then_some("bad_blocks = [{ lbn = 100, blocks = 50, at_s = 0.05 }]\nreserve_blocks = 500\nremapping = \"elsewhere\"");
        for (name, set) in [("osdi00", NO_BUS), ("cf-card", "")] {
            let bare = changed(name, set, "sptf", faults);
            let trace = mixed(bare.build().expect("it can be made").sectors(), 800.0, 200, seed);
            let outcome = run_system(&under(&bare, &all), &trace);
            let record = &outcome.record;
            let mut busy = Span::ZERO;
            for at in 0..record.start_ns.len() {
                let factors = slow.iter().filter(|one| one.holds(record.start_ns[at] - record.arrival_ns[0]));
                let factor = factors.map(|one| one.factor).fold(1.0, f64::max);
                let whole = record.completion_ns[at] - record.start_ns[at];
                let rest = whole - record.bus_ns[at];
                prop_assert!((record.bus_ns[at] as f64 - (factor - 1.0) * rest as f64).abs() <= 1.0, "{} {}", name, at);
                busy += Span(whole as u64);
            }
            prop_assert_eq!(outcome.devices[0].totals.busy, busy);
        }
    }
}

/// Reads of 8 blocks on one device, given as pairs of an arrival time in ns and an LBN.
fn requests(rows: &[(i64, i64)]) -> Trace {
    let mut trace = Trace::default();
    for (arrival_ns, lbn) in rows {
        trace.push(TraceRow { arrival_ns: *arrival_ns, lbn: *lbn, blocks: 8, ..TraceRow::default() });
    }
    trace
}

/// The policy chooses among the waiting requests at the end of the stall: the nearest is served first, although it
/// arrived last.
#[test]
fn the_policy_chooses_at_the_end_of_a_stall() {
    let bare = changed("osdi00", NO_BUS, "sptf", None);
    let far = bare.build().expect("it can be made").sectors() as i64 - 100;
    let trace = requests(&[(0, 0), (11 * MS, far), (15 * MS, 8)]);
    let record = run_system(&under(&bare, &["stall:at=0.010,ms=10".to_owned()]), &trace).record;
    assert_eq!(record.start_ns, [0, record.completion_ns[2], 20 * MS]);
    let record = run_system(&under(&bare, &["slow:at=0.010,ms=10,factor=2".to_owned()]), &trace).record;
    assert_eq!(record.start_ns[1], 11 * MS);
}

/// A service in progress when a stall begins continues: it completes at the same time as without the stall.
#[test]
fn a_service_in_progress_is_finished() {
    let bare = changed("osdi00", NO_BUS, "fcfs", None);
    let trace = requests(&[(5 * MS, 5000), (5 * MS, 90_000)]);
    let expected = run_system(&bare, &trace).record;
    let found = run_system(&under(&bare, &["stall:at=0.0001,ms=40".to_owned()]), &trace).record;
    assert_eq!(found.completion_ns[0], expected.completion_ns[0]);
    assert_eq!(found.start_ns[1], 45 * MS + MS / 10, "times are from the first request on");
}

const SLEEPY: &str = "power_policy = \"timeout:ms=5\"\nstartup_ms = 3";

/// A slow-down keeps the device busy between two requests, so that it does not go to sleep; its electronics draw power
/// for the whole time.
#[test]
fn a_slow_device_stays_awake() {
    let sleepy = format!("{SLEEPY}\n{NO_BUS}");
    let erasing = format!(
        "{sleepy}\nerase_block_kib = 64\nerase_ms = 2\nerase_slice_ms = 1\nerase_reserve_blocks = 20"
    );
    let erasing = format!("{erasing}\nerase_power_mw = 100\nerase_management = \"log\"");
    for set in [&sleepy, &erasing] {
        let bare = changed("osdi00-power", set, "fcfs", None);
        let trace = requests(&[(0, 5000), (30 * MS, 5000), (31 * MS, 9000)]);
        let slow = under(&bare, &["slow:at=0,ms=1,factor=80".to_owned()]);
        let [expected, found] = [&bare, &slow].map(|system| run_system(system, &trace));
        assert!(expected.record.wait_ns[1] > 0, "it sleeps: {set}");
        assert!(found.record.completion_ns[0] > 31 * MS, "it is still at it");
        assert_eq!(found.record.wait_ns, [0; 3], "{set}");
        let whole_s = found.record.bus_ns[0] as f64 * 1e-9;
        let more_j = found.record.electronics_j[0] - expected.record.electronics_j[0];
        let electronics_w =
            params("osdi00-power", set).to_table()["electronics_power_mw"].as_float().unwrap() * 1e-3;
        assert!((more_j - electronics_w * whole_s).abs() < 1e-12, "{more_j} J in {whole_s} s");
    }
}

/// A stall counts as idle time: the device may go to sleep during the stall, and wakes up when the stall ends.
#[test]
fn a_stalled_device_may_sleep() {
    let bare = changed("osdi00-power", &format!("{SLEEPY}\n{NO_BUS}"), "fcfs", None);
    let trace = requests(&[(0, 5000), (2 * MS, 5000)]);
    let outcome = run_system(&under(&bare, &["stall:at=0.001,ms=200".to_owned()]), &trace);
    assert_eq!(outcome.record.start_ns[1], 201 * MS);
    assert!(outcome.record.wait_ns[1] > 0);
    let served: i64 =
        (0..2).map(|row| outcome.record.completion_ns[row] - outcome.record.bus_ns[row]).max().unwrap();
    assert!(served > 201 * MS && outcome.devices[0].totals.idle_energy.inactive_j > 0.0);
}

/// The next event that a simulation reports is the end of the stall, if a request waits for it.
#[test]
fn the_end_of_a_stall_is_reported() {
    use sledsim::simulation::Simulation;
    use sledsim::volume::HostRequest;
    use sledsim::workload::Arrival;

    let system = under(&device("osdi00", "fcfs", None), &["stall:at=0,ms=7".to_owned()]);
    let mut simulation = Simulation::new(&system, 1, Record::default()).expect("it can be made");
    let request = HostRequest { traced_device: 0, sector: 0, sectors: 8 };
    let arrival = Arrival::new(Time(100), Op::Read, request);
    simulation.submit(&arrival).expect("it is on the device");
    simulation.submit(&Arrival { time: Time(200), ..arrival }).expect("it is on the device");
    let overhead = simulation.next_event().expect("something waits");
    let goes_on = &mut |_| std::ops::ControlFlow::Continue(());
    while simulation.next_event().is_some_and(|time| time < Time(100 + 7_000_000)) {
        let next = simulation.next_event().unwrap();
        assert!(simulation.advance(next, goes_on).unwrap().is_empty());
    }
    assert!(overhead <= Time(100 + 7_000_000));
    assert_eq!(simulation.next_event(), Some(Time(100 + 7_000_000)));
    assert_eq!(simulation.certain(), []);
    assert_eq!(simulation.stations()[0].1.free_from(simulation.now()), Time(100 + 7_000_000));
    let mut copy = simulation.clone();
    let [mine, copied] = [&mut simulation, &mut copy].map(|one| one.drain(goes_on).unwrap());
    assert_eq!((mine.len(), &mine), (2, &copied));
}

#[test]
fn sectors_are_those_of_the_device() {
    let bare = device("osdi00", "fcfs", None);
    let episodic = under(&bare, &AFTER.map(str::to_owned)).build().expect("it can be made");
    assert_eq!(episodic.sectors(), sectors(&params("osdi00", "")));
}
