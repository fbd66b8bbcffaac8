//! Arrival times of a day's requests. Some come in sessions; some in flushes, which write blocks
//! that sessions left dirty; some metadata requests come alone.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::super::drawn::Drawn;
use super::super::draws::{exponential, normal};
use super::super::sessions::{length_deviation, SESSION_MEDIAN};
use super::day::Day;
use super::kinds::{Left, RequestKind, KINDS};
use crate::error::Result;
use crate::time::{NANOS_PER_MS, NANOS_PER_S};
use crate::trace::Op;

/// Time in s from a flush to the next: the period of the update daemon (003-D5).
pub(super) const FLUSH_PERIOD_S: f64 = 30.0;

/// Range in s in which the mean gap between requests is searched, by bisection, with an accuracy of
/// a thousandth.
const GAPS_S: [f64; 2] = [1e-6, 1.0];
const HALVINGS: usize = 14;
/// Number of rounds in which all unknown values are fitted one after the other; each of them mainly
/// affects one published share.
const ROUNDS: usize = 3;

/// A request of a session or of a flush, before its arrival time is known.
#[derive(Clone, Copy)]
struct Planned {
    /// Start time in s of the session or flush to which the request belongs.
    from_s: f64,
    /// Time from the start of the session or flush to the request, in units of the mean gap.
    gaps: f64,
    /// Index of the request's kind in the table of kinds.
    kind: usize,
    /// Arrival time in s if the request comes alone, outside of sessions and flushes.
    alone_s: f64,
    /// Limit on the share of metadata requests that come alone: this request comes alone if the
    /// share is above the limit. A request with the limit 1 never comes alone.
    stays: f64,
}

/// Values that are fitted so that the inter-arrival times match the published figures.
#[derive(Clone, Copy)]
struct Unknowns {
    /// Mean time in s from one request of a session to the next one.
    session: f64,
    /// Mean time in s from one request of a flush to the next one.
    flush: f64,
    /// Share of the metadata requests that come alone, outside of sessions and flushes.
    alone: f64,
}

/// All requests of a day.
pub(super) struct Bursts {
    planned: Vec<Planned>,
    span_s: f64,
}

impl Bursts {
    /// Draws all requests of a day, without their times. Sessions begin at random times. Blocks
    /// that a session leaves dirty are written by the first flush after the session's start.
    pub fn draw(rng: &mut Pcg64, day: &Day, drawn: &mut Drawn<'_>) -> Result<Self> {
        let lengths = lengths(rng, day.requests);
        let mut starts_s: Vec<f64> = lengths.iter().map(|_| rng.random::<f64>() * day.span_s).collect();
        starts_s.sort_unstable_by(f64::total_cmp);
        let mut left = Left::all(day);
        let (mut planned, mut flushed) = (Vec::new(), Vec::new());
        for (session, (from_s, length)) in starts_s.into_iter().zip(lengths).enumerate() {
            drawn.planned(session, planned.len() + flushed.len())?;
            let (mut gaps, mut kind) = (0.0, None);
            for _ in 0..length {
                let next = left.draw(rng, kind);
                kind = Some(next);
                let gap = exponential(rng);
                let stays = stays(rng, day, next);
                if KINDS[next].flushed {
                    let from_s = next_flush_s(from_s, day.span_s);
                    let alone_s = from_s + rng.random::<f64>() * FLUSH_PERIOD_S;
                    flushed.push(Planned { from_s, gaps: gap, kind: next, alone_s, stays });
                } else {
                    let alone_s = rng.random::<f64>() * day.span_s;
                    planned.push(Planned { from_s, gaps, kind: next, alone_s, stays });
                    gaps += gap;
                }
            }
        }
        chain(&mut flushed);
        planned.append(&mut flushed);
        Ok(Self { planned, span_s: day.span_s })
    }

