//! A single case of the performance baseline: `cargo bench --bench cases -- NAME COUNT` prints the nanoseconds of CPU
//! a request. `bench/baseline.py` runs all cases, counts their instructions and compares both with those of an
//! earlier commit.

// A separate program, not the core.
#![expect(clippy::disallowed_macros)]

use std::hint::black_box;
use std::io::Cursor;
use std::ops::ControlFlow;

use cpu_time::ProcessTime;
use sledsim::device::{build, load};
use sledsim::error::Result;
use sledsim::record::{select, Record};
use sledsim::sched::Policy;
use sledsim::simulation::{simulate_devices, simulate_system};
use sledsim::system::System;
use sledsim::trace::{self, Input, ReadOptions, Trace, TraceReader};
use sledsim::workload::{Columns, Generator, PastEnd, Replay, ReplayMode};

/// The measured code.
type Case = Box<dyn FnOnce() -> Result<()>>;

/// Prepares a case of `count` requests.
type Prepare = fn(usize) -> Result<Case>;

/// The cases by name; a new case is a row here.
const CASES: &[(&str, Prepare)] = &[
    ("fcfs", |count| open(OSDI00, count, ["fcfs", "all"])),
    ("fcfs, times only", |count| open(OSDI00, count, ["fcfs", "times"])),
    ("fcfs, as a volume of one", |count| {
        volume(
            "single:device=osdi00",
            Columns::of(draw(&format!("{},count={count}", OSDI00[1]), OSDI00_SECTORS)?),
        )
    }),
    ("sptf", |count| open(OSDI00, count, ["sptf", "all"])),
    ("sptf, 1,000 waiting", |count| busy("osdi00", count, "sptf")),
    ("fcfs, batch of 1,000", |count| batches(count, 1_000, "fcfs")),
    ("sptf, batch of 1,000", |count| batches(count, 1_000, "sptf")),
    ("fcfs, batch of 100,000", |count| batches(count, 100_000, "fcfs")),
    ("sptf, batch of 100,000", |count| batches(count, 100_000, "sptf")),
    ("satf, 1,000 waiting", |count| busy("osdi00", count, "satf")),
    ("asptf, 1,000 waiting", |count| busy("osdi00", count, "asptf")),
    ("disk, fcfs", |count| open(["atlas10k", "random:rate=100"], count, ["fcfs", "all"])),
    ("disk, sptf, 1,000 waiting", |count| busy("atlas10k", count, "sptf")),
    ("flash card, sptf", |count| open(["cf-card", "random:rate=10"], count, ["sptf", "all"])),
    ("stripe", |count| hierarchy("stripe:device=osdi00", count)),
    ("raid5", |count| hierarchy("raid5:device=osdi00", count)),
    ("metadata+write-buffer", |count| hierarchy("metadata+write-buffer", count)),
    ("virtual-disk", |count| hierarchy("virtual-disk", count)),
    ("drawing", drawing),
    ("reading DiskSim ASCII", reading),
];

/// A device, and a workload that keeps it busy.
const OSDI00: [&str; 2] = ["osdi00", "random:rate=1000"];
/// Sectors of a sled of 001.
const OSDI00_SECTORS: u64 = 6_750_000;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).filter(|one| one != "--bench").collect();
    let [name, count] = &given[..] else {
        CASES.iter().for_each(|(name, _)| println!("{name}"));
        return;
    };
    let (_, prepare) = CASES.iter().find(|(known, _)| known == name).expect("a case of that name");
    let count: usize = count.parse().expect("a number of requests");
    let case = prepare(count).expect("the case is valid");
    let begun = ProcessTime::now();
    measured(case);
    println!("{:.1}", begun.elapsed().as_nanos() as f64 / count as f64);
}

/// Runs the measured code in a separate function, by which the counter finds it.
#[inline(never)]
fn measured(case: Case) {
    case().expect("the case succeeds");
}

/// Requests of a workload, kept to the end of the process.
fn draw(workload: &str, sectors: u64) -> Result<&'static Trace> {
    Ok(Box::leak(Box::new(Generator::parse(workload)?.draw(sectors)?)))
}

