//! Compare an emulator whose clock is often read late with a simulation of the same arrivals.

mod contents;
mod members;
mod power;
mod powered;
mod volume_client;

use proptest::prelude::*;
use sledsim::device::{load, BUILTIN_DEVICES};
use sledsim::record::{select, Record};
use sledsim::request::KINDS;
use sledsim::sched::Policy;
use sledsim::simulation::Simulation;
use sledsim::system::System;
use sledsim::time::Time;
use sledsim::volume::HostRequest;
use sledsim::workload::Arrival;
use sledsim_emulator::emulator::{Answer, Asker, Contents, Durability, Emulator, Served};
use sledsim_emulator::nbd::{Kind, Request};
use sledsim_emulator::store::{Memory, Unreadable};
use sledsim_emulator::timing::TimeScale;

/// Number of sectors that requests use; every target has at least this number of sectors.
const SECTORS: u64 = 300_000;

/// Targets of the tests: devices and volumes of every kind.
const TARGETS: [&str; 11] = [
    "osdi00",
    "atlas10k",
    "cf-card",
    "osdi00-erase",
    "stripe:devices=2",
    "mirror:devices=2",
    "raid5:devices=4",
    "cache",
    "metadata",
    "write-buffer",
    "virtual-disk",
];

fn simulation(target: &str, policy: &str) -> Simulation {
    let policy = Policy::parse(policy).unwrap();
    let is_device = BUILTIN_DEVICES.iter().any(|(name, _)| *name == target);
    let system = if is_device {
        System::device(load(target, toml::Table::new()).unwrap(), &policy, None)
    } else {
        System::volume(target, toml::Table::new(), &policy).unwrap()
    };
    Simulation::new(&system, 1, Record::new(select("all").unwrap(), 0)).unwrap()
}

fn emulator(target: &str, policy: &str, scale: &str, lead_ns: u64) -> Emulator {
    let store = Box::new(Memory::new(SECTORS * 512));
    let contents = Contents::new(store, Unreadable::default(), Durability::WriteThrough);
    Emulator::new(simulation(target, policy), contents, scale.parse().unwrap(), lead_ns)
}

/// Return a request for `sectors` sectors from `sector` on.
fn request(number: u64, kind: Kind, sector: u64, sectors: u32) -> Request {
    let data = if kind == Kind::Write { vec![number as u8; sectors as usize * 512] } else { Vec::new() };
    Request { number, cookie: number, kind, offset: sector * 512, bytes: sectors * 512, fua: false, data }
}

fn ask(emulator: &mut Emulator, now_ns: u64, request: Request) -> Option<Answer> {
    let from = Asker { connection: 1, number: request.number };
    emulator.request(now_ns, from, request).unwrap()
}

/// Return the next answer that is due at `now_ns`, after any number of parts of writes; `None` if no answer is due.
fn next_answer(emulator: &mut Emulator, now_ns: u64) -> Option<Answer> {
    loop {
        let answer = emulator.next_answer(now_ns).unwrap();
        if answer.is_some() || emulator.wake_ns().is_none_or(|wake_ns| wake_ns > now_ns) {
            return answer;
        }
    }
}

/// A step of a client: it waits `after_ns`, and then sends a request. The server reads the clock `late_ns` too late.
#[derive(Clone, Debug)]
struct Step {
    after_ns: u64,
    kind: Kind,
    fua: bool,
    sector: u64,
    sectors: u32,
    late_ns: u64,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let kind = prop_oneof![
        4 => Just((Kind::Read, false)),
        3 => Just((Kind::Write, false)),
        1 => Just((Kind::Write, true)),
        1 => Just((Kind::Flush, false)),
    ];
    let step = (0..3_000_000_u64, kind, 0..SECTORS - 2048, 1..2048_u32, 0..400_000_u64);
    let step = step.prop_map(|(after_ns, (kind, fua), sector, sectors, late_ns)| Step {
        after_ns,
        kind,
        fua,
        sector: if kind == Kind::Flush { 0 } else { sector },
        sectors: match sectors {
            _ if kind == Kind::Flush => 0,
            1500.. => sectors,
            _ => 8,
        },
        late_ns,
    });
    prop::collection::vec(step, 1..60)
}

