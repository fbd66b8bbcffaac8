//! Numbers of requests in windows of time, counted for many window widths in one pass, and measures
//! of burstiness.

use serde::Serialize;

/// Width of the narrowest windows in ns: 1/512 s. Every wider window is a multiple of it.
const NARROWEST_NS: i64 = 1_953_125;
const NARROWEST_S: f64 = NARROWEST_NS as f64 * 1e-9;
/// Number of window widths from 1/512 s on; each width is twice the previous one, and the widest is
/// 24 days.
const LEVELS: usize = 31;
/// Number of narrowest windows in a window of 10 s. This width is added because it is often
/// reported, although it is not a power of two.
const TEN_S: u64 = 5120;
/// Smallest number of windows of one width from which their variance is used.
const WINDOWS_LEAST: u64 = 32;
/// Smallest number of window widths from which the Hurst parameter is estimated.
const POINTS_LEAST: usize = 4;

/// Number of iterations in the computation of the Hurst parameter; each iteration changes it by
/// less than a third of the previous change.
const ROUNDS: usize = 30;
/// Largest Hurst parameter that the estimate returns; at 1 the variance would vanish.
const HURST_MOST: f64 = 0.99;

/// Counter of requests in windows of 1/512, 1/256, ... s and of 10 s, which start at the first arrival.
///
/// A request in the same narrowest window as the previous request takes almost no time to count.
/// Closing a window takes one subtraction, and empty windows take no time.
#[derive(Debug, Clone, Default)]
pub(super) struct Windows {
    span_ns: Option<(i64, i64)>,
    /// Index of the narrowest window that is open; the window that starts at the first arrival has
    /// index 0.
    open: u64,
    count: u64,
    levels: [Level; LEVELS],
    ten_s: Level,
}

/// State of the windows of one width.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    /// Number of requests in all closed windows of this width.
    closed: u64,
    squares: u128,
    peak: u64,
}

/// Statistics of the numbers of requests in windows of one width. Windows that lie only partly
/// within the trace are left out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WindowCounts {
    /// Width of a window in seconds.
    pub window_s: f64,
    /// Number of windows that lie wholly within the trace.
    pub windows: u64,
    /// Mean number of requests in a window.
    pub mean: f64,
    /// Largest number of requests in a window.
    pub peak: u64,
    /// Largest number of requests in a window over the mean number.
    pub peak_over_mean: f64,
    /// Index of dispersion of the number of requests: its variance over its mean; 1 for Poisson arrivals at
    /// every width.
    pub dispersion: f64,
}

impl Windows {
    /// Counts an arrival, which must not be earlier than the previous one.
    #[inline]
    pub fn add(&mut self, arrival_ns: i64) {
        let (first, _) = *self.span_ns.get_or_insert((arrival_ns, arrival_ns));
        self.span_ns = Some((first, arrival_ns));
        let window = ((arrival_ns - first) / NARROWEST_NS) as u64;
        if window != self.open {
            self.close(window);
        }
        self.count += 1;
    }

    /// Closes all windows that end at or before the start of the narrowest window with index `window`.
    fn close(&mut self, window: u64) {
        for (doublings, level) in self.levels.iter_mut().enumerate() {
            if window >> doublings == self.open >> doublings {
                break;
            }
            level.close(self.count);
        }
        if window / TEN_S != self.open / TEN_S {
            self.ten_s.close(self.count);
        }
        self.open = window;
    }

    /// Returns the statistics of each width, narrowest first; a width is left out if the trace is
    /// shorter than one window.
    pub fn counts(&self) -> Vec<WindowCounts> {
        let (first, last) = self.span_ns.unwrap_or_default();
        let whole = ((last - first) / NARROWEST_NS) as u64;
        let dyadic = self.levels.iter().enumerate().map(|(doublings, level)| (1 << doublings, level));
        let mut widths: Vec<(u64, &Level)> = dyadic.chain([(TEN_S, &self.ten_s)]).collect();
        widths.sort_by_key(|(width, _)| *width);
        let some = widths.into_iter().filter(|(width, _)| whole / width > 0);
        some.map(|(width, level)| level.counts(width as f64 * NARROWEST_S, whole / width)).collect()
    }

