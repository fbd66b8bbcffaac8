//! Replay of a trace, closed: a fixed number of users, each with one request outstanding.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::super::{Arrival, Workload};
use super::columns::Columns;
use super::{Replay, Replaying};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::time::{Time, NANOS_PER_MS};

pub(super) const OPTIONS: &[OptionRow] = &[
    OptionRow { name: "outstanding", unit: "", default: "1", description: "requests in the system: users" },
    OptionRow {
        name: "think_ms",
        unit: "ms",
        default: "0",
        description: "mean time from a user's completion to the next request",
    },
    OptionRow {
        name: "think",
        unit: "",
        default: "fixed",
        description: "how think times are distributed: fixed or exponential",
    },
    OptionRow { name: "seed", unit: "", default: "1", description: "of exponential think times" },
];

/// More users than any queue is simulated with.
const USERS_MAX: u64 = 1 << 20;

/// The requests of a trace in its order, taken by users one at a time.
pub(super) struct Closed<'a> {
    replay: Replay<'a>,
    row: usize,
    /// When each user who has no request outstanding wants the next one.
    ready: BinaryHeap<Reverse<Time>>,
    think_ns: f64,
    rng: Option<Pcg64>,
}

impl<'a> Closed<'a> {
    pub fn new(replay: Replay<'a>, options: &Options) -> Result<Self> {
        let users = options.whole_within("outstanding", 1, USERS_MAX)?;
        let think_ms =
            options.number("think_ms", "a number of ms from 0 to 1e9", |ms| (0.0..=1e9).contains(&ms))?;
        let is_random = options.one_of("think", &[("fixed", false), ("exponential", true)])?;
        let seed = options.whole_within("seed", 0, u64::MAX)?;
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

    fn reconsider(&mut self, ahead: Option<Arrival>) -> Option<Arrival> {
        if let Some(arrival) = ahead {
            // Whoever is ready first takes the request.
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