/// Serve the requests of all steps by a loop that reads the clock late.
fn serve(
    emulator: &mut Emulator,
    steps: &[Step],
    lead_ns: u64,
    mut then: impl FnMut(&mut Emulator),
) -> Vec<(u64, u64)> {
    let (mut now_ns, mut answered, mut next_ns) = (0, Vec::new(), 0);
    let mut todo = steps.iter().enumerate();
    let mut next = todo.next();
    while next.is_some() || emulator.waiting() > 0 {
        let wake_ns = emulator.wake_ns().unwrap_or(u64::MAX);
        let arrival_ns = next.map_or(u64::MAX, |(_, step)| next_ns + step.after_ns);
        let late_ns = steps[answered.len() % steps.len()].late_ns;
        now_ns = now_ns.max(wake_ns.min(arrival_ns).saturating_add(late_ns));
        while let Some(Answer { to, timed, result, .. }) = next_answer(emulator, now_ns) {
            let timed = timed.expect("all requests but trims take time");
            assert!(result.is_ok());
            assert!(
                now_ns + lead_ns >= timed.due_ns,
                "no answer is earlier than its due time minus the lead"
            );
            emulator.sent(timed, Some(now_ns));
            answered.push((to.number, timed.due_ns));
        }
        then(emulator);
        if let Some((number, step)) = next.filter(|_| arrival_ns <= now_ns) {
            let asked = request(number as u64, step.kind, step.sector, step.sectors);
            assert_eq!(ask(emulator, now_ns, Request { fua: step.fua, ..asked }), None);
            next_ns = now_ns;
            next = todo.next();
        }
    }
    answered
}

