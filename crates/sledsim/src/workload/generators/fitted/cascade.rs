//! Inter-arrival times that are bursty at every time scale, from a multiplicative cascade.
//!
//! The requests of a trace are divided into blocks of consecutive requests. The duration of a block
//! is divided between its two halves, the duration of each half between its halves, and so on down
//! to single inter-arrival times (Riedi, Crouse, Ribeiro and Baraniuk 1999). The proportions are
//! drawn from distributions that depend on the number of requests and on the duration. The result
//! has bursts within bursts and pauses as in the trace. Finally, each time is replaced by the
//! recorded time of the same rank.

use std::collections::BTreeMap;

use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use super::frequencies::{Quantiles, Sample};

/// Largest number of blocks of requests whose durations are recorded; an even number.
const BLOCKS_MOST: usize = 128;
/// Number of quantile steps in a distribution of the first half's share.
const SHARE_STEPS: usize = 16;
/// Number of quantile steps in a distribution of inter-arrival times.
const TIME_STEPS: usize = 32;
/// Number of quantile steps in the distribution of times before requests of one kind.
pub(super) const KIND_TIME_STEPS: usize = 8;
/// Value that represents a share of 1 in parts per billion.
const BILLION: f64 = 1e9;
/// Number of scales of durations; a scale covers durations up to four times its shortest one.
const SCALES: usize = 32;

/// Description of the arrival times of a trace as a cascade of divided durations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cascade {
    /// Number of requests in a block of consecutive requests: a power of two.
    pub(super) block_requests: u64,
    /// Durations of the blocks of requests in ns, in the order of the trace.
    pub(super) blocks_ns: Vec<i64>,
    /// Distributions of inter-arrival times, one for each decade of times, in ascending order.
    pub(super) intervals: Vec<Intervals>,
    /// Distributions of the proportions in which the durations of blocks are divided.
    #[serde(default)]
    pub(super) halvings: Vec<Halving>,
}

/// Distribution of the inter-arrival times within one decade of times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Intervals {
    pub(super) count: u64,
    pub(super) quantiles_ns: Quantiles,
}

/// Distribution of the first half's share of a duration, for one number of requests and one scale
/// of durations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Halving {
    /// Number of requests whose common duration is divided.
    pub(super) requests: u64,
    /// Exponent k of the scale, which covers durations from 4^(k-1) up to 4^k ns.
    pub(super) below_4_to_the: u32,
    /// Share of the first half in parts per billion, as quantiles.
    pub(super) first_half_ppb: Quantiles,
}

/// Learns a distribution of inter-arrival times.
#[derive(Debug, Default)]
pub(super) struct IntervalsFit {
    decades: BTreeMap<u32, Sample>,
}

impl IntervalsFit {
    /// Adds an inter-arrival time in ns.
    pub fn add(&mut self, interval_ns: i64) {
        let decade = interval_ns.checked_ilog10().map_or(0, |digits| digits + 1);
        self.decades.entry(decade).or_default().add(interval_ns);
    }

    /// Returns a distribution for each decade of inter-arrival times, with `steps` steps between its quantiles.
    pub fn finish(&self, steps: usize) -> Vec<Intervals> {
        let decades = self.decades.values();
        decades.map(|times| Intervals { count: times.seen, quantiles_ns: times.quantiles(steps) }).collect()
    }
}

/// Learns a cascade from inter-arrival times.
#[derive(Debug, Default)]
pub(super) struct CascadeFit {
    intervals: IntervalsFit,
    /// Duration in ns of a first half whose second half is not complete yet, by the binary
    /// logarithm of the number of requests in a half.
    waiting: Vec<Option<i64>>,
    /// Observed shares of first halves, by the binary logarithm of the number of requests in a half
    /// and by the scale of the whole duration.
    shares: BTreeMap<(usize, u32), Sample>,
    blocks_ns: Vec<i64>,
    /// Binary logarithm of the number of requests in a block; it grows with the length of the
    /// trace.
    pub level: usize,
}

impl CascadeFit {
    /// Adds the time in ns from an arrival to the next.
    pub fn add(&mut self, interval_ns: i64) {
        self.intervals.add(interval_ns);
        let mut time_ns = interval_ns;
        for level in 0.. {
            if level == self.level {
                self.blocks_ns.push(time_ns);
            }
            if level == self.waiting.len() {
                self.waiting.push(None);
            }
            let Some(first_ns) = self.waiting[level].take() else {
                self.waiting[level] = Some(time_ns);
                break;
            };
            time_ns += first_ns;
            if time_ns > 0 {
                let share = first_ns as f64 / time_ns as f64;
                let key = (level, scale(time_ns));
                self.shares.entry(key).or_default().add((share * BILLION).round() as i64);
            }
        }
        if self.blocks_ns.len() == BLOCKS_MOST {
            self.blocks_ns = self.blocks_ns.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.level += 1;
        }
    }

    /// Returns the cascade that was learnt.
    pub fn finish(&self) -> Cascade {
        let shares = self.shares.iter().filter(|((level, _), _)| *level < self.level);
        Cascade {
            block_requests: 1 << self.level,
            blocks_ns: self.blocks_ns.clone(),
            intervals: self.intervals.finish(TIME_STEPS),
            halvings: shares
                .map(|((level, scale), shares)| Halving {
                    requests: 2 << level,
                    below_4_to_the: *scale,
                    first_half_ppb: shares.quantiles(SHARE_STEPS),
                })
                .collect(),
        }
    }
}

