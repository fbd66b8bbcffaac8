//! Arrivals from sources that are on and off in turn: one source gives bursts, many give self-similar
//! arrivals.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::RngExt;
use rand_pcg::Pcg64;

use super::arrival_options::{OFF, ON, RATE};
use super::draws::{exponential, rng_beside};
use crate::error::Result;
use crate::options::Options;
use crate::time::{NANOS_PER_MS, NANOS_PER_S};

/// Number that identifies the random number generator for on and off periods, which is separate
/// from the one for the requests.
const PERIODS: u64 = 1;
/// Largest mean number of on and off periods between two arrivals, which limits the computing time.
const PERIODS_MAX: f64 = 1e4;

/// The distribution of the lengths of on and off periods, without its mean.
#[derive(Clone, Copy)]
pub(super) enum Periods {
    /// Exponential distribution of period lengths.
    Exponential,
    /// Pareto distribution of period lengths; its variance is infinite if the tail index is below
    /// 2.
    Pareto {
        /// Tail index of the distribution, above 1, because the mean must exist.
        tail_index: f64,
    },
}

impl Periods {
    /// Draws the length of a period with the mean `mean`.
    fn draw(self, rng: &mut Pcg64, mean: f64) -> f64 {
        match self {
            Periods::Exponential => mean * exponential(rng),
            Periods::Pareto { tail_index } => {
                let least = mean * (tail_index - 1.0) / tail_index;
                least * libm::exp(exponential(rng) / tail_index)
            }
        }
    }

    /// Draws the remaining length of a period that is in progress at time 0, for sources in steady
    /// state.
    ///
    /// The probability density at a remaining length is the fraction of periods that are longer,
    /// divided by the mean length; it is constant up to the shortest period.
    fn rest(self, rng: &mut Pcg64, mean: f64) -> f64 {
        match self {
            Periods::Exponential => mean * exponential(rng),
            Periods::Pareto { tail_index } => {
                let least_share = (tail_index - 1.0) / tail_index;
                let below: f64 = rng.random();
                if below < least_share {
                    return mean * below;
                }
                let longer = (1.0 - below) * tail_index;
                mean * least_share * libm::exp(-libm::log(longer) / (tail_index - 1.0))
            }
        }
    }
}

/// Poisson arrivals at a rate proportional to the number of sources that are on.
pub(super) struct OnOff {
    rng: Pcg64,
    periods: Periods,
    /// Mean length in ns of an off period, and of an on period.
    means_ns: [f64; 2],
    /// Number of arrivals per ns from each source that is on.
    rate_per_ns: f64,
    /// Times in ns at which sources turn on or off next, with the index of the source; the earliest
    /// first.
    turns: BinaryHeap<Reverse<(u64, u32)>>,
    is_on: Vec<bool>,
    on: u32,
    now_ns: f64,
}

impl OnOff {
    /// Returns arrivals from `sources` on-off sources in steady state, with the mean rate `rate_per_s`.
    ///
    /// # Errors A mean period is not a positive number, or is too short to be simulated.
    pub(super) fn new(options: &Options, rate_per_s: f64, sources: u32, periods: Periods) -> Result<Self> {
        let mean_ns = |name: &str| options.number(name).map(|ms| ms * NANOS_PER_MS);
        let means_ns = [mean_ns(OFF.name)?, mean_ns(ON.name)?];
        let cycle_ns = means_ns[0] + means_ns[1];
        let (on_share, sources_f) = (means_ns[1] / cycle_ns, f64::from(sources));
        if 2.0 * sources_f / cycle_ns * NANOS_PER_S > PERIODS_MAX * rate_per_s {
            return Err(
                options.fault(RATE.name, "a rate of more than one request in ten thousand on-off periods")
            );
        }
        let rate_per_ns = rate_per_s / NANOS_PER_S / (sources_f * on_share);
        let mut rng = rng_beside(options, PERIODS)?;
        let is_on: Vec<bool> = (0..sources).map(|_| rng.random::<f64>() < on_share).collect();
        let turn = |(on, source): (&bool, u32)| {
            Reverse((periods.rest(&mut rng, means_ns[usize::from(*on)]) as u64, source))
        };
        let turns = is_on.iter().zip(0..).map(turn).collect();
        let on = is_on.iter().filter(|on| **on).count() as u32;
        Ok(Self { rng, periods, means_ns, rate_per_ns, turns, is_on, on, now_ns: 0.0 })
    }

    /// Returns the time in s of the next arrival, at most `latest_s`. It is the time at which the
    /// sources that are on have given `load` expected arrivals since the last one.
    pub(super) fn next_s(&mut self, mut load: f64, latest_s: f64) -> f64 {
        while self.now_ns < latest_s * NANOS_PER_S {
            let Reverse((turn_ns, source)) = *self.turns.peek().expect("there is a source");
            let rate_per_ns = f64::from(self.on) * self.rate_per_ns;
            let until_turn = rate_per_ns * (turn_ns as f64 - self.now_ns);
            if self.on > 0 && load <= until_turn {
                self.now_ns += load / rate_per_ns;
                return self.now_ns / NANOS_PER_S;
            }
            load -= until_turn;
            self.now_ns = turn_ns as f64;
            self.turn(turn_ns, source);
        }
        latest_s
    }

    /// Turns the source `source` on or off at `now_ns`, and draws the time at which it turns again.
    fn turn(&mut self, now_ns: u64, source: u32) {
        self.turns.pop();
        let on = &mut self.is_on[source as usize];
        *on = !*on;
        self.on = if *on { self.on + 1 } else { self.on - 1 };
        let period_ns = self.periods.draw(&mut self.rng, self.means_ns[usize::from(*on)]);
        self.turns.push(Reverse((now_ns.saturating_add(period_ns as u64), source)));
    }
}