/// Requests as they arrive, on a device that is built before.
fn open([device, workload]: [&str; 2], count: usize, [policy, kept]: [&'static str; 2]) -> Result<Case> {
    let devices = build(load(device, toml::Table::new())?.parameters(), 1)?;
    let sectors = devices[0].sectors();
    let trace = draw(&format!("{workload},count={count}"), sectors)?;
    let mut replay = Replay::new(Columns::of(trace), 1.0, sectors, PastEnd::Error)?;
    Ok(Box::new(move || {
        let record = Record::new(select(kept)?, count);
        let policy = Policy::parse(policy)?;
        black_box(simulate_devices(devices, &policy, &mut replay, record, &mut on)?);
        Ok(())
    }))
}

/// A thousand requests that wait all the time.
fn busy(device: &str, count: usize, policy: &'static str) -> Result<Case> {
    // The command overhead is zero, because otherwise requests would wait for the controller.
    let changes = if device == "osdi00" {
        toml::toml! { overhead_ms = 0.0 }
    } else {
        toml::Table::new()
    };
    let devices = build(load(device, changes)?.parameters(), 1)?;
    let sectors = devices[0].sectors();
    let trace = draw(&format!("random:rate=1000,count={count}"), sectors)?;
    let replay = Replay::new(Columns::of(trace), 1.0, sectors, PastEnd::Error)?;
    let mut closed = ReplayMode::parse("closed:outstanding=1000")?.build(replay)?;
    Ok(Box::new(move || {
        let record = Record::with_capacity(count);
        black_box(simulate_devices(devices, &Policy::parse(policy)?, &mut *closed, record, &mut on)?);
        Ok(())
    }))
}

/// Batches of `of` reads that arrive at once, each in a run and on a device of its own.
fn batches(count: usize, of: usize, policy: &'static str) -> Result<Case> {
    let parameters = load("osdi00", toml::toml! { overhead_ms = 0.0 })?.into_parameters();
    let batches = (0..count.div_ceil(of)).map(|seed| {
        let devices = build(&parameters, 1)?;
        let sectors = devices[0].sectors();
        let requests = of.min(count - seed * of);
        let workload = format!("random:rate=1000,reads=1,seed={seed},count={requests}");
        let mut trace = Generator::parse(&workload)?.draw(sectors)?;
        trace.arrival_ns.fill(0);
        let trace: &'static Trace = Box::leak(Box::new(trace));
        Ok((devices, Replay::new(Columns::of(trace), 1.0, sectors, PastEnd::Error)?))
    });
    let batches = batches.collect::<Result<Vec<_>>>()?;
    Ok(Box::new(move || {
        for (devices, mut replay) in batches {
            let record = Record::new(select("all")?, of);
            black_box(simulate_devices(devices, &Policy::parse(policy)?, &mut replay, record, &mut on)?);
        }
        Ok(())
    }))
}

/// The first requests of a published day (003-F7) to a volume.
fn hierarchy(name: &str, count: usize) -> Result<Case> {
    let day = draw("metadata", build(load("atlas10k", toml::Table::new())?.parameters(), 1)?[0].sectors())?;
    let all = Columns::of(day);
    let first = Columns {
        arrival_ns: &day.arrival_ns[..count],
        lbn: day.lbn[..count].into(),
        blocks: &day.blocks[..count],
        kind: all.kind[..count].to_vec().into(),
        metadata: &day.metadata[..count],
        device: &day.device[..count],
        flags: &day.flags[..count],
        response_ns: &day.response_ns[..count],
    };
    volume(name, first)
}

/// Requests to a volume whose devices serve first come, first served.
fn volume(name: &str, requests: Columns<'static>) -> Result<Case> {
    let system = System::volume(name, toml::Table::new(), &Policy::parse("fcfs")?)?;
    let sectors = system.build()?.sectors();
    let mut replay = Replay::new(requests, 1.0, sectors, PastEnd::Wrap)?;
    Ok(Box::new(move || {
        black_box(simulate_system(&system, 1, &mut replay, &mut on)?);
        Ok(())
    }))
}

/// Draws requests into columns.
fn drawing(count: usize) -> Result<Case> {
    let workload = Generator::parse(&format!("random:rate=1000,count={count}"))?;
    Ok(Box::new(move || workload.draw(OSDI00_SECTORS).map(|trace| drop(black_box(trace)))))
}

/// Reads a text in memory into columns.
fn reading(count: usize) -> Result<Case> {
    let trace = draw(&format!("random:rate=1000,count={count}"), OSDI00_SECTORS)?;
    let mut text = String::new();
    for row in 0..count {
        let (ns, is_read) = (trace.arrival_ns[row], trace.op[row] == trace::Op::Read);
        let (whole, part) = (ns / 1_000_000, ns % 1_000_000);
        let (lbn, blocks) = (trace.lbn[row], trace.blocks[row]);
        text += &format!("{whole}.{part:06} 0 {lbn} {blocks} {:x}\n", i32::from(is_read));
    }
    let input = Input::Reader(Box::new(Cursor::new(text)), "drawn".to_owned());
    let mut reader = TraceReader::open(input, &ReadOptions::default())?;
    Ok(Box::new(move || reader.rest(&mut on).map(|trace| drop(black_box(trace)))))
}

/// An observer that never stops a run.
fn on(_done: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