/// Exponent k of the scale of a positive time in ns: 4^k is the smallest power of four that is
/// larger.
fn scale(time_ns: i64) -> u32 {
    (i64::BITS - time_ns.leading_zeros()).div_ceil(2)
}

impl Cascade {
    /// Indices of the blocks of the trace from which `count` requests are drawn. If the trace has
    /// more requests, the blocks are evenly spread over the trace; if it has fewer, its blocks are
    /// used repeatedly.
    pub fn blocks(&self, count: usize) -> impl Iterator<Item = usize> {
        let (all, wanted) = (self.blocks_ns.len(), (count as u64).div_ceil(self.block_requests) as usize);
        (0..wanted).map(move |block| if wanted < all { block * all / wanted } else { block % all })
    }

    /// Draws `count` inter-arrival times in ns.
    pub fn draw(&self, count: usize, rng: &mut Pcg64) -> Vec<i64> {
        let (tree, level) = (Tree::new(self), self.block_requests.ilog2() as usize);
        let mut intervals_ns = Vec::with_capacity(count);
        for block in self.blocks(count) {
            tree.share_out(level, self.blocks_ns[block], count, rng, &mut intervals_ns);
        }
        by_rank(&self.intervals, (0..count as u32).collect(), &mut intervals_ns);
        intervals_ns
    }
}

/// Replaces the times with the indices `which` in `intervals_ns` by recorded times: the time of
/// each rank by the recorded time of the same rank. Does nothing if no times are recorded.
pub(super) fn by_rank(recorded: &[Intervals], mut which: Vec<u32>, intervals_ns: &mut [i64]) {
    which.sort_by_key(|at| intervals_ns[*at as usize]);
    let all: f64 = recorded.iter().map(|times| times.count as f64).sum();
    let (mut decades, mut below) = (recorded.iter(), 0.0);
    let Some(mut times) = decades.next() else { return };
    for (rank, at) in which.iter().enumerate() {
        let wanted = (rank as f64 + 0.5) / which.len() as f64 * all;
        while wanted >= below + times.count as f64 {
            below += times.count as f64;
            let Some(next) = decades.next() else { break };
            times = next;
        }
        let share = ((wanted - below) / times.count as f64).clamp(0.0, 1.0);
        intervals_ns[*at as usize] = times.quantiles_ns.at(share).unwrap_or(0);
    }
}

/// The distributions of first halves' shares, arranged for lookup.
struct Tree<'a> {
    /// Distributions by the binary logarithm of the number of requests in a half and by the scale
    /// of the duration; for a scale without data, the distribution of the nearest scale.
    shares: Vec<Vec<Option<&'a Quantiles>>>,
}

impl<'a> Tree<'a> {
    fn new(cascade: &'a Cascade) -> Self {
        let levels = cascade.block_requests.ilog2();
        let of_level = |level: u32| {
            let mut rows: Vec<&Halving> =
                cascade.halvings.iter().filter(|row| row.requests == 2 << level).collect();
            rows.sort_by_key(|row| row.below_4_to_the);
            let nearest = |scale: u32| {
                let row = rows.iter().min_by_key(|row| row.below_4_to_the.abs_diff(scale));
                row.map(|row| &row.first_half_ppb)
            };
            (0..=SCALES as u32).map(nearest).collect()
        };
        Self { shares: (0..levels).map(of_level).collect() }
    }

    /// Divides the duration of a block into inter-arrival times, and appends these until there are
    /// `count` times in all.
    fn share_out(
        &self,
        level: usize,
        time_ns: i64,
        count: usize,
        rng: &mut Pcg64,
        intervals_ns: &mut Vec<i64>,
    ) {
        if intervals_ns.len() == count {
            return;
        }
        let Some(below) = level.checked_sub(1) else {
            intervals_ns.push(time_ns);
            return;
        };
        let shares = self.shares[below][scale(time_ns) as usize];
        let share = shares.and_then(|shares| shares.draw(rng)).map_or(0.5, |ppb| ppb as f64 / BILLION);
        let first_ns = ((time_ns as f64 * share).round() as i64).min(time_ns);
        self.share_out(below, first_ns, count, rng, intervals_ns);
        self.share_out(below, time_ns - first_ns, count, rng, intervals_ns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Checks the shares of first halves. In the time sequence of the test, a first half takes
    /// three quarters of the time of eight requests, half the time of four, and a quarter of the
    /// time of two.
    #[test]
    fn halves_share_the_time_as_blocks_of_their_size_do() {
        let halving = |requests, share: f64| Halving {
            requests,
            below_4_to_the: 5,
            first_half_ppb: Quantiles(vec![(BILLION * share) as i64]),
        };
        let cascade = Cascade {
            block_requests: 8,
            blocks_ns: vec![32_000, 3_200],
            intervals: Vec::new(),
            halvings: vec![halving(4, 0.5), halving(8, 0.75), halving(2, 0.25)],
        };
        let drawn = cascade.draw(16, &mut Pcg64::seed_from_u64(1));
        let first = [3000, 9000, 3000, 9000, 1000, 3000, 1000, 3000];
        assert_eq!(drawn[..8], first);
        assert_eq!(drawn[8..], first.map(|ns| ns / 10));
    }
}
