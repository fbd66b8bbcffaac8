//! Closed replay of a trace: a fixed number of users, each of whom has one request outstanding at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::super::{Arrival, Workload};
use super::replayed_columns::Columns;
use super::{Replay, ReplayRow, Replaying};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::time::{Time, NANOS_PER_MS};

/// Entry for this mode in the table of replay modes.
pub(super) const ROW: ReplayRow = ReplayRow::new(
    "closed",
    "fixed number of outstanding requests; the recorded arrival times are ignored",
    |options, replay| Ok(Box::new(Closed::new(replay, options)?)),
)
.options(&[OPTIONS]);

const OPTIONS: &[OptionRow] = &[
    OptionRow::whole(
        "outstanding",
        "1",
        [1, USERS_MAX],
        "number of users, each with one outstanding request at a time",
    ),
    OptionRow::number(
        "think_ms",
        "0",
        [0.0, 1e9],
        "mean think time, from a completion to the next request of the same user",
    )
    .unit("ms"),
    OptionRow::one_of("think", &["fixed", "exponential"], "distribution of think times"),
    OptionRow::whole("seed", "1", [0, u64::MAX], "seed of think times; only with think=exponential"),
];

/// Largest number of users, more requests than any simulated queue holds.
const USERS_MAX: u64 = 1 << 20;

/// The requests of a trace in order; a user who is ready takes the next one.
pub(super) struct Closed<'a> {
    replay: Replay<'a>,
    row: usize,
    /// Times at which the users without an outstanding request are ready to issue the next request.
    ready: BinaryHeap<Reverse<Time>>,
    think_ns: f64,
    rng: Option<Pcg64>,
}

impl<'a> Closed<'a> {
    pub fn new(replay: Replay<'a>, options: &Options) -> Result<Self> {
        let users = options.whole("outstanding")?;
        let think_ms = options.number("think_ms")?;
        let is_random = options.is("think", "exponential")?;
        let seed = options.whole("seed")?;
        Ok(Self {
            ready: (0..users).map(|_| Reverse(Time::ZERO)).collect(),
            think_ns: think_ms * NANOS_PER_MS / replay.scale,
            rng: is_random.then(|| Pcg64::seed_from_u64(seed)),
            replay,
            row: 0,
        })
    }
}

impl Workload for Closed<'_> {
    fn next(&mut self) -> Option<Arrival> {
        if self.row == self.replay.len() {
            return None;
        }
        let Reverse(time) = self.ready.pop()?;
        self.row += 1;
        Some(self.replay.arrival(self.row - 1, time))
    }

    fn completed(&mut self, _row: u32, now: Time) {
        let times = self.rng.as_mut().map_or(1.0, |rng| -libm::log(1.0 - rng.random::<f64>()));
        self.ready.push(Reverse(Time(now.0 + (self.think_ns * times + 0.5) as u64)));
    }

    fn next_or_earlier(&mut self, ahead: Option<Arrival>) -> Option<Arrival> {
        if let Some(arrival) = ahead {
            // The user who is ready first takes the request.
            self.ready.push(Reverse(arrival.time));
            self.row -= 1;
        }
        self.next()
    }

    fn expected(&self) -> usize {
        self.replay.len()
    }
}

impl<'a> Replaying<'a> for Closed<'a> {
    fn columns(&self) -> &Columns<'a> {
        &self.replay.columns
    }
}
