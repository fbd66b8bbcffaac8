//! The second and the minute in which most requests arrive.

use serde::Serialize;

const SECOND_NS: u64 = 1_000_000_000;

/// Counter of arrivals in the seconds and minutes from the first arrival on.
#[derive(Clone, Copy, Debug, Default)]
pub struct BusiestTimes {
    first_ns: Option<i64>,
    second: Windows,
    minute: Windows,
}

/// Windows of one width: the open one, and the one with the most arrivals.
#[derive(Clone, Copy, Debug, Default)]
struct Windows {
    open: u64,
    count: u64,
    most: u64,
    busiest: u64,
}

/// A window of time with the most arrivals; of equal ones, the earliest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BusiestTime {
    /// Number of reads and writes that arrive in the window.
    pub most_requests: u64,
    /// Start of the window in seconds from the first read or write.
    pub begins_at_s: f64,
}

impl BusiestTimes {
    /// Counts an arrival at `now_ns`, which must not be earlier than the previous one.
    #[inline]
    pub fn add(&mut self, now_ns: i64) {
        let since_ns = now_ns.abs_diff(*self.first_ns.get_or_insert(now_ns));
        self.second.add(since_ns / SECOND_NS);
        self.minute.add(since_ns / (60 * SECOND_NS));
    }

    /// Returns the busiest second and the busiest minute.
    #[must_use]
    pub fn figures(&self) -> [BusiestTime; 2] {
        let of = |windows: &Windows, width_s: f64| BusiestTime {
            most_requests: windows.most,
            begins_at_s: windows.busiest as f64 * width_s,
        };
        [of(&self.second, 1.0), of(&self.minute, 60.0)]
    }
}

impl Windows {
    #[inline]
    fn add(&mut self, window: u64) {
        if window != self.open {
            (self.open, self.count) = (window, 0);
        }
        self.count += 1;
        if self.count > self.most {
            (self.most, self.busiest) = (self.count, window);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_begin_at_the_first_arrival() {
        let mut times = BusiestTimes::default();
        // Seconds 0, 1 and 61 have 2, 3 and 3 arrivals, and minutes 0 and 1 have 5 and 4.
        for ms in [500, 1499, 1500, 1600, 2499, 61_500, 61_501, 62_499, 120_499] {
            times.add(ms * 1_000_000);
        }
        let [second, minute] = times.figures();
        assert_eq!(second, BusiestTime { most_requests: 3, begins_at_s: 1.0 });
        assert_eq!(minute, BusiestTime { most_requests: 5, begins_at_s: 0.0 });
        assert_eq!(BusiestTimes::default().figures()[0].most_requests, 0);
    }
}
