//! Speed of the core: `cargo bench`. One thread; divan prints the median and requests a second.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use divan::counter::{BytesCount, ItemsCount};
use divan::Bencher;
use sledsim::device::mems::Mems;
use sledsim::device::{build, Device};
use sledsim::device::{load, load_builtin, load_mems};
use sledsim::engine::Engine;
use sledsim::error::Result;
use sledsim::request::{Op, Request};
use sledsim::sched::Policy;
use sledsim::simulation::{simulate, Outcome};
use sledsim::time::Time;
use sledsim::trace;
use sledsim::trace::{Input, ReadOptions, Trace, TraceReader};
use sledsim::volume::HostRequest;
use sledsim::workload::{random, Arrival, Columns, PastEnd, Replay, Workload};

/// Number of requests of the Random workload.
const REQUESTS: usize = 1_000_000;
/// Arrival rate that saturates no policy.
const RATE_PER_S: f64 = 1000.0;

fn main() {
    divan::main();
}

fn workload(requests: usize) -> Trace {
    let device = Mems::new(&load_mems("osdi00")).expect("osdi00 is valid");
    random(device.blocks(), RATE_PER_S, requests, 1).expect("the workload is valid")
}

fn run(trace: &Trace, scheduler: &str) -> Result<Outcome> {
    let params = load_builtin("osdi00");
    let columns = Columns::of(trace);
    columns.check()?;
    let mut replay = Replay::new(columns, 1.0, build(&params, 1)?[0].sectors(), PastEnd::Error)?;
    simulate(&params, 1, &Policy::parse(scheduler)?, &mut replay, &mut |_| ControlFlow::Continue(()))
}

/// The simulation itself, recorded columns included, on a workload in memory.
#[divan::bench(args = ["fcfs", "sstf_lbn", "clook_lbn", "sptf"], sample_count = 5, sample_size = 1)]
fn simulate_random(bencher: Bencher, scheduler: &str) {
    let trace = workload(REQUESTS);
    bencher
        .counter(ItemsCount::new(REQUESTS))
        .bench_local(|| black_box(run(&trace, scheduler).expect("the run succeeds")));
}

/// Keeps a number of requests outstanding: each completion admits the next.
struct Closed<'a> {
    trace: &'a Trace,
    row: usize,
    room: usize,
    now: Time,
}

impl Workload for Closed<'_> {
    fn next(&mut self) -> Option<Arrival> {
        if self.room == 0 || self.row == self.trace.len() {
            return None;
        }
        let row = self.row;
        (self.row, self.room) = (row + 1, self.room - 1);
        let op = if self.trace.op[row] == trace::Op::Write { Op::Write } else { Op::Read };
        let (sector, sectors) = (self.trace.lbn[row] as u64, self.trace.blocks[row] as u32);
        Some(Arrival::new(self.now, op, HostRequest { traced_device: 0, sector, sectors }))
    }

    fn completed(&mut self, _row: u32, now: Time) {
        (self.now, self.room) = (now, self.room + 1);
    }

    fn expected(&self) -> usize {
        self.trace.len()
    }
}

/// Runs with 1,000 requests outstanding, so that nearly as many wait at every decision.
#[divan::bench(args = ["fcfs", "clook_lbn", "sptf", "satf", "asptf", "zsptf"], sample_count = 5, sample_size = 1)]
fn simulate_1000_waiting(bencher: Bencher, scheduler: &str) {
    let trace = workload(REQUESTS);
    // The command overhead is zero, because otherwise requests would wait for the controller.
    let params = load("osdi00", toml::toml! { overhead_ms = 0.0 })
        .expect("the parameters are valid")
        .into_parameters();
    let policy = Policy::parse(scheduler).expect("it is a policy");
    bencher.counter(ItemsCount::new(REQUESTS)).bench_local(|| {
        let mut closed = Closed { trace: &trace, row: 0, room: 1000, now: Time::ZERO };
        black_box(simulate(&params, 1, &policy, &mut closed, &mut |_| ControlFlow::Continue(())))
            .expect("the run succeeds")
    });
}

