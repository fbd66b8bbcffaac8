//! Shortening of the idle gaps of a trace.

use std::str::FromStr;

use crate::error::{Error, Result};

/// Units of a length of time, the longest name first: name, and nanoseconds.
const UNITS: [(&str, f64); 5] = [("min", 6e10), ("ms", 1e6), ("h", 3.6e12), ("s", 1e9), ("", 1e9)];
/// Longest length in nanoseconds, a century.
const LONGEST_NS: f64 = 3.2e18;

/// Cut of the idle gaps of a trace, batch by batch.
///
/// A gap lasts from the last known completion, or the last arrival if it is unknown, to the next arrival.
#[derive(Clone, Debug, PartialEq)]
pub struct GapCut {
    /// Length in nanoseconds to which longer gaps are shortened.
    pub longest_ns: i64,
    /// Number of gaps that were shortened until now.
    pub gaps: u64,
    /// Nanoseconds by which they were shortened together.
    pub cut_ns: i64,
    busy_until_ns: Option<i64>,
}

impl FromStr for GapCut {
    type Err = Error;

    /// Reads the length to which gaps are shortened, such as `500ms`, `10s`, `5min` or `1h`.
    fn from_str(text: &str) -> Result<Self> {
        let of = |(unit, ns): (&str, f64)| {
            let number: f64 = text.trim().strip_suffix(unit)?.trim_end().parse().ok()?;
            Some(libm::round(number * ns)).filter(|ns| (1.0..LONGEST_NS).contains(ns))
        };
        let longest_ns = UNITS.into_iter().find_map(of).ok_or_else(|| {
            Error::Parameter(format!(
                "cut_gaps: expected a time above 0, such as 500ms, 10s, 5min or 1h, found {text:?}"
            ))
        })?;
        Ok(Self { longest_ns: longest_ns as i64, gaps: 0, cut_ns: 0, busy_until_ns: None })
    }
}

impl GapCut {
    /// Returns the new arrivals of the next requests, given their arrivals and measured response times (0 if
    /// unknown) in nanoseconds.
    pub fn cut(&mut self, arrivals_ns: &[i64], responses_ns: &[i64]) -> Vec<i64> {
        let rows = arrivals_ns.iter().zip(responses_ns);
        rows.map(|(&arrival_ns, &response_ns)| {
            let busy_until_ns = self.busy_until_ns.unwrap_or(arrival_ns);
            let longer_ns = arrival_ns - busy_until_ns - self.longest_ns;
            if longer_ns > 0 {
                self.gaps += 1;
                self.cut_ns += longer_ns;
            }
            self.busy_until_ns = Some(busy_until_ns.max(arrival_ns.saturating_add(response_ns)));
            arrival_ns - self.cut_ns
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_become_as_long_as_the_longest() {
        let mut cut: GapCut = "10s".parse().unwrap();
        let second = 1_000_000_000;
        let arrivals = [5, 6, 16, 40, 41].map(|at| at * second);
        let responses = [second, 0, 4 * second, 0, 0];
        // The gap before 40 s begins at 20 s.
        let found = cut.cut(&arrivals, &responses);
        assert_eq!(found, [5, 6, 16, 30, 31].map(|at| at * second));
        assert_eq!((cut.gaps, cut.cut_ns), (1, 10 * second));
    }

    #[test]
    fn a_length_has_a_unit() {
        let ns = |text: &str| text.parse().map(|cut: GapCut| cut.longest_ns).ok();
        assert_eq!(ns("10"), ns("10 s"));
        assert_eq!(ns("500ms"), Some(500_000_000));
        assert_eq!(ns("1.5min"), ns("90s"));
        assert_eq!(ns("1h"), ns("60 min"));
        for wrong in ["", "s", "0", "-1s", "nan", "inf", "5 days", "1e30"] {
            assert_eq!(ns(wrong), None, "{wrong}");
        }
    }
}
