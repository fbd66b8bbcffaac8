//! Functions for the tests of generators.

use super::Generator;
use crate::trace::Trace;

/// Number of blocks of the device for which requests are drawn: a sled of 001.
pub(super) const CAPACITY: u64 = 6_750_000;

/// Draws the requests of the generator that `text` describes.
pub(super) fn draw(text: &str) -> Trace {
    Generator::parse(text).unwrap().draw(CAPACITY).unwrap()
}

/// Returns the error message for an invalid description of a generator.
pub(super) fn fault(text: &str) -> String {
    let drawn = Generator::parse(text).and_then(|generator| generator.draw(CAPACITY));
    drawn.expect_err("it cannot be").to_string()
}

/// Asserts that the value `found` is within four standard errors of the value `expected`; `error`
/// is the standard error.
#[track_caller]
pub(super) fn assert_within_4_errors(found: f64, expected: f64, standard_error: f64) {
    let errors = (found - expected) / standard_error;
    assert!(errors.abs() <= 4.0, "found {found}, expected {expected}: {errors:.1} standard errors away");
}

/// Asserts that `many` of `all` independent cases are the expected fraction `share`, within four
/// standard errors.
#[track_caller]
pub(super) fn assert_share(many: usize, all: usize, share: f64) {
    let standard_error = (share * (1.0 - share) / all as f64).sqrt();
    assert_within_4_errors(many as f64 / all as f64, share, standard_error);
}

/// Asserts that the mean of independent values is within four standard errors of `expected`.
#[track_caller]
pub(super) fn assert_mean(values: &[f64], expected: f64) {
    let (mean, deviation) = mean_and_deviation(values);
    assert_within_4_errors(mean, expected, deviation / (values.len() as f64).sqrt());
}

/// The mean and the standard deviation of `values`.
pub(super) fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (square / (count - 1.0)).sqrt())
}

/// Inter-arrival times in s; the first is the time from 0 to the first arrival.
pub(super) fn gaps_s(trace: &Trace) -> Vec<f64> {
    let before = std::iter::once(&0).chain(&trace.arrival_ns);
    trace.arrival_ns.iter().zip(before).map(|(at, before)| (at - before) as f64 * 1e-9).collect()
}

/// Number of requests that start `behind` blocks after the end of the previous request.
pub(super) fn going_on(trace: &Trace, behind: i64) -> usize {
    let end = |row: usize| trace.lbn[row] + i64::from(trace.blocks[row]) + behind;
    (1..trace.len()).filter(|row| trace.lbn[*row] == end(row - 1)).count()
}

/// The squared coefficient of variation of independent values, and its standard error (by the delta method).
pub(super) fn squared_variation(values: &[f64]) -> (f64, f64) {
    let (mean, deviation) = mean_and_deviation(values);
    let variation = (deviation / mean).powi(2);
    let influence = |value: &f64| {
        let off = (value - mean) / mean;
        off * off - 2.0 * variation * off
    };
    let influences: Vec<f64> = values.iter().map(influence).collect();
    (variation, mean_and_deviation(&influences).1 / (values.len() as f64).sqrt())
}

/// Hurst parameter of the numbers of arrivals in slots of `slot_ns` nanoseconds, and its standard
/// error.
///
/// The mean energy of the Haar wavelets of octave j grows as 2^((2H - 1) j). A line through the logarithms
/// of the energies, weighted by the numbers of wavelets, thus gives H. For n Gaussian wavelets the
/// logarithm is too low by 1/n on average, and its variance is 2/n (Abry and Veitch 1998).
pub(super) fn hurst(trace: &Trace, slot_ns: i64) -> (f64, f64) {
    let mut counts = vec![0.0_f64; (trace.arrival_ns[trace.len() - 1] / slot_ns) as usize + 1];
    for at in &trace.arrival_ns {
        counts[(at / slot_ns) as usize] += 1.0;
    }
    counts.pop();
    // Number of each octave, the logarithm of its energy, and the weight of that.
    let mut octaves: Vec<[f64; 3]> = Vec::new();
    while counts.len() >= 16 {
        let wavelets = counts.len() as f64 / 2.0;
        let energy = counts.chunks_exact(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum::<f64>() / wavelets;
        octaves.push([octaves.len() as f64, (energy.ln() + 1.0 / wavelets) / 2_f64.ln(), wavelets]);
        counts = counts.chunks_exact(2).map(|pair| (pair[0] + pair[1]) / 2_f64.sqrt()).collect();
    }
    let sum = |of: &dyn Fn(&[f64; 3]) -> f64| octaves.iter().map(|row| row[2] * of(row)).sum::<f64>();
    let middle = sum(&|row| row[0]) / sum(&|_| 1.0);
    let spread = sum(&|row| (row[0] - middle).powi(2));
    let slope = sum(&|row| (row[0] - middle) * row[1]) / spread;
    let slope_error = (2.0 / spread).sqrt() / 2_f64.ln();
    ((slope + 1.0) / 2.0, slope_error / 2.0)
}