    /// Estimates the Hurst parameter: half the slope of log(variance of window counts) over
    /// log(window width), by least squares. Widths count if the trace has 32 whole windows with a
    /// mean of at least one request each; only the wider half of these widths is used.
    ///
    /// The estimate is 0.5 for Poisson arrivals and up to 1 for self-similar arrivals; trends and
    /// periods in the load raise it, too. Its standard error is 0.05 for a trace of 16,384
    /// narrowest windows. NaN if fewer than four widths can be used.
    pub fn hurst(&self) -> f64 {
        let usable: Vec<WindowCounts> = self
            .counts()
            .into_iter()
            .filter(|row| row.windows >= WINDOWS_LEAST && row.mean >= 1.0 && row.dispersion > 0.0)
            .collect();
        let wider = &usable[usable.len() / 2..];
        if wider.len() < POINTS_LEAST {
            return f64::NAN;
        }
        // Dependent windows vary less about their own mean, by a share that depends on the parameter, so that
        // both are found together.
        let mut hurst = 0.5;
        for _ in 0..ROUNDS {
            let exponent = 2.0 * f64::clamp(hurst, 0.0, HURST_MOST) - 2.0;
            let point = |row: &WindowCounts| {
                let seen = 1.0 - libm::pow(row.windows as f64, exponent);
                (libm::log2(row.window_s), libm::log2(row.dispersion * row.mean / seen))
            };
            hurst = slope(&wider.iter().map(point).collect::<Vec<_>>()) / 2.0;
        }
        hurst
    }
}

impl Level {
    /// Closes the open window, and the empty windows after it. `count` is the number of requests in
    /// the trace until now.
    fn close(&mut self, count: u64) {
        let inside = count - self.closed;
        self.squares += u128::from(inside) * u128::from(inside);
        self.peak = self.peak.max(inside);
        self.closed = count;
    }

    fn counts(&self, window_s: f64, windows: u64) -> WindowCounts {
        let mean = self.closed as f64 / windows as f64;
        let closed = u128::from(self.closed);
        // Computed in whole numbers, because the two terms may be nearly equal.
        let spread = u128::from(windows) * self.squares - closed * closed;
        let variance = spread as f64 / (windows as f64 * windows as f64);
        WindowCounts {
            window_s,
            windows,
            mean,
            peak: self.peak,
            peak_over_mean: self.peak as f64 / mean,
            dispersion: variance / mean,
        }
    }
}