/// A closed-form seek between random cylinders, a part of the work for each request.
#[divan::bench(sample_count = 20)]
fn seek_x(bencher: Bencher) {
    let trace = workload(1000);
    let device = Mems::new(&load_mems("osdi00")).expect("osdi00 is valid");
    let places_m: Vec<f64> = trace.lbn.iter().map(|lbn| (*lbn as f64 / 6.75e6 - 0.5) * 1e-4).collect();
    let all =
        |places_m: &[f64]| places_m.windows(2).map(|pair| device.seek_x_s(pair[0], pair[1])).sum::<f64>();
    bencher.counter(ItemsCount::new(places_m.len() - 1)).bench_local(|| all(black_box(&places_m)));
}

/// The question of a scheduler to the device about a request: its place, and the quickest way to it.
#[divan::bench(sample_count = 20)]
fn positioning(bencher: Bencher) {
    let trace = workload(1000);
    let device = Mems::new(&load_mems("osdi00")).expect("osdi00 is valid");
    let request =
        |row: usize| Request::new(row as u32, trace.lbn[row] as u64, trace.blocks[row] as u32, Op::Read);
    let requests: Vec<Request> = (0..trace.len()).map(request).collect();
    let all = |requests: &[Request]| {
        requests.iter().map(|request| device.positioning(Time::ZERO, request).0).sum::<u64>()
    };
    bencher.counter(ItemsCount::new(requests.len())).bench_local(|| all(black_box(&requests)));
}

/// Scheduling an event and taking out the next, with three pending.
#[divan::bench(sample_count = 20)]
fn engine_event(bencher: Bencher) {
    let trace = workload(1000);
    let mut engine = Engine::new();
    for event in 0..3_u64 {
        engine.schedule(Time(event), event);
    }
    bencher.counter(ItemsCount::new(trace.len())).bench_local(|| {
        for lbn in &trace.lbn {
            let (now, event) = engine.pop_until(Time::MAX).expect("three are under way");
            engine.schedule(Time(now.0 + *lbn as u64 % 1000), black_box(event));
        }
    });
}

fn ascii_file() -> PathBuf {
    let path = std::env::temp_dir().join(format!("sledsim-bench-{}.trace", std::process::id()));
    let trace = workload(REQUESTS);
    let mut text = String::new();
    for row in 0..REQUESTS {
        let (whole, part) = (trace.arrival_ns[row] / 1_000_000, trace.arrival_ns[row] % 1_000_000);
        let flags = i32::from(trace.op[row] == trace::Op::Read);
        text += &format!("{whole}.{part:06} 0 {} {} {flags:x}\n", trace.lbn[row], trace.blocks[row]);
    }
    std::fs::write(&path, text).expect("the temporary folder is writable");
    path
}

fn read(path: &Path) -> Trace {
    let input = Input::File(path.to_owned());
    let mut reader = TraceReader::open(input, &ReadOptions::default()).expect("the trace can be read");
    reader.rest(&mut |_| ControlFlow::Continue(())).expect("the trace is valid")
}

/// Reads a DiskSim ASCII file into columns.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn read_disksim_ascii(bencher: Bencher) {
    let path = ascii_file();
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    bencher
        .counter(ItemsCount::new(REQUESTS))
        .counter(BytesCount::new(bytes))
        .bench_local(|| black_box(read(&path)));
    std::fs::remove_file(&path).expect("the file is still there");
}

/// Reads and simulates a DiskSim ASCII file under FCFS, to recorded columns.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn disksim_ascii_to_record(bencher: Bencher) {
    let path = ascii_file();
    bencher
        .counter(ItemsCount::new(REQUESTS))
        .bench_local(|| black_box(run(&read(&path), "fcfs").expect("the run succeeds")));
    std::fs::remove_file(&path).expect("the file is still there");
}
