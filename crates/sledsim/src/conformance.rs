//! Requirements on every device, on which policies, volumes and records depend: tests for authors of devices.

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

/// Number of requests of a run under each policy, and of the other checks.
const RUN: usize = 60;
const COUNT: u64 = 40;
/// Maximum number of blocks of a request.
const MOST_BLOCKS: u64 = 64;

/// A device that can be copied for any length of time.
type Whole = dyn Device + 'static;

/// A requirement on a device.
#[derive(Clone, Copy)]
pub struct Check {
    /// Name, in a few words.
    pub name: &'static str,
    /// The requirement, and its reason.
    pub meaning: &'static str,
    check: fn(&Whole) -> std::result::Result<(), String>,
}

/// All requirements.
pub const CHECKS: &[Check] = &[
    Check {
        name: "places",
        meaning: "every block lies within the extent: policies keep queues by cylinder and by y",
        check: places,
    },
    Check {
        name: "looking",
        meaning: "asking for the time of a request changes nothing: policies ask for every waiting request",
        check: looking,
    },
    Check {
        name: "copies",
        meaning: "a copy is independent of the original, and behaves without chance",
        check: copies,
    },
    Check {
        name: "access",
        meaning: "the predicted time of an access equals the time of its service",
        check: access,
    },
    Check {
        name: "idle time",
        meaning: "the parts of an idle time add up to the idle time, and no energy is negative",
        check: idle,
    },
    Check {
        name: "runs",
        meaning:
            "under every built-in policy each request is served once, one at a time, in phases that add up",
        check: runs,
    },
    Check {
        name: "no choice",
        meaning: "with one request in the system at a time, every built-in policy equals fcfs",
        check: no_choice,
    },
];

impl Check {
    /// The violation of the requirement, if any.
    #[must_use]
    pub fn failure(&self, device: &Whole) -> Option<String> {
        (self.check)(device).err()
    }
}

type Checked = std::result::Result<(), String>;

/// Fails a check with a text.
macro_rules! expect {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err(format!($($text)+));
        }
    };
}

/// Requests all over a device: at its ends, reads and writes that continue earlier requests, some of many blocks.
fn requests(device: &Whole) -> Vec<Request> {
    let blocks = device.blocks();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |most: u64| {
        // Marsaglia's xorshift is enough: these are cases, not statistics.
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
                // The request starts at the end of the last one.
                _ if row % 4 == 0 && end + count <= blocks => end,
                _ => draw(blocks - count + 1),
            };
            end = lbn + count;
            let op = if row % 5 < 2 { Op::Write } else { Op::Read };
            Request::new(row as u32, lbn, count as u32, op).with_data()
        })
        .collect()
}

/// Serves requests one after the other, and passes a copy to `see` before each.
fn each(device: &Whole, mut see: impl FnMut(&Whole, Time, &Request, &Service) -> Checked) -> Checked {
    let mut device = dyn_clone::clone_box(device);
    let mut now = Time::ZERO;
    device.begin(now);
    for request in requests(&*device) {
        let before = dyn_clone::clone_box(&*device);
        let service = device.serve(now, &request);
        see(&*before, now, &request, &service)?;
        let end = now + service.total();
        expect!(end > now, "{}: expected a service that takes time, found 0 s", told(&request));
        now = end.max(device.complete(end, &request)) + Span::from_s(1e-3);
    }
    Ok(())
}

/// Describes a request in words, for messages.
fn told(request: &Request) -> String {
    let Request { lbn, blocks, op, .. } = request;
    let what = if *op == Op::Write { "write" } else { "read" };
    format!("the {what} of {blocks} blocks at {lbn}")
}

