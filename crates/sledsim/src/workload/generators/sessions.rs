//! Sessions: requests that come closely behind each other, as often as is known of a trace.
//!
//! Sessions begin at Poisson times. The requests of one come at exponential times behind each other, and there
//! are as many as in the sessions of [`metadata`](super::metadata), but for the mean. Of such arrivals (a
//! Bartlett-Lewis process) the part of the times between arrivals that are below a limit has a closed form,
//! in which the lengths of sessions count by their mean alone. So the mean gap in a session is the one that
//! gives the part that is asked for.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::arrival_options::{CLOSE, CLOSE_GAP, SESSION};
use super::draws::{exponential, normal, rng_beside};
use crate::error::{ensure, Result};
use crate::options::Options;

/// The numbers that sessions are drawn from, beside those of the requests.
const SESSIONS: u64 = 3;
/// The mean gap in a session is looked for between these, in mean times between all arrivals. At the longest
/// so many sessions go on at a time that nobody tells them from arrivals that forget.
const GAPS: [f64; 2] = [1e-9, 1e3];
/// By halving so often, its logarithm is known to the precision of a number.
const HALVINGS: usize = 64;
/// Gaps among which the one of the greatest part, and that of the least, are looked for first.
const STEPS: usize = 256;

/// Requests in a session, whose logarithm is normal: measured of those that were not flushed.
pub(super) const SESSION_MEDIAN: f64 = 5.0;
/// And their mean.
pub(super) const SESSION_MEAN: f64 = 18.3;

/// The standard deviation of the logarithm of their lengths.
pub(super) fn length_deviation() -> f64 {
    (2.0 * libm::log(SESSION_MEAN / SESSION_MEDIAN)).sqrt()
}

/// Arrivals in sessions that have been there forever.
pub(super) struct Sessions {
    rng: Pcg64,
    shape: Shape,
    rate_per_s: f64,
    /// How many requests are yet to come of each session that goes on.
    left: Vec<u64>,
    at_s: f64,
}

impl Sessions {
    /// Sessions with `rate_per_s` arrivals in the mean.
    ///
    /// # Errors
    /// Options that are no such numbers, or times that are more often or seldom short than can be.
    pub(super) fn new(options: &Options, rate_per_s: f64) -> Result<Self> {
        let (shape, mut rng) = (Shape::new(options)?, rng_beside(options, SESSIONS)?);
        // How many go on at time 0 is a Poisson number: as many as exponential times fit into its mean.
        let going_on = (shape.session - 1.0) / shape.session * shape.gap;
        let mut left = Vec::new();
        let mut sum = exponential(&mut rng);
        while sum < going_on {
            left.push(shape.rest(&mut rng));
            sum += exponential(&mut rng);
        }
        Ok(Self { rng, shape, rate_per_s, left, at_s: 0.0 })
    }

