//! When requests come: in sessions, and in the flushes that write what sessions leave.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::super::drawn::Drawn;
use super::super::draws::{exponential, normal};
use super::super::sessions::{length_deviation, SESSION_MEDIAN};
use super::day::Day;
use super::kinds::{Left, KINDS};
use crate::error::Result;
use crate::time::{NANOS_PER_MS, NANOS_PER_S};

/// From flush to flush: that of the update daemon (003-D5).
pub(super) const FLUSH_PERIOD_S: f64 = 30.0;

/// Mean gaps are looked for between these, to a thousandth, by halving so often.
const GAPS_S: [f64; 2] = [1e-6, 1.0];
const HALVINGS: usize = 14;
/// How often the two gaps are found in turn; each has little to do with the other's share.
const ROUNDS: usize = 2;

/// A request of a session or a flush.
#[derive(Clone, Copy)]
struct Planned {
    /// Time at which its burst begins.
    from_s: f64,
    /// How far behind that it comes, in mean gaps.
    gaps: f64,
    /// Index in the table of kinds.
    kind: usize,
}

/// Mean times from a request of a burst to the next, in seconds.
#[derive(Clone, Copy)]
struct MeanGaps {
    session: f64,
    flush: f64,
}

/// All requests of a day.
pub(super) struct Bursts {
    planned: Vec<Planned>,
    span_s: f64,
}

impl Bursts {
    /// Sessions begin at any time; what one of them leaves comes with the first flush after its begin.
    pub fn draw(rng: &mut Pcg64, day: &Day, drawn: &mut Drawn<'_>) -> Result<Self> {
        let lengths = lengths(rng, day.requests);
        let mut starts_s: Vec<f64> = lengths.iter().map(|_| rng.random::<f64>() * day.span_s).collect();
        starts_s.sort_unstable_by(f64::total_cmp);
        let mut left = Left::all(day);
        let (mut planned, mut flushed) = (Vec::new(), Vec::new());
        for (session, (from_s, length)) in starts_s.into_iter().zip(lengths).enumerate() {
            drawn.reached(session)?;
            let (mut gaps, mut kind) = (0.0, None);
            for _ in 0..length {
                let next = left.draw(rng, kind);
                kind = Some(next);
                let gap = exponential(rng);
                if KINDS[next].flushed {
                    flushed.push(Planned { from_s: next_flush_s(from_s, day.span_s), gaps: gap, kind: next });
                } else {
                    planned.push(Planned { from_s, gaps, kind: next });
                    gaps += gap;
                }
            }
        }
        chain(&mut flushed);
        planned.append(&mut flushed);
        Ok(Self { planned, span_s: day.span_s })
    }

    /// Arrivals in nanoseconds with their kinds, in order. Mean gaps are those that the day asks for.
    pub fn arrivals(&self, day: &Day, drawn: &mut Drawn<'_>) -> Result<Vec<(i64, usize)>> {
        let metadata: Vec<Planned> =
            self.planned.iter().filter(|planned| KINDS[planned.kind].metadata).copied().collect();
        let mut mean = MeanGaps { session: GAPS_S[0], flush: GAPS_S[0] };
        for _ in 0..ROUNDS {
            mean.session = solve(|session| {
                drawn.ask()?;
                Ok(self.share_below(&self.planned, MeanGaps { session, ..mean }, 10.0) > day.below_10_ms)
            })?;
            mean.flush = solve(|flush| {
                drawn.ask()?;
                Ok(self.share_below(&metadata, MeanGaps { flush, ..mean }, 1.0) > day.metadata_below_1_ms)
            })?;
        }
        let mut arrivals: Vec<(i64, usize)> =
            self.planned.iter().map(|planned| (self.arrival_ns(planned, mean), planned.kind)).collect();
        arrivals.sort_by_key(|arrival| arrival.0);
        Ok(arrivals)
    }

    /// The part of the times between these requests that is below a limit.
    fn share_below(&self, planned: &[Planned], mean: MeanGaps, limit_ms: f64) -> f64 {
        let mut arrivals: Vec<i64> = planned.iter().map(|planned| self.arrival_ns(planned, mean)).collect();
        arrivals.sort_unstable();
        let limit_ns = (limit_ms * NANOS_PER_MS) as i64;
        let below = arrivals.windows(2).filter(|pair| pair[1] - pair[0] < limit_ns).count();
        below as f64 / arrivals.len().saturating_sub(1) as f64
    }

    /// The day is a circle: what is late on it comes early.
    fn arrival_ns(&self, planned: &Planned, mean: MeanGaps) -> i64 {
        let gap_s = if KINDS[planned.kind].flushed { mean.flush } else { mean.session };
        let at_s = planned.from_s + planned.gaps * gap_s;
        ((if at_s < self.span_s { at_s } else { at_s % self.span_s }) * NANOS_PER_S) as i64
    }
}

/// The lengths of sessions that have so many requests in all.
fn lengths(rng: &mut Pcg64, requests: u64) -> Vec<u64> {
    let deviation = length_deviation();
    let mut lengths = Vec::new();
    let mut left = requests;
    while left > 0 {
        let length = SESSION_MEDIAN * libm::exp(deviation * normal(rng));
        let length = length.round().clamp(1.0, left as f64) as u64;
        lengths.push(length);
        left -= length;
    }
    lengths
}

fn next_flush_s(at_s: f64, span_s: f64) -> f64 {
    let next_s = (at_s / FLUSH_PERIOD_S).ceil() * FLUSH_PERIOD_S;
    if next_s < span_s {
        next_s
    } else {
        0.0
    }
}

/// Puts the requests of each flush behind each other: data, then metadata, the first without a gap.
fn chain(flushed: &mut [Planned]) {
    let order = |planned: &Planned| KINDS[planned.kind].metadata;
    flushed.sort_by(|one, two| one.from_s.total_cmp(&two.from_s).then(order(one).cmp(&order(two))));
    let mut before: Option<Planned> = None;
    for planned in flushed {
        let same = before.filter(|before| before.from_s == planned.from_s);
        planned.gaps = same.map_or(0.0, |before| before.gaps + planned.gaps);
        before = Some(*planned);
    }
}

/// The mean gap at which times are no longer too short.
fn solve(mut too_short: impl FnMut(f64) -> Result<bool>) -> Result<f64> {
    let [mut least, mut most] = GAPS_S;
    for _ in 0..HALVINGS {
        let middle = (least * most).sqrt();
        if too_short(middle)? {
            least = middle;
        } else {
            most = middle;
        }
    }
    Ok((least * most).sqrt())
}
