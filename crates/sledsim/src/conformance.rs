//! Requirements that every device must meet, because policies, volumes and records rely on them. Authors of
//! devices run the checks of these requirements as tests.

use std::ops::ControlFlow;

use crate::device::{Coordinates, Device, Extent, Service};
use crate::error::{Error, Result};
use crate::record::Record;
use crate::request::{Op, Request};
use crate::sched::{Policy, SCHEDULERS};
use crate::simulation::simulate_devices;
use crate::time::{Span, Time};
use crate::trace::Trace;
use crate::workload::{random, Columns, PastEnd, Replay};

/// Number of requests in the run of each policy, in the checks that simulate runs.
const RUN: usize = 60;
/// Number of requests in each check that simulates no run.
const COUNT: u64 = 40;
/// Largest number of blocks of a request in the checks.
const MOST_BLOCKS: u64 = 64;

/// A device that borrows nothing, so that it can be copied and has no limited lifetime.
type Whole = dyn Device + 'static;

/// A requirement on devices, with a function that checks if a device meets the requirement.
#[derive(Clone, Copy)]
pub struct Check {
    /// Name of the requirement, in a few words.
    pub name: &'static str,
    /// The requirement, and the parts of the simulator that rely on it.
    pub meaning: &'static str,
    check: fn(&Whole) -> std::result::Result<(), String>,
}

/// All requirements.
pub const CHECKS: &[Check] = &[
    Check {
        name: "places",
        meaning: "each block is within the cylinders and y that the device states: policies sort requests by both",
        check: places,
    },
    Check {
        name: "looking",
        meaning: "computing times does not change the device: policies compute times for all waiting requests",
        check: looking,
    },
    Check {
        name: "copies",
        meaning: "a copy serves requests as the device does: no random numbers, no state shared by copies",
        check: copies,
    },
    Check {
        name: "access",
        meaning: "the access time that the device predicts for a request equals the access time of its service",
        check: access,
    },
    Check {
        name: "idle time",
        meaning: "the phases of an idle time add up to the idle time, and no phase has a negative energy",
        check: idle,
    },
    Check {
        name: "runs",
        meaning:
            "under every built-in policy, each request is served once, services do not overlap, phases add up",
        check: runs,
    },
    Check {
        name: "no choice",
        meaning: "if only one request at a time is in the system, every built-in policy gives the same result as fcfs",
        check: no_choice,
    },
];

impl Check {
    /// Checks a device; returns a text that describes the violation of the requirement, or `None` if the device
    /// meets it.
    #[must_use]
    pub fn failure(&self, device: &Whole) -> Option<String> {
        (self.check)(device).err()
    }
}

type Checked = std::result::Result<(), String>;

/// Ends a check with the text of a violation if the condition is false.
macro_rules! expect {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err(format!($($text)+));
        }
    };
}

/// Requests to all parts of a device: reads and writes. Some are at the first or last block, some continue the
/// previous request, and some have many blocks.
fn requests(device: &Whole) -> Vec<Request> {
    let blocks = device.blocks();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |most: u64| {
        // Marsaglia's xorshift is good enough, because these requests are cases and no sample.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % most.max(1)
    };
    let mut end = 0;
    (0..COUNT)
        .map(|row| {
            let count = 1 + draw(MOST_BLOCKS.min(blocks));
            let lbn = match row {
                0 => 0,
                1 => blocks - count,
                // The request starts at the end of the request before.
                _ if row % 4 == 0 && end + count <= blocks => end,
                _ => draw(blocks - count + 1),
            };
            end = lbn + count;
            let op = if row % 5 < 2 { Op::Write } else { Op::Read };
            Request::new(row as u32, lbn, count as u32, op).with_data()
        })
        .collect()
}

/// Serves requests one after the other. Before each service, calls `see` with a copy of the device, the time,
/// the request and its service.
fn each(device: &Whole, mut see: impl FnMut(&Whole, Time, &Request, &Service) -> Checked) -> Checked {
    let mut device = dyn_clone::clone_box(device);
    let mut now = Time::ZERO;
    device.begin(now);
    for request in requests(&*device) {
        let before = dyn_clone::clone_box(&*device);
        let service = device.serve(now, &request);
        see(&*before, now, &request, &service)?;
        let end = now + service.total();
        expect!(end > now, "{}: expected a service longer than 0 s, found 0 s", told(&request));
        now = end.max(device.complete(end, &request)) + Span::from_s(1e-3);
    }
    Ok(())
}