/// Simulate the arrivals of a record again without a clock. Return the record of this simulation.
fn again(target: &str, policy: &str, record: &Record) -> Record {
    let mut simulation = simulation(target, policy);
    for row in 0..record.arrival_ns.len() {
        let request = HostRequest {
            traced_device: 0,
            sector: record.lbn[row] as u64,
            sectors: record.blocks[row] as u32,
        };
        let (_, op, durable) = KINDS[usize::from(record.kind[row])];
        let time = Time(record.arrival_ns[row] as u64);
        simulation.submit(&Arrival { durable, ..Arrival::new(time, op, request) }).unwrap();
    }
    simulation.drain(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    simulation.into_outcome().record
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn it_serves_what_the_simulator_says_however_late_it_is(
        steps in steps(),
        target in prop::sample::select(&TARGETS[..]),
        policy in prop::sample::select(vec!["fcfs", "sptf", "clook_cyl"]),
        scale in prop::sample::select(vec!["1", "10", "1/50", "3/7"]),
        lead_ns in prop::sample::select(vec![0, 25_000]),
    ) {
        let mut emulator = emulator(target, policy, scale, lead_ns);
        let answered = serve(&mut emulator, &steps, lead_ns, |_| {});
        prop_assert_eq!(answered.len(), steps.len());
        let (outcome, rows) = emulator.finish().unwrap();
        let record = outcome.record;
        prop_assert_eq!(rows.len(), steps.len());
        let scale: TimeScale = scale.parse().unwrap();
        for (number, due_ns) in answered {
            let row = number as usize;
            prop_assert_eq!(due_ns, scale.clock_ns(Time(record.completion_ns[row] as u64)));
            prop_assert_eq!(rows[row].due_ns, due_ns);
        }
        prop_assert_eq!(again(target, policy, &record), record);
    }
}

#[test]
fn what_takes_no_time_is_answered_at_once() {
    let store = Box::new(Memory::new(SECTORS * 512));
    let lying = Contents::new(store, Unreadable::default(), Durability::Lying);
    let mut lying = Emulator::new(simulation("atlas10k", "sptf"), lying, "1".parse().unwrap(), 0);
    let mut heeding = emulator("osdi00", "sptf", "1", 0);
    for (emulator, kind) in [(&mut lying, Kind::Flush), (&mut heeding, Kind::Trim)] {
        let answer = ask(emulator, 5, request(0, kind, 0, 8)).expect("it takes no time");
        assert_eq!((answer.result, answer.timed), (Ok(Vec::new()), None));
        assert_eq!((emulator.waiting(), emulator.wake_ns()), (0, None));
    }
}

/// Return the time in ns from the submission of a flush, after an answered write, to its answer.
fn flush_ns(target: &str, fua: bool) -> u64 {
    let mut emulator = emulator(target, "sptf", "1", 0);
    let mut now_ns = 0;
    let mut took_ns = Vec::new();
    let write = Request { fua, ..request(0, Kind::Write, 200_000, 8) };
    for asked in [write, request(1, Kind::Flush, 0, 0)] {
        let asked_ns = now_ns;
        assert_eq!(ask(&mut emulator, now_ns, asked), None);
        let answer = loop {
            now_ns = emulator.wake_ns().unwrap().max(now_ns);
            if let Some(answer) = next_answer(&mut emulator, now_ns) {
                break answer;
            }
        };
        assert_eq!(answer.result, Ok(Vec::new()));
        took_ns.push(now_ns - asked_ns);
    }
    took_ns[1]
}

#[test]
fn a_flush_takes_what_the_write_cache_of_the_device_needs() {
    assert!(flush_ns("atlas10k", false) > 2_000_000, "a seek and a turn");
    assert!(flush_ns("atlas10k", true) < 1_000_000, "FUA has written the data before");
    assert_eq!(flush_ns("osdi00", false), 0);
    assert_eq!(flush_ns("raid5:devices=4", false), 0, "no member has a write cache");
    assert!(flush_ns("mirror:devices=2,device=atlas10k", false) > 2_000_000);
}

#[test]
fn a_read_finds_what_was_written_and_long_zeros_take_several_requests_of_the_device() {
    let mut emulator = emulator("osdi00", "sptf", "1", 0);
    let mut do_one = |request: Request, at_ns: u64| {
        assert_eq!(ask(&mut emulator, at_ns, request), None);
        let mut now_ns = at_ns;
        while emulator.waiting() > 0 {
            now_ns = emulator.wake_ns().expect("something comes").max(now_ns);
            if let Some(Answer { result, timed, .. }) = next_answer(&mut emulator, now_ns) {
                emulator.sent(timed.unwrap(), Some(now_ns));
                return result.unwrap();
            }
        }
        unreachable!("every request is answered")
    };
    do_one(request(7, Kind::Write, 100, 16), 0);
    assert_eq!(do_one(request(8, Kind::Read, 96, 8), 1_000_000_000), [[0; 2048], [7; 2048]].concat());
    do_one(request(9, Kind::WriteZeroes, 0, 3 * 65_536), 2_000_000_000);
    assert_eq!(do_one(request(10, Kind::Read, 100, 8), 100_000_000_000), [0; 4096]);
    let (outcome, rows) = emulator.finish().unwrap();
    let kinds: Vec<Kind> = rows.iter().map(|row: &Served| row.kind).collect();
    assert_eq!(
        kinds,
        [[Kind::Write, Kind::Read].as_slice(), &[Kind::WriteZeroes; 3], &[Kind::Read]].concat()
    );
    assert_eq!(outcome.record.blocks, [16, 8, 65_536, 65_536, 65_536, 8]);
    assert!(
        rows[2..5].iter().all(|row| row.due_ns == rows[4].due_ns),
        "the last three requests are due together"
    );
}

#[test]
fn rows_can_be_taken_out_as_they_become_final() {
    let requests: Vec<Step> = (0..200_u64)
        .map(|at| Step {
            after_ns: 1_200_000,
            kind: if at % 3 == 0 { Kind::Write } else { Kind::Read },
            fua: false,
            sector: at * 7_919 % (SECTORS - 8),
            sectors: 8,
            late_ns: 20_000,
        })
        .collect();
    let whole = {
        let mut emulator = emulator("osdi00", "sptf", "1", 25_000);
        serve(&mut emulator, &requests, 25_000, |_| {});
        emulator.finish().unwrap()
    };
    let mut emulator = emulator("osdi00", "sptf", "1", 25_000);
    let (mut completions, mut served) = (Vec::new(), Vec::new());
    serve(&mut emulator, &requests, 25_000, |emulator| {
        let (record, rows) = emulator.take_rows(7);
        assert_eq!(record.completion_ns.len(), rows.len());
        completions.extend(record.completion_ns);
        served.extend(rows);
    });
    assert!(served.len() > 150, "most rows were final before the end of the run");
    let (outcome, rows) = emulator.finish().unwrap();
    completions.extend(outcome.record.completion_ns);
    served.extend(rows);
    assert_eq!(completions, whole.0.record.completion_ns);
    assert_eq!(served, whole.1);
    assert_eq!(outcome.totals.requests, 200);
}

#[test]
fn only_an_answer_has_to_be_waited_for_exactly() {
    let mut emulator = emulator("osdi00", "fcfs", "1", 0);
    for number in 0..3 {
        let at_ns = number * 1_000_000_000;
        assert_eq!(ask(&mut emulator, at_ns, request(number, Kind::Read, 50_000 * number, 8)), None);
        assert!(!emulator.may_answer(), "no answer is due, because the request has not reached the device");
        let mut answered = false;
        while !answered {
            let (wake_ns, may_answer) = (emulator.wake_ns().unwrap(), emulator.may_answer());
            let answer = next_answer(&mut emulator, wake_ns);
            answered = answer.is_some();
            assert_eq!(answered, may_answer);
            answer.into_iter().for_each(|answer| emulator.sent(answer.timed.unwrap(), Some(wake_ns)));
        }
    }
}

#[test]
fn an_answer_comes_when_it_is_due_if_the_clock_is_looked_at_when_asked_for() {
    let steps: Vec<Step> = (0..60_u64)
        .map(|at| Step {
            after_ns: at % 4 * 300_000,
            kind: if at % 3 == 0 { Kind::Write } else { Kind::Read },
            fua: false,
            sector: at * 104_729 % (SECTORS - 512),
            sectors: if at % 5 == 0 { 512 } else { 8 },
            late_ns: 0,
        })
        .collect();
    for target in TARGETS {
        let mut emulator = emulator(target, "fcfs", "1", 0);
        serve(&mut emulator, &steps, 0, |_| {});
        let (_, rows) = emulator.finish().unwrap();
        assert!(rows.iter().all(|row| row.lateness_ns() == Some(0)), "{target}: no answer is late");
    }
}
