//! Arrivals in sessions, within which requests follow each other closely. The distribution of the
//! number of requests in a session was measured in a trace.
//!
//! Sessions begin at the times of a Poisson process, and gaps within a session are exponential. The number
//! of requests in a session has the distribution of [`metadata`](super::metadata), with another mean. For
//! such arrivals (a Bartlett-Lewis process) the share of inter-arrival times below a limit has a closed
//! form, in which only the mean session length appears. The mean gap within a session is chosen so that
//! this share is the requested one.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::arrival_options::{CLOSE, CLOSE_GAP, SESSION};
use super::draws::{exponential, normal, rng_beside};
use crate::error::{ensure, Result};
use crate::options::Options;

/// Number that identifies the random number generator for sessions, which is separate from the one
/// for the requests.
const SESSIONS: u64 = 3;
/// Range in which the mean gap within a session is searched, in units of the mean inter-arrival
/// time. At its upper end, sessions overlap so strongly that the arrivals look like a Poisson
/// process.
const GAPS: [f64; 2] = [1e-9, 1e3];
/// Number of bisection steps, after which the logarithm of the gap has machine precision.
const HALVINGS: usize = 64;
/// Number of mean gaps that are tried first, to find those with the largest and with the smallest
/// share of short inter-arrival times.
const STEPS: usize = 256;

/// Median number of requests in a session, measured without flushed requests; the logarithm of this
/// number is normally distributed.
pub(super) const SESSION_MEDIAN: f64 = 5.0;
/// Mean number of requests in a session, measured without flushed requests.
pub(super) const SESSION_MEAN: f64 = 18.3;

/// The standard deviation of the logarithm of the number of requests in a session.
pub(super) fn length_deviation() -> f64 {
    (2.0 * libm::log(SESSION_MEAN / SESSION_MEDIAN)).sqrt()
}

/// State of arrivals in sessions, which are in steady state from time 0 on.
pub(super) struct Sessions {
    rng: Pcg64,
    shape: Shape,
    rate_per_s: f64,
    /// Number of requests that are still to come, for each session in progress.
    left: Vec<u64>,
    at_s: f64,
}

impl Sessions {
    /// Returns arrivals in sessions with the mean rate `rate_per_s`.
    ///
    /// # Errors An option is not a valid number, or the requested share of short times cannot be reached.
    pub(super) fn new(options: &Options, rate_per_s: f64) -> Result<Self> {
        let (shape, mut rng) = (Shape::new(options)?, rng_beside(options, SESSIONS)?);
        // The number of sessions running at time 0 is a Poisson number: as many as exponential times fit into
        // its mean.
        let going_on = (shape.session - 1.0) / shape.session * shape.gap;
        let mut left = Vec::new();
        let mut sum = exponential(&mut rng);
        while sum < going_on {
            left.push(shape.rest(&mut rng));
            sum += exponential(&mut rng);
        }
        Ok(Self { rng, shape, rate_per_s, left, at_s: 0.0 })
    }

    /// Returns the time in s of the next arrival: the time until which `load` further arrivals are
    /// expected at the current rate.
    ///
    /// An arrival is either the next request of a session in progress, or the first request of a
    /// new session.
    pub(super) fn next_s(&mut self, load: f64) -> f64 {
        // Rate of arrivals, per mean time between two, in running sessions, and together with new ones.
        let going_on = self.left.len() as f64 / self.shape.gap;
        let all = going_on + 1.0 / self.shape.session;
        self.at_s += load / (all * self.rate_per_s);
        if self.rng.random::<f64>() * all < going_on {
            let session = self.rng.random_range(0..self.left.len());
            self.left[session] -= 1;
            if self.left[session] == 0 {
                self.left.swap_remove(session);
            }
        } else {
            let more = self.shape.more(&mut self.rng);
            self.left.extend((more > 0).then_some(more));
        }
        self.at_s
    }
}

/// Mean number of requests in a session, and mean gap between them; the unit of time is the mean
/// inter-arrival time.
struct Shape {
    /// Mean number of requests in a session.
    session: f64,
    /// Mean time from one request of a session to the next one.
    gap: f64,
    /// Standard deviation of the logarithm of the number of requests that follow the first one of a
    /// session.
    deviation: f64,
}

impl Shape {
    fn new(options: &Options) -> Result<Self> {
        let session = options.number(SESSION.name)?;
        let limit = options.number(CLOSE_GAP.name)?;
        let share = |gap_log: f64| share_below(limit, session, libm::exp(gap_log));
        // The extremes lie at either end of the range of gaps or between: the share may rise and fall with
        // the gap.
        let [shortest, longest] = GAPS.map(libm::log);
        let turns = [1.0, -1.0].map(|sign| highest([shortest, longest], |at| sign * share(at)));
        let [most, least] = turns.map(share);
        let expected = format!(
            "a number between {least:.4} and {most:.4}, which sessions of {session} requests can reach for times below {limit} mean inter-arrival times"
        );
        let close = options.number(CLOSE.name)?;
        ensure!(least < close && close < most, options.fault(CLOSE.name, &expected));
        // The requested share lies between one of these and the longest gap.
        let is_between = |from: &f64| (share(*from) > close) != (share(longest) > close);
        let from = [shortest]
            .into_iter()
            .chain(turns)
            .find(is_between)
            .expect("a gap whose share is above the least and below the most was found");
        let (mut low, mut high) = (from, longest);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            if (share(middle) > close) == (share(low) > close) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(Self { session, gap: libm::exp(low), deviation: length_deviation() })
    }