/// Formats a span in milliseconds with all nanoseconds.
fn in_ms(span: Span) -> String {
    let digits = format!("{:.6}", span.0 as f64 * 1e-6);
    format!("{} ms", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// The first phase in which two services of one request differ, if any.
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
            "the phases are equal, but their parts or their energy differ: {} J and {} J",
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
                "block {lbn}: expected a cylinder below {cylinders} and y below {most}, found cylinder {cylinder} and y = {y_bits}"
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
            "{}: asking for the times of requests changed the predicted positioning from {} to {}",
            told(request),
            in_ms(first),
            in_ms(again)
        );
        let served = looked.serve(now, request);
        expect!(
            served == *service,
            "{}: asking for the times of requests changed the service: {}",
            told(request),
            difference(service, &served)
        );
        let alike = all.iter().filter(|other| other.op == request.op && !before.depends_on_place());
        for other in alike {
            let elsewhere = before.positioning(now, other);
            expect!(
                elsewhere == first,
                "depends_on_place is false, but {} has a positioning of {}, and {} has a positioning of {}",
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
            "{}: a copy serves it differently from the original: {}",
            told(request),
            difference(service, &served)
        );
        Ok(())
    })
}

fn access(device: &Whole) -> Checked {
    each(device, |before, now, request, service| {
        let (said, taken) = (before.access(now, request), service.total());
        // Each phase is rounded separately.
        expect!(
            said.0.abs_diff(taken.0) <= PHASES,
            "{}: the predicted access takes {}, but the phases of the service take {}",
            told(request),
            in_ms(said),
            in_ms(taken)
        );
        Ok(())
    })
}

/// Nanoseconds by which a total may differ from the sum of its rounded phases.
const PHASES: u64 = 8;

fn idle(device: &Whole) -> Checked {
    let mut device = dyn_clone::clone_box(device);
    device.begin(Time::ZERO);
    for lasts_s in [0.0, 1e-6, 1e-3, 0.1, 10.0, 1e4] {
        let lasts = Span::from_s(lasts_s);
        let parts = device.idle(lasts).parts();
        let sum: u64 = parts.iter().map(|(span, _)| span.0).sum();
        expect!(sum == lasts.0, "idle time of {lasts_s} s: the parts add up to {} s", Span(sum).as_s());
        for (_, joules) in parts {
            expect!(
                (0.0..=f64::MAX).contains(&joules),
                "idle time of {lasts_s} s: expected an energy of at least 0 J, found {joules} J"
            );
        }
    }
    Ok(())
}

/// The record of a run of a few requests.
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

/// Random requests that keep a device busy for the share `load` of the time, if served in the order of arrival.
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
            "{}: {} of {} requests were served",
            policy.name,
            record.completion_ns.len(),
            trace.len()
        );
        let mut services = Vec::new();
        for at in 0..trace.len() {
            let [start, end] = [record.start_ns[at], record.completion_ns[at] - record.bus_ns[at]];
            expect!(
                start >= record.arrival_ns[at],
                "{}: the request in row {at} begins before it arrives",
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
                "{}: the request in row {at} takes {} ns, but its phases add up to {phases} ns",
                policy.name,
                end - start
            );
            services.push((start, end));
        }
        services.sort_unstable();
        expect!(
            services.windows(2).all(|pair| pair[0].1 <= pair[1].0),
            "{}: two requests are served at once",
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
            "{}: the result differs from fcfs although no request waits",
            policy.name
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{build, load_builtin};

    /// The requests take about `load` times their arrival period when served one after the other.
    #[test]
    fn a_workload_keeps_a_device_busy_for_its_load() {
        let device = build(&load_builtin("osdi00"), 1).unwrap().remove(0);
        for load in [0.5, 1.0, 2.0] {
            let trace = workload(&*device, load).unwrap();
            let record = run(&*device, &trace, "fcfs").unwrap();
            let busy: i64 = (0..RUN).map(|at| record.completion_ns[at] - record.start_ns[at]).sum();
            let found = busy as f64 / record.arrival_ns[RUN - 1] as f64;
            assert!((0.7..1.4).contains(&(found / load)), "{found} instead of {load}");
        }
    }
}