    /// Fits the unknown values to the day's figures, and returns the arrival times in ns with the
    /// kinds of the requests, in ascending order.
    pub fn arrivals(&self, day: &Day, drawn: &mut Drawn<'_>) -> Result<Vec<(i64, usize)>> {
        let metadata: Vec<Planned> =
            self.planned.iter().filter(|planned| KINDS[planned.kind].metadata).copied().collect();
        let mut found = Unknowns { session: GAPS_S[0], flush: GAPS_S[0], alone: 0.0 };
        for _ in 0..ROUNDS {
            found.session = solve(between_gaps, GAPS_S, |session| {
                drawn.ask()?;
                Ok(self.share_below(&self.planned, Unknowns { session, ..found }, 10.0) > day.below_10_ms)
            })?;
            found.alone = solve(between_parts, [0.0, 1.0], |alone| {
                drawn.ask()?;
                let share = self.share_below(&metadata, Unknowns { alone, ..found }, 10.0);
                Ok(share > day.metadata_below_10_ms)
            })?;
            found.flush = solve(between_gaps, GAPS_S, |flush| {
                drawn.ask()?;
                Ok(self.share_below(&metadata, Unknowns { flush, ..found }, 1.0) > day.metadata_below_1_ms)
            })?;
        }
        let mut arrivals: Vec<(i64, usize)> =
            self.planned.iter().map(|planned| (self.arrival_ns(planned, found), planned.kind)).collect();
        arrivals.sort_by_key(|arrival| arrival.0);
        Ok(arrivals)
    }

    /// Share of the inter-arrival times of the requests `planned` that are shorter than `limit_ms`;
    /// `found` are the values of the unknowns.
    fn share_below(&self, planned: &[Planned], found: Unknowns, limit_ms: f64) -> f64 {
        let mut arrivals: Vec<i64> = planned.iter().map(|planned| self.arrival_ns(planned, found)).collect();
        arrivals.sort_unstable();
        let limit_ns = (limit_ms * NANOS_PER_MS) as i64;
        let below = arrivals.windows(2).filter(|pair| pair[1] - pair[0] < limit_ns).count();
        below as f64 / arrivals.len().saturating_sub(1) as f64
    }

    /// The arrival time of a request in ns. If it lies after the end of the day, the time since
    /// then is counted from the start of the day.
    fn arrival_ns(&self, planned: &Planned, found: Unknowns) -> i64 {
        let gap_s = if KINDS[planned.kind].flushed { found.flush } else { found.session };
        let in_burst_s = planned.from_s + planned.gaps * gap_s;
        let at_s = if planned.stays < found.alone { planned.alone_s } else { in_burst_s };
        ((if at_s < self.span_s { at_s } else { at_s % self.span_s }) * NANOS_PER_S) as i64
    }
}

/// Draws the share of lone metadata requests above which a metadata request of this kind comes
/// alone. Reads come alone at lower shares than writes, because writes are burstier than reads in
/// 003. Data requests never come alone.
fn stays(rng: &mut Pcg64, day: &Day, kind: usize) -> f64 {
    let reads = day.metadata_reads();
    match &KINDS[kind] {
        RequestKind { metadata: false, .. } => 1.0,
        RequestKind { op: Op::Read, .. } => rng.random::<f64>() * reads,
        _ => reads + rng.random::<f64>() * (1.0 - reads),
    }
}

/// Draws the number of requests of each session, until all sessions together have `requests`
/// requests.
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

/// Orders the requests of each flush, data before metadata, and computes their times from the start
/// of the flush in mean gaps. The first request comes at this start.
///
/// The more lone requests are asked for, the more metadata requests come alone. Those that come alone
/// first stand last in the flush, so that the times of the others do not depend on them. The first
/// request of a flush never comes alone.
fn chain(flushed: &mut [Planned]) {
    let order = |planned: &Planned| KINDS[planned.kind].metadata;
    flushed.sort_by(|one, two| {
        let of_one_flush = || order(one).cmp(&order(two)).then(two.stays.total_cmp(&one.stays));
        one.from_s.total_cmp(&two.from_s).then_with(of_one_flush)
    });
    let mut before: Option<Planned> = None;
    for planned in flushed {
        if let Some(before) = before.filter(|before| before.from_s == planned.from_s) {
            planned.gaps += before.gaps;
        } else {
            planned.gaps = 0.0;
            planned.stays = 1.0;
        }
        before = Some(*planned);
    }
}

fn between_gaps(least: f64, most: f64) -> f64 {
    (least * most).sqrt()
}

fn between_parts(least: f64, most: f64) -> f64 {
    (least + most) / 2.0
}

/// Finds by bisection the smallest value in `range` at which not too many inter-arrival times are
/// short, as `too_short` tells.
fn solve(
    middle: impl Fn(f64, f64) -> f64,
    range: [f64; 2],
    mut too_short: impl FnMut(f64) -> Result<bool>,
) -> Result<f64> {
    let [mut least, mut most] = range;
    for _ in 0..HALVINGS {
        let tried = middle(least, most);
        if too_short(tried)? {
            least = tried;
        } else {
            most = tried;
        }
    }
    Ok(middle(least, most))
}