/// Describes a request in words, for messages: its operation, number of blocks and first block.
fn told(request: &Request) -> String {
    let Request { lbn, blocks, op, .. } = request;
    let what = if *op == Op::Write { "write" } else { "read" };
    format!("the {what} of {blocks} blocks at LBN {lbn}")
}

/// Formats a span in milliseconds, with as many decimal places as its nanoseconds need.
fn in_ms(span: Span) -> String {
    let digits = format!("{:.6}", span.0 as f64 * 1e-6);
    format!("{} ms", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// Describes the first phase that differs between two services of one request, and its two durations.
fn difference(one: &Service, other: &Service) -> String {
    let phases = |service: &Service| {
        [
            ("command", service.command),
            ("wait", service.wait),
            ("positioning", service.positioning),
            ("hold", service.hold),
            ("switching", service.switching),
            ("transfer", service.transfer),
            ("bus", service.bus),
        ]
    };
    let found = phases(one).into_iter().zip(phases(other)).find(|(one, other)| one != other);
    match found {
        Some(((phase, before), (_, after))) => format!("{phase} {} and {}", in_ms(before), in_ms(after)),
        None => format!(
            "the phases are equal, but the parts of positioning or the energies differ: {} J and {} J",
            one.energy.total_j(),
            other.energy.total_j()
        ),
    }
}

fn places(device: &Whole) -> Checked {
    let Extent { cylinders, y_bits: most } = device.extent();
    for request in requests(device) {
        for lbn in [request.lbn, request.lbn + u64::from(request.blocks) - 1] {
            let Coordinates { cylinder, y_bits, .. } = device.coordinates(lbn);
            expect!(
                cylinder < cylinders && y_bits < most,
                "block {lbn}: expected a cylinder below {cylinders} and a y below {most} bits, found cylinder {cylinder} and y = {y_bits} bits"
            );
        }
    }
    Ok(())
}

fn looking(device: &Whole) -> Checked {
    let all = requests(device);
    each(device, |before, now, request, service| {
        let mut looked = dyn_clone::clone_box(before);
        let first = looked.positioning(now, request);
        for other in &all {
            let _ =
                (looked.positioning(now, other), looked.access(now, other), looked.distance_m(now, other));
        }
        let again = looked.positioning(now, request);
        expect!(
            first == again,
            "{}: computing the times of other requests changed its predicted positioning time from {} to {}",
            told(request),
            in_ms(first),
            in_ms(again)
        );
        let served = looked.serve(now, request);
        expect!(
            served == *service,
            "{}: computing the times of requests changed its service: {}",
            told(request),
            difference(service, &served)
        );
        let alike = all.iter().filter(|other| other.op == request.op && !before.depends_on_place());
        for other in alike {
            let elsewhere = before.positioning(now, other);
            expect!(
                elsewhere == first,
                "depends_on_place is false, so that positioning times should be equal, but {} takes {} and {} takes {}",
                told(request),
                in_ms(first),
                told(other),
                in_ms(elsewhere)
            );
        }
        Ok(())
    })
}

fn copies(device: &Whole) -> Checked {
    let all = requests(device);
    each(device, |before, now, request, service| {
        let [mut one, mut other] = [(); 2].map(|()| dyn_clone::clone_box(before));
        let mut end = now;
        for busy in &all {
            end = end + one.serve(end, busy).total();
        }
        let served = other.serve(now, request);
        expect!(
            served == *service,
            "{}: a copy of the device serves this request differently from the original: {}",
            told(request),
            difference(service, &served)
        );
        Ok(())
    })
}

fn access(device: &Whole) -> Checked {
    each(device, |before, now, request, service| {
        let (said, taken) = (before.access(now, request), service.total());
        // Each phase is rounded to nanoseconds separately.
        expect!(
            said.0.abs_diff(taken.0) <= PHASES,
            "{}: the predicted access time is {}, but the phases of the service take {}",
            told(request),
            in_ms(said),
            in_ms(taken)
        );
        Ok(())
    })
}

/// Largest difference in nanoseconds between a total and the sum of its rounded phases.
const PHASES: u64 = 8;

fn idle(device: &Whole) -> Checked {
    let mut device = dyn_clone::clone_box(device);
    device.begin(Time::ZERO);
    for lasts_s in [0.0, 1e-6, 1e-3, 0.1, 10.0, 1e4] {
        let lasts = Span::from_s(lasts_s);
        let parts = device.idle(lasts).parts();
        let sum: u64 = parts.iter().map(|(span, _)| span.0).sum();
        expect!(
            sum == lasts.0,
            "idle time of {lasts_s} s: expected parts that add up to it, found a sum of {} s",
            Span(sum).as_s()
        );
        for (_, joules) in parts {
            expect!(
                (0.0..=f64::MAX).contains(&joules),
                "idle time of {lasts_s} s: expected an energy of at least 0 J for each part, found {joules} J"
            );
        }
    }
    Ok(())
}

/// Runs the requests of `trace` under a policy, and returns the record.
fn run(device: &Whole, trace: &Trace, policy: &str) -> std::result::Result<Record, String> {
    let run = || -> Result<Record> {
        let columns = Columns::of(trace);
        let mut replay = Replay::new(columns, 1.0, device.sectors(), PastEnd::Error)?;
        let policy = Policy::parse(policy)?;
        let devices = vec![dyn_clone::clone_box(device)];
        let record = Record::with_capacity(trace.len());
        simulate_devices(devices, &policy, &mut replay, record, &mut |_| ControlFlow::Continue(()))
            .map(|outcome| outcome.record)
    };
    run().map_err(|error: Error| format!("{policy}: {error}"))
}

/// Random requests with the load `load`: served in the order of arrival, they keep the device busy for this
/// share of the time.
fn workload(device: &Whole, load: f64) -> std::result::Result<Trace, String> {
    let mut busy = Span::ZERO;
    each(device, |_, _, _, service| {
        busy += service.total();
        Ok(())
    })?;
    let rate_per_s = load * COUNT as f64 / busy.as_s();
    random(device.sectors(), rate_per_s, RUN, 1).map_err(|error| error.to_string())
}

fn runs(device: &Whole) -> Checked {
    let trace = workload(device, 2.0)?;
    for policy in SCHEDULERS.built_in() {
        let record = run(device, &trace, policy.name)?;
        expect!(
            record.completion_ns.len() == trace.len(),
            "{}: only {} of {} requests were served",
            policy.name,
            record.completion_ns.len(),
            trace.len()
        );
        let mut services = Vec::new();
        for at in 0..trace.len() {
            let [start, end] = [record.start_ns[at], record.completion_ns[at] - record.bus_ns[at]];
            expect!(
                start >= record.arrival_ns[at],
                "{}: the service of request {at} starts before the request arrives",
                policy.name
            );
            let phases = record.command_ns[at]
                + record.wait_ns[at]
                + record.positioning_ns[at]
                + record.hold_ns[at]
                + record.switch_ns[at]
                + record.transfer_ns[at];
            expect!(
                end - start == phases,
                "{}: the service of request {at} takes {} ns, but its phases add up to {phases} ns",
                policy.name,
                end - start
            );
            services.push((start, end));
        }
        services.sort_unstable();
        expect!(
            services.windows(2).all(|pair| pair[0].1 <= pair[1].0),
            "{}: the services of two requests overlap",
            policy.name
        );
    }
    Ok(())
}

fn no_choice(device: &Whole) -> Checked {
    let mut trace = workload(device, 1.0)?;
    let longest = run(device, &trace, "fcfs")?;
    let longest = longest.completion_ns.iter().zip(&longest.start_ns).map(|(end, start)| end - start).max();
    let apart_ns = 4 * longest.unwrap_or(0) + 1_000_000;
    for (at, arrival_ns) in trace.arrival_ns.iter_mut().enumerate() {
        *arrival_ns = at as i64 * apart_ns;
    }
    let expected = run(device, &trace, "fcfs")?;
    for policy in SCHEDULERS.built_in() {
        expect!(
            run(device, &trace, policy.name)? == expected,
            "{}: the result differs from that of fcfs, although no request waits for another",
            policy.name
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{build, load_builtin};

    /// Checks that the services of a workload keep a device busy for about the share `load` of the time.
    #[test]
    fn a_workload_keeps_a_device_busy_for_its_load() {
        let device = build(&load_builtin("osdi00"), 1).unwrap().remove(0);
        for load in [0.5, 1.0, 2.0] {
            let trace = workload(&*device, load).unwrap();
            let record = run(&*device, &trace, "fcfs").unwrap();
            let busy: i64 = (0..RUN).map(|at| record.completion_ns[at] - record.start_ns[at]).sum();
            let found = busy as f64 / record.arrival_ns[RUN - 1] as f64;
            assert!((0.7..1.4).contains(&(found / load)), "expected a load of {load}, found {found}");
        }
    }
}
