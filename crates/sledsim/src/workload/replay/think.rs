//! Replay of a trace with think times: a request that waited for a recorded completion waits for
//! the simulated completion.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::{Arrival, Workload};
use super::replayed_columns::Columns;
use super::{Dependencies, Replay, ReplayRow, Replaying};
use crate::error::{Error, Result};
use crate::options::{OptionRow, Options};
use crate::time::{Time, NANOS_PER_MS};

/// Entry for this mode in the table of replay modes.
pub(super) const ROW: ReplayRow = ReplayRow::new(
    "think",
    "a request that waited for another one arrives its think time after the other's completion; others at recorded times",
    |options, replay| Ok(Box::new(Think::new(replay, options)?)),
)
.options(&[OPTIONS]);

const OPTIONS: &[OptionRow] = &[OptionRow::number(
    "longest_ms",
    "1000",
    [0.0, f64::INFINITY],
    "longest time from a completion to the next request that counts as think time; inf: any time counts",
)
.unit("ms")
.or("inf")];

/// The requests of a trace. A request that waited for another one arrives its think time after the
/// simulated completion of the other one; all other requests arrive at their recorded times.
pub(super) struct Think<'a> {
    replay: Replay<'a>,
    dependencies: Dependencies,
    /// Index in `waiters` of the first request that waits for the completion of each request.
    first_waiter: Vec<u32>,
    waiters: Vec<u32>,
    /// Arrival times and rows of requests that have not arrived yet, but whose awaited request is
    /// complete; the earliest first.
    ready: BinaryHeap<Reverse<(Time, u32)>>,
    /// Row of the next independent request, which is one that waited for no other.
    independent: usize,
    /// Rows of the trace in the order in which their requests arrived in the simulation.
    issued: Vec<u32>,
}

impl<'a> Think<'a> {
    pub fn new(replay: Replay<'a>, options: &Options) -> Result<Self> {
        let longest_ms = options.number("longest_ms")?;
        if replay.columns.response_ns.iter().all(|response_ns| *response_ns == 0) {
            return Err(Error::Trace(
                "think-time replay needs measured completion or service times, which this trace does not have: use an open or closed replay (replay=\"closed:outstanding=8\"; --replay)"
                    .into(),
            ));
        }
        let dependencies = Dependencies::infer(&replay.columns, longest_ms * NANOS_PER_MS);
        let (first_waiter, waiters) = dependencies.waiters();
        let issued = Vec::with_capacity(replay.len());
        let mut made = Self {
            replay,
            dependencies,
            first_waiter,
            waiters,
            ready: BinaryHeap::new(),
            independent: 0,
            issued,
        };
        made.skip_dependent();
        Ok(made)
    }

    fn skip_dependent(&mut self) {
        while self.independent < self.replay.len() && self.dependencies.after(self.independent).is_some() {
            self.independent += 1;
        }
    }
}

impl Workload for Think<'_> {
    fn next(&mut self) -> Option<Arrival> {
        let independent = (self.independent < self.replay.len())
            .then(|| (self.replay.time(self.independent), self.independent as u32));
        let waited = self.ready.peek().map(|Reverse(entry)| *entry);
        let (time, row) = match (independent, waited) {
            (Some(first), Some(second)) if second < first => self.ready.pop().map(|Reverse(entry)| entry)?,
            (Some(first), _) => {
                self.independent += 1;
                self.skip_dependent();
                first
            }
            (None, _) => self.ready.pop().map(|Reverse(entry)| entry)?,
        };
        self.issued.push(row);
        Some(self.replay.arrival(row as usize, time))
    }

    fn completed(&mut self, row: u32, now: Time) {
        let row = self.issued[row as usize] as usize;
        let waiters = self.first_waiter[row] as usize..self.first_waiter[row + 1] as usize;
        for waiter in &self.waiters[waiters] {
            let think_ns = self.dependencies.think_ns[*waiter as usize] as f64 / self.replay.scale;
            self.ready.push(Reverse((Time(now.0 + (think_ns + 0.5) as u64), *waiter)));
        }
    }

    fn next_or_earlier(&mut self, ahead: Option<Arrival>) -> Option<Arrival> {
        let is_later =
            |arrival: &Arrival| self.ready.peek().is_some_and(|Reverse((time, _))| *time < arrival.time);
        match ahead {
            Some(arrival) if !is_later(&arrival) => Some(arrival),
            Some(arrival) => {
                let row = self.issued.pop().expect("the request ahead was issued last");
                self.ready.push(Reverse((arrival.time, row)));
                self.next()
            }
            None => self.next(),
        }
    }

    fn expected(&self) -> usize {
        self.replay.len()
    }
}

impl<'a> Replaying<'a> for Think<'a> {
    fn columns(&self) -> &Columns<'a> {
        &self.replay.columns
    }

    fn waited(&self) -> usize {
        self.dependencies.count()
    }

    fn trace_rows(&self) -> Option<&[u32]> {
        Some(&self.issued)
    }
}