    /// Draws the number of requests that follow the first one of a session. The logarithm of a
    /// drawn number is normal; the number is rounded up or down at random, so that the mean is
    /// exact.
    fn more(&self, rng: &mut Pcg64) -> u64 {
        let (below, part) = self.log_normal(rng, -0.5);
        below + u64::from(rng.random::<f64>() < part)
    }

    /// Draws the number of requests that are still to come in a session that is in progress at time
    /// 0.
    ///
    /// Sessions are drawn with a probability in proportion to their number of gaps, and all gaps of
    /// a session are equally probable.
    fn rest(&self, rng: &mut Pcg64) -> u64 {
        let (below, part) = self.log_normal(rng, 0.5);
        let above = below + 1;
        let is_above = rng.random::<f64>() * (below as f64 + part) < part * above as f64;
        rng.random_range(1..=if is_above { above } else { below })
    }

    /// Draws a log-normal number of requests that follow the first one of a session; returns its whole
    /// part and its fraction. Its logarithm has the mean log(`session` - 1) plus `variances` times its
    /// variance.
    fn log_normal(&self, rng: &mut Pcg64, variances: f64) -> (u64, f64) {
        let logarithm = self.deviation * (normal(rng) + variances * self.deviation);
        let number = (self.session - 1.0) * libm::exp(logarithm);
        (number as u64, number.fract())
    }
}

/// Position of the highest point of `curve` between `first` and `last`: the highest of points at
/// equal distances, refined by ternary search.
fn highest([first, last]: [f64; 2], curve: impl Fn(f64) -> f64) -> f64 {
    let place = |step: usize| first + (last - first) * step as f64 / STEPS as f64;
    let step = (0..=STEPS).max_by(|a, b| curve(place(*a)).total_cmp(&curve(place(*b)))).unwrap_or(0);
    let (mut low, mut high) = (place(step.saturating_sub(1)), place((step + 1).min(STEPS)));
    for _ in 0..HALVINGS {
        let third = (high - low) / 3.0;
        if curve(low + third) < curve(high - third) {
            low += third;
        } else {
            high -= third;
        }
    }
    (low + high) / 2.0
}