    /// When the sessions have brought `load` more arrivals in the mean, in seconds.
    ///
    /// Whatever comes next is an arrival: of one of the sessions that go on, or the first of another one.
    pub(super) fn next_s(&mut self, load: f64) -> f64 {
        // Arrivals in the mean time between two, of all sessions that go on, and with those that begin.
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

/// The shape of sessions; times are in mean times between arrivals.
struct Shape {
    /// Requests in a session, in the mean.
    session: f64,
    /// The mean time from one to the next.
    gap: f64,
    /// The standard deviation of the logarithm of how many follow the first.
    deviation: f64,
}

impl Shape {
    fn new(options: &Options) -> Result<Self> {
        let session = options.number(SESSION.name)?;
        let limit = options.number(CLOSE_GAP.name)?;
        let share = |gap_log: f64| share_below(limit, session, libm::exp(gap_log));
        // At either end of the gaps, or between them: the part may rise and fall with the gap.
        let [shortest, longest] = GAPS.map(libm::log);
        let turns = [1.0, -1.0].map(|sign| highest([shortest, longest], |at| sign * share(at)));
        let [most, least] = turns.map(share);
        let expected = format!(
            "a number between {least:.4} and {most:.4}, which are all that sessions of {session} requests \
             give of times below {limit} mean ones"
        );
        let close = options.number(CLOSE.name)?;
        ensure!(least < close && close < most, options.fault(CLOSE.name, &expected));
        // Together with the longest gap one of these has it between them.
        let is_between = |from: &f64| (share(*from) > close) != (share(longest) > close);
        let from = [shortest]
            .into_iter()
            .chain(turns)
            .find(is_between)
            .expect("it is above the least and below the most");
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

    /// How many requests follow the first of a session: a number whose logarithm is normal, rounded up or
    /// down by chance, so that the mean is exact.
    fn more(&self, rng: &mut Pcg64) -> u64 {
        let (below, part) = self.log_normal(rng, -0.5);
        below + u64::from(rng.random::<f64>() < part)
    }

    /// How many are yet to come of a session that goes on at time 0.
    ///
    /// It is found in a session in proportion to the number of its gaps, and in any of these alike.
    fn rest(&self, rng: &mut Pcg64) -> u64 {
        let (below, part) = self.log_normal(rng, 0.5);
        let above = below + 1;
        let is_above = rng.random::<f64>() * (below as f64 + part) < part * above as f64;
        rng.random_range(1..=if is_above { above } else { below })
    }

    /// Such a number as a whole one and a part, its median so many variances from its mean in logarithms.
    fn log_normal(&self, rng: &mut Pcg64, variances: f64) -> (u64, f64) {
        let logarithm = self.deviation * (normal(rng) + variances * self.deviation);
        let number = (self.session - 1.0) * libm::exp(logarithm);
        (number as u64, number.fract())
    }
}

/// Where between two places a curve is highest: of equal steps the highest, then in thirds between its neighbours.
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

/// The part of the times between arrivals that are below `limit`, where sessions of so many requests in the
/// mean have a mean gap of `gap`; all in mean times between arrivals.
///
/// Nothing comes for a time t if no session begins, 1/m to be expected in the mean time, and none that goes
/// on has a request: the logarithm of that probability is -(t + (m - 1) g (1 - exp(-t/g)))/m. Its slope is the
/// part of the times between arrivals that are longer than t.
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

    /// Arrivals of each of many seeds, in mean times between arrivals.
    fn arrivals(options: &str, rate: u32, seeds: u64, count: usize) -> Vec<Vec<f64>> {
        let of = |seed| {
            let trace =
                draw(&format!("random:rate={rate},arrivals=sessions,count={count},seed={seed}{options}"));
            trace.arrival_ns.iter().map(|at| *at as f64 * 1e-9 * f64::from(rate)).collect()
        };
        (1..=seeds).map(of).collect()
    }

    /// How many arrivals there are from one time to another, and how many of them are close to the one before.
    fn counts(arrivals: &[f64], window: [f64; 2], limit: f64) -> [f64; 2] {
        assert!(arrivals[arrivals.len() - 1] > window[1], "the draw ends within the window");
        let pairs = arrivals.windows(2).filter(|pair| (window[0]..window[1]).contains(&pair[1]));
        let close = pairs.clone().filter(|pair| pair[1] - pair[0] < limit).count();
        [pairs.count() as f64, close as f64]
    }

    #[test]
    fn times_between_arrivals_are_short_as_often_as_was_asked_for() {
        // Sessions that are seldom two at a time, and some of which many go on at a time.
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
        // As many in the very first time as in any: fresh sessions alone would bring a 20th of them.
        let options = ",close=0.2,session=20";
        let first = |arrivals: &Vec<f64>| arrivals.iter().filter(|at| **at < 2.0).count() as f64;
        let found: Vec<f64> = arrivals(options, 33, 1500, 200).iter().map(first).collect();
        assert_mean(&found, 2.0);
    }

    #[test]
    fn as_many_arrivals_as_were_asked_for_take_longer_than_at_the_mean_rate() {
        // The last of so many is not the end of its session: the rest of that, half of E(n^2)/E(n) - 1 in the mean of
        // sessions of n requests, comes on top, and sessions at the mean rate bring all of it.
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

    /// The part of the times between arrivals that are shorter than a limit: by how much less often nothing comes for a
    /// time where that is a little longer.
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
            ("close=0.05", "close = 0.05: expected a number between 0.0993 and 0.9462, which are all that"),
            ("close=0.96", "close = 0.96: expected a number between"),
        ] {
            let found = fault(&format!("random:rate=9,arrivals=sessions,{options}"));
            assert!(found.contains(words), "{found}");
        }
        let found = fault("random:rate=9,close=0.5");
        assert!(found.contains("close = 0.5: expected none with arrivals=poisson"), "{found}");
    }
}
