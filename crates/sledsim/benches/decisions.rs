//! Cost of a decision: `cargo bench --bench decisions`, of some policies: `-- sptf zsptf`. One thread.
//!
//! A queue is kept at one length: each decision takes a request out, serves it on the device, and puts a new one in.
//! The table gives the time of the scheduler alone, as the median of several stretches, with the index over places
//! and with a linear search.

// A benchmark has a clock, and prints.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

use std::hint::black_box;
use std::time::Instant;

use sledsim::device::build;
use sledsim::device::load_builtin;
use sledsim::request::{Op, Request};
use sledsim::sched::Policy;
use sledsim::time::Time;
use sledsim::trace;
use sledsim::workload::random;

const DEVICES: [&str; 2] = ["osdi00", "hong03"];
const POLICIES: [&str; 5] = ["sptf", "satf", "asptf:weight=5", "wptf", "zsptf"];
const QUEUES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];
/// Number of stretches timed, of which the median counts.
const STRETCHES: usize = 7;
/// Decisions in a stretch with an index, and requests examined in one without.
const DECISIONS: usize = 20_000;
const LOOKS: usize = 400_000;

fn main() {
    println!("nanoseconds a decision, push and pop included; in brackets by looking at every request");
    println!("{:8} {:16} {}", "device", "policy", QUEUES.map(|queue| format!("{queue:>22}")).concat());
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for device in DEVICES {
        for policy in
            POLICIES.into_iter().filter(|policy| asked.is_empty() || asked.iter().any(|word| word == policy))
        {
            let cells = QUEUES.map(|queue| cell(device, policy, queue));
            println!("{device:8} {policy:16} {}", cells.concat());
        }
    }
}

fn cell(device: &str, policy: &str, queue: usize) -> String {
    let linear = format!("{policy}{}search=linear", if policy.contains(':') { ',' } else { ':' });
    let looks = (LOOKS / queue).clamp(3, DECISIONS);
    let [indexed, listed] = [(policy, DECISIONS), (&*linear, looks)]
        .map(|(name, decisions)| decide(device, name, queue, decisions));
    format!("{:>22}", format!("{indexed:.0} ({listed:.0})"))
}

/// The median time of a decision in nanoseconds.
fn decide(device: &str, policy: &str, queue: usize, decisions: usize) -> f64 {
    let devices = build(&load_builtin(device), 2).expect("the device is valid");
    let [mut device, mut shadow] =
        <[_; 2]>::try_from(devices).unwrap_or_else(|_| unreachable!("two were built"));
    let mut scheduler = Policy::parse(policy).and_then(|policy| policy.build(&*device)).expect("it is valid");
    // A queue in use holds the requests that the policy likes least, as in real decisions.
    let warm = if policy.contains("linear") { 0 } else { 3 * queue.max(1_000) };
    let count = queue + warm + decisions * STRETCHES;
    let trace = random(device.blocks(), 1000.0, count, 1).expect("the workload is valid");
    let mut requests = (0..trace.len()).map(|row| {
        let op = if trace.op[row] == trace::Op::Write { Op::Write } else { Op::Read };
        Request::new(row as u32, trace.lbn[row] as u64, trace.blocks[row] as u32, op)
    });
    for request in requests.by_ref().take(queue) {
        scheduler.push(request, &*device);
    }
    let mut now = Time::ZERO;
    let (mut times_ns, mut served) = (Vec::new(), Vec::with_capacity(warm.max(decisions)));
    for (stretch, decisions) in std::iter::once(warm).chain([decisions; STRETCHES]).enumerate() {
        served.clear();
        let started = Instant::now();
        for fresh in requests.by_ref().take(decisions) {
            let request = scheduler.pop(now, &*device).expect("the queue is never empty");
            let mut fresh = Request { arrival: now, ..fresh };
            device.admit(now, &mut fresh);
            scheduler.push(fresh, &*device);
            served.push((now, request));
            now = now + device.serve(now, &request).total();
        }
        let all_ns = started.elapsed().as_nanos() as f64;
        // The same run without decisions, on a device in the same state.
        let started = Instant::now();
        for (now, request) in &served {
            black_box(shadow.serve(*now, request));
        }
        if stretch > 0 {
            times_ns.push((all_ns - started.elapsed().as_nanos() as f64) / decisions as f64);
        }
    }
    times_ns.sort_by(f64::total_cmp);
    times_ns[STRETCHES / 2]
}