/// Share of inter-arrival times below `limit`, for sessions with a mean of `session` requests and a
/// mean gap of `gap`. All times are in units of the mean inter-arrival time.
///
/// With m = `session` and g = `gap`: no request arrives during a time t if no session begins (1/m of
/// them are expected per mean inter-arrival time) and no session in progress has a request. The
/// logarithm of the probability of this is -(t + (m - 1) g (1 - exp(-t/g)))/m. The slope of this
/// probability gives the share of inter-arrival times that are longer than t.
fn share_below(limit: f64, session: f64, gap: f64) -> f64 {
    let more = session - 1.0;
    let none_of_another = libm::exp(-limit / gap);
    let nothing = libm::exp(-(limit + more * gap * -libm::expm1(-limit / gap)) / session);
    1.0 - (1.0 + more * none_of_another) / session * nothing
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::super::arrival_options::{CLOSE, CLOSE_GAP, SESSION};
    use super::super::tests::{assert_mean, draw, fault, going_on};
    use super::{length_deviation, Shape};
    use crate::options::Options;

    /// Draws arrival times with each of `seeds` seeds, in units of the mean inter-arrival time.
    fn arrivals(options: &str, rate: u32, seeds: u64, count: usize) -> Vec<Vec<f64>> {
        let of = |seed| {
            let trace =
                draw(&format!("random:rate={rate},arrivals=sessions,count={count},seed={seed}{options}"));
            trace.arrival_ns.iter().map(|at| *at as f64 * 1e-9 * f64::from(rate)).collect()
        };
        (1..=seeds).map(of).collect()
    }

    /// Number of arrivals in `window`, and number of those that come less than `limit` after the
    /// previous arrival.
    fn counts(arrivals: &[f64], window: [f64; 2], limit: f64) -> [f64; 2] {
        assert!(
            arrivals[arrivals.len() - 1] > window[1],
            "arrivals were drawn only up to a time within the window"
        );
        let pairs = arrivals.windows(2).filter(|pair| (window[0]..window[1]).contains(&pair[1]));
        let close = pairs.clone().filter(|pair| pair[1] - pair[0] < limit).count();
        [pairs.count() as f64, close as f64]
    }

    #[test]
    fn times_between_arrivals_are_short_as_often_as_was_asked_for() {
        // Sessions that seldom overlap, and sessions of which many run at a time.
        for (options, limit, close) in [
            ("", 0.1045, 0.753),
            (",close=0.5,session=3", 0.1045, 0.5),
            (",close=0.65,close_gap=1", 1.0, 0.65),
            (",close=0.12,session=200", 0.1045, 0.12),
        ] {
            let found: Vec<[f64; 2]> = arrivals(options, 33, 200, 2000)
                .iter()
                .map(|arrivals| counts(arrivals, [10.0, 210.0], limit))
                .collect();
            assert_mean(&found.iter().map(|found| found[0]).collect::<Vec<_>>(), 200.0);
            let off = found.iter().map(|[all, short]| short - close * all).collect::<Vec<_>>();
            assert_mean(&off, 0.0);
        }
    }

    #[test]
    fn sessions_have_gone_on_forever_at_time_0() {
        // The first moment has as many arrivals as any: fresh sessions alone would bring a 20th of them.
        let options = ",close=0.2,session=20";
        let first = |arrivals: &Vec<f64>| arrivals.iter().filter(|at| **at < 2.0).count() as f64;
        let found: Vec<f64> = arrivals(options, 33, 1500, 200).iter().map(first).collect();
        assert_mean(&found, 2.0);
    }

    #[test]
    fn as_many_arrivals_as_were_asked_for_take_longer_than_at_the_mean_rate() {
        // The last of these requests is not the end of its session: the rest of that, half of E(n^2)/E(n) - 1
        // in the mean of sessions of n requests, is added, and sessions at the mean rate bring all of it.
        let options = ",close=0.5,session=3";
        let last = |arrivals: &Vec<f64>| arrivals[arrivals.len() - 1];
        let found: Vec<f64> = arrivals(options, 33, 4000, 400).iter().map(last).collect();
        let shape = Shape { session: 3.0, gap: 1.0, deviation: length_deviation() };
        let mut rng = Pcg64::seed_from_u64(8);
        let lengths = (0..1_000_000).map(|_| 1.0 + shape.more(&mut rng) as f64);
        let [sum, squares] = lengths.fold([0.0, 0.0], |[sum, squares], n| [sum + n, squares + n * n]);
        assert_mean(&found, 400.0 + (squares / sum - 1.0) / 2.0);
    }

    #[test]
    fn the_user_trace_of_000_has_its_statistics() {
        let trace = draw("stream:rate=20.9,arrivals=sessions,count=75304,sequentiality=0.829");
        let short = trace.arrival_ns.windows(2).filter(|pair| pair[1] - pair[0] < 5_000_000).count();
        let found = [short, going_on(&trace, 0)].map(|many| many as f64 / 75_303.0);
        assert!((found[0] - 0.753).abs() < 0.01 && (found[1] - 0.829).abs() < 0.01, "{found:?}");
    }

    /// The share of inter-arrival times below `limit`, computed from the slope of the probability that no
    /// request arrives.
    fn share_by_slope(limit: f64, session: f64, gap: f64) -> f64 {
        let nothing = |t: f64| (-(t + (session - 1.0) * gap * (1.0 - (-t / gap).exp())) / session).exp();
        let step = 1e-5 * limit.min(gap);
        1.0 + (nothing(limit + step) - nothing(limit - step)) / (2.0 * step)
    }

    #[test]
    fn every_part_that_sessions_of_some_gap_give_can_be_asked_for() {
        let mut rng = Pcg64::seed_from_u64(31);
        let mut rising = 0;
        for _ in 0..400 {
            let mut between = |low: f64, high: f64| low * (high / low).powf(rng.random::<f64>());
            let (session, limit, gap) = (1.0 + between(0.3, 100.0), between(0.01, 8.0), between(0.01, 50.0));
            let close = share_by_slope(limit, session, gap);
            rising += u32::from(share_by_slope(limit, session, 1.01 * gap) > close);
            let given = [("session", session), ("close_gap", limit), ("close", close)];
            let pairs = given.map(|(name, value)| (name.to_owned(), value.to_string()));
            let options = Options::given("sessions", &[SESSION, CLOSE_GAP, CLOSE], pairs.into()).unwrap();
            let shape = Shape::new(&options).unwrap_or_else(|error| panic!("{given:?}, gap {gap}: {error}"));
            assert!((share_by_slope(limit, session, shape.gap) - close).abs() < 1e-6, "{given:?}, gap {gap}");
        }
        assert!((50..350).contains(&rising), "{rising}");
    }

    #[test]
    fn what_cannot_be_is_named() {
        for (options, words) in [
            ("session=1", "session = 1: expected a number above 1 and up to 1e6"),
            ("close_gap=0", "close_gap = 0: expected a number from 1e-6 to 100 (mean times)"),
            ("close_gap=1e-300", "expected a number from 1e-6 to 100 (mean times)"),
            ("close=0.05", "close = 0.05: expected a number between 0.0993 and 0.9462, which sessions"),
            ("close=0.96", "close = 0.96: expected a number between"),
        ] {
            let found = fault(&format!("random:rate=9,arrivals=sessions,{options}"));
            assert!(found.contains(words), "{found}");
        }
        let found = fault("random:rate=9,close=0.5");
        assert!(found.contains("close = 0.5: expected no value with arrivals=poisson"), "{found}");
    }
}
