//! A custom scheduler in one file: `cargo run --release --example own_scheduler`.
//!
//! SPTF that favours reads, because a program waits for a read, while most writes happen in the background. The
//! positioning time of a write counts `penalty_ms` more, an option that users give in the policy's name.

use std::ops::ControlFlow;

use sledsim::device::load_builtin;
use sledsim::device::{build, Device};
use sledsim::error::Result;
use sledsim::request::{Op, Request};
use sledsim::sched::{register_scheduler, OptionRow, Options, Policy, Scheduler, SchedulerRow};
use sledsim::simulation::simulate;
use sledsim::time::{Span, Time};
use sledsim::workload::{random, Columns, PastEnd, Replay};

/// Serves the request for which the device can be positioned soonest, with a penalty for writes.
#[derive(Clone)]
struct ReadsSooner {
    penalty: Span,
    queue: Vec<Request>,
}

impl ReadsSooner {
    fn new(options: &Options) -> Result<Self> {
        Ok(Self { penalty: Span::from_s(options.number("penalty_ms")? * 1e-3), queue: Vec::new() })
    }

    fn cost(&self, now: Time, device: &dyn Device, request: &Request) -> Span {
        let penalty = if request.op == Op::Write { self.penalty } else { Span::ZERO };
        device.positioning(now, request) + penalty
    }
}

impl Scheduler for ReadsSooner {
    fn push(&mut self, request: Request, _device: &dyn Device) {
        self.queue.push(request);
    }

    /// The queue is not in order of arrival, because `take` fills holes from behind: the row breaks ties.
    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        let order = |request: &&Request| (self.cost(now, device, request), request.row);
        self.queue.iter().min_by_key(order).copied()
    }

    fn take(&mut self, request: &Request, _device: &dyn Device) {
        let at = self.queue.iter().position(|waiting| waiting.row == request.row);
        self.queue.swap_remove(at.expect("what is taken waits in the queue"));
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}

const OPTIONS: &[OptionRow] =
    &[OptionRow::number("penalty_ms", "0.2", [0.0, 1e6], "what a write's positioning time counts more")
        .unit("ms")];

const ROW: SchedulerRow =
    SchedulerRow::new("reads-sooner", "SPTF that favours reads", &|options, _device| {
        Ok(Box::new(ReadsSooner::new(options)?))
    })
    .options(&[OPTIONS]);

/// Registers the policy under its name, for this program and everything that it calls.
///
/// # Errors
/// Never: the name is free.
pub fn register() -> Result<()> {
    register_scheduler(ROW)
}

/// Mean response times in milliseconds of reads and of writes.
///
/// # Errors
/// An unknown policy, or an invalid option.
pub fn mean_responses_ms(policy: &str) -> Result<[f64; 2]> {
    let params = load_builtin("osdi00");
    let blocks = build(&params, 1)?[0].sectors();
    let trace = random(blocks, 1500.0, 10_000, 1)?;
    let columns = Columns::of(&trace);
    let mut replay = Replay::new(columns, 1.0, blocks, PastEnd::Error)?;
    let go_on = &mut |_| ControlFlow::Continue(());
    let record = simulate(&params, 1, &Policy::parse(policy)?, &mut replay, go_on)?.record;
    Ok([false, true].map(|write| {
        let rows = (0..trace.len()).filter(|row| (trace.op[*row] == sledsim::trace::Op::Write) == write);
        let each: Vec<i64> = rows.map(|row| record.completion_ns[row] - record.arrival_ns[row]).collect();
        each.iter().sum::<i64>() as f64 / each.len() as f64 * 1e-6
    }))
}

#[expect(clippy::disallowed_macros, reason = "the core does not print, a program does")]
fn main() -> Result<()> {
    register()?;
    println!("{:28} {:>9} {:>9}", "mean response in ms", "reads", "writes");
    for policy in ["sptf", "reads-sooner", "reads-sooner:penalty_ms=2", "sptf+priority"] {
        let [reads, writes] = mean_responses_ms(policy)?;
        println!("{policy:28} {reads:9.2} {writes:9.2}");
    }
    Ok(())
}