/// Slope of the least-squares line through `points`.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let mean = |part: fn(&(f64, f64)) -> f64| points.iter().map(part).sum::<f64>() / n;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let both: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let square: f64 = points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum();
    both / square
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    fn windows(arrivals_ns: &[i64]) -> Windows {
        let mut windows = Windows::default();
        arrivals_ns.iter().for_each(|arrival_ns| windows.add(*arrival_ns));
        windows
    }

    /// Counts the requests of every whole window one by one, for comparison with [`Windows`].
    fn naive(arrivals_ns: &[i64], window_ns: i64) -> (usize, f64, u64, f64) {
        let first = arrivals_ns[0];
        let whole = (arrivals_ns[arrivals_ns.len() - 1] - first) / window_ns;
        let inside = |window: i64| {
            arrivals_ns.iter().filter(|arrival| (*arrival - first) / window_ns == window).count() as u64
        };
        let counts: Vec<u64> = (0..whole).map(inside).collect();
        let mean = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
        let variance =
            counts.iter().map(|count| (*count as f64 - mean).powi(2)).sum::<f64>() / counts.len() as f64;
        (counts.len(), mean, counts.iter().copied().max().unwrap_or(0), variance / mean)
    }

    proptest! {
        #[test]
        fn counts_are_those_of_every_window(
            gaps in prop::collection::vec(prop_oneof![Just(0_i64), 0..3_000_000_i64, 0..8_000_000_000_i64], 2..60)
        ) {
            let mut now = 77;
            let arrivals: Vec<i64> = gaps.iter().map(|gap| { now += gap; now }).collect();
            for row in windows(&arrivals).counts() {
                let window_ns = (row.window_s * 1e9).round() as i64;
                if row.windows > 3000 {
                    continue;
                }
                let (count, mean, peak, dispersion) = naive(&arrivals, window_ns);
                prop_assert_eq!((row.windows as usize, row.peak), (count, peak));
                prop_assert!((row.mean - mean).abs() <= 1e-12 * mean);
                prop_assert!((row.dispersion - dispersion).abs() <= 1e-9 * (1.0 + dispersion));
            }
        }
    }

    #[test]
    fn one_and_ten_seconds_are_among_the_widths() {
        let widths: Vec<f64> =
            windows(&[0, 20_000_000_000]).counts().iter().map(|row| row.window_s).collect();
        assert!(widths.contains(&1.0) && widths.contains(&10.0) && widths.is_sorted());
        assert_eq!(widths[0], 1.0 / 512.0);
    }

    #[test]
    fn poisson_arrivals_have_a_dispersion_of_one_and_a_hurst_parameter_of_a_half() {
        let mut rng = Pcg64::seed_from_u64(5);
        let mut now = 0.0;
        let arrivals: Vec<i64> = (0..400_000)
            .map(|_| {
                now -= libm::log(1.0 - rng.random::<f64>()) * 1e6;
                now as i64
            })
            .collect();
        let found = windows(&arrivals);
        for row in found.counts().iter().filter(|row| row.windows >= 1000) {
            // The standard error of a variance of normal numbers.
            let error = (2.0 / row.windows as f64).sqrt();
            assert!((row.dispersion - 1.0).abs() < 4.0 * error, "{row:?}");
        }
        // Four standard errors for 16,384 windows; there are more.
        assert!((found.hurst() - 0.5).abs() < 0.2, "{}", found.hurst());
    }

    /// Draws fractional Gaussian noise with the Hurst parameter `hurst`; each number is computed
    /// from all earlier ones (Durbin and Levinson).
    fn fractional_noise(hurst: f64, count: usize, rng: &mut Pcg64) -> Vec<f64> {
        let power = |lag: i32| libm::pow(f64::from(lag.abs()), 2.0 * hurst);
        let correlation: Vec<f64> =
            (0..count as i32).map(|lag| (power(lag + 1) - 2.0 * power(lag) + power(lag - 1)) / 2.0).collect();
        let mut normal = || {
            let radius = (-2.0 * libm::log(1.0 - rng.random::<f64>())).sqrt();
            radius * libm::cos(std::f64::consts::TAU * rng.random::<f64>())
        };
        let (mut noise, mut weights, mut variance) = (vec![normal()], Vec::<f64>::new(), 1.0);
        for at in 1..count {
            let known: f64 = weights.iter().enumerate().map(|(lag, w)| w * correlation[at - 1 - lag]).sum();
            let last = (correlation[at] - known) / variance;
            let turned: Vec<f64> = weights.iter().rev().map(|weight| last * weight).collect();
            weights.iter_mut().zip(turned).for_each(|(weight, turned)| *weight -= turned);
            weights.push(last);
            variance *= 1.0 - last * last;
            let mean: f64 =
                weights.iter().zip(noise.iter().rev()).map(|(weight, before)| weight * before).sum();
            noise.push(mean + variance.sqrt() * normal());
        }
        noise
    }

    #[test]
    fn self_similar_arrivals_have_their_hurst_parameter() {
        let mut rng = Pcg64::seed_from_u64(11);
        let (runs, slots) = (4, 4096);
        let mut sum = 0.0;
        for _ in 0..runs {
            let mut windows = Windows::default();
            for (slot, noise) in fractional_noise(0.8, slots, &mut rng).into_iter().enumerate() {
                let requests = (50.0 + 15.0 * noise).max(0.0) as i64;
                (0..requests).for_each(|_| windows.add(slot as i64 * NARROWEST_NS));
            }
            sum += windows.hurst();
        }
        // A quarter of the windows that give 0.05; four standard errors of the mean.
        let error = 0.05 * 2.0 / f64::from(runs).sqrt();
        assert!((sum / f64::from(runs) - 0.8).abs() < 4.0 * error, "{}", sum / f64::from(runs));
    }

    #[test]
    fn a_short_trace_has_no_hurst_parameter() {
        assert!(windows(&[0, 1, 5_000_000]).hurst().is_nan());
    }
}
