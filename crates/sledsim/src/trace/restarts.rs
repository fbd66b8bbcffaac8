//! Recordings in one file behind each other, which show in times that go back to near the start.

use super::recorded_clock::in_words;

/// Smallest number of requests before a step back that is examined.
const BEFORE_MIN: u64 = 4;
/// Number of requests in a row, from a step back on, that stay far behind the latest time.
const IN_A_ROW: usize = 3;

/// Part of the span of a file below which a step back is the disorder of its beginning.
const SHORT: u64 = 100;

/// The steps back of the times of a trace, in the order of the file, that are long compared with disorder.
#[derive(Debug, Default)]
pub(super) struct Restarts {
    /// Earliest and latest time since the last restart, in ns; `None` before the first request.
    span_ns: Option<(i64, i64)>,
    /// Number of requests since the last restart.
    requests: u64,
    /// The last requests, as far as they are far behind the latest time.
    behind: Behind,
    /// Earliest and latest time before the last restart or the last device, in ns.
    before_ns: Option<(i64, i64)>,
    restarts: u64,
    /// Length in ns of the first step back.
    by_ns: u64,
}

/// Requests in a row, in order of time, that are far behind the latest time.
#[derive(Debug, Default)]
struct Behind {
    first_ns: i64,
    last_ns: i64,
    requests: usize,
}

impl Behind {
    fn next(&mut self, time_ns: i64) {
        if self.requests == 0 || time_ns < self.last_ns {
            *self = Self { first_ns: time_ns, last_ns: time_ns, requests: 1 };
        } else {
            (self.last_ns, self.requests) = (time_ns, self.requests + 1);
        }
    }
}

impl Restarts {
    /// Takes the next times in the order of the file, with the devices of their requests. `is_sorted` is true if the times
    /// never decrease.
    pub fn watch(&mut self, times_ns: &[i64], devices: &[i32], is_sorted: bool) {
        let (Some(&first_ns), Some(&last_ns)) = (times_ns.first(), times_ns.last()) else { return };
        let (earliest_ns, latest_ns) = self.span_ns.unwrap_or((first_ns, first_ns));
        if first_ns >= latest_ns && is_sorted {
            self.span_ns = Some((earliest_ns, last_ns));
            self.requests += times_ns.len() as u64;
            self.behind = Behind::default();
            return;
        }
        for (at, &time_ns) in times_ns.iter().enumerate() {
            self.next(time_ns, || is_of_new_device(devices, at));
        }
    }

    #[inline]
    fn next(&mut self, time_ns: i64, is_of_new_device: impl Fn() -> bool) {
        let (earliest_ns, latest_ns) = self.span_ns.unwrap_or((time_ns, time_ns));
        let back_ns = if time_ns < latest_ns { latest_ns.abs_diff(time_ns) } else { 0 };
        let is_far = back_ns > latest_ns.abs_diff(earliest_ns) / 2 && self.requests >= BEFORE_MIN;
        if !is_far {
            self.behind = Behind::default();
        } else if self.behind.requests == 0 && is_of_new_device() {
            self.before_ns = self.whole_ns();
            (self.span_ns, self.requests) = (Some((time_ns, time_ns)), 1);
            return;
        } else {
            self.behind.next(time_ns);
            if self.behind.requests == IN_A_ROW {
                self.restart(latest_ns);
                return;
            }
        }
        self.requests += 1;
        if !is_far {
            self.span_ns = Some((earliest_ns.min(time_ns), latest_ns.max(time_ns)));
        }
    }

    #[cold]
    fn restart(&mut self, latest_ns: i64) {
        let Behind { first_ns, last_ns, .. } = std::mem::take(&mut self.behind);
        if self.restarts == 0 {
            self.by_ns = latest_ns.abs_diff(first_ns);
        }
        self.restarts += 1;
        self.requests = IN_A_ROW as u64;
        self.before_ns = self.whole_ns();
        self.span_ns = Some((first_ns, last_ns));
    }

    /// Earliest and latest time of the whole file until now.
    fn whole_ns(&self) -> Option<(i64, i64)> {
        let spans = self.before_ns.into_iter().chain(self.span_ns);
        spans.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// The doubt on the times; `None` if they do not go back far.
    pub fn text(&self) -> Option<String> {
        let back = in_words(self.by_ns);
        let whole_ns = self.whole_ns().map_or(0, |(first_ns, last_ns)| last_ns.abs_diff(first_ns));
        match self.restarts {
            _ if self.by_ns < whole_ns / SHORT => None,
            0 => None,
            1 => Some(format!("times go back by {back}: perhaps two recordings in one file")),
            count => Some(format!(
                "times go back {count} times, at first by {back}: perhaps {} recordings in one file",
                count + 1
            )),
        }
    }
}

/// True if no earlier request of these is of the device of the request at position `at`: a file may hold its devices
/// behind each other.
#[cold]
fn is_of_new_device(devices: &[i32], at: usize) -> bool {
    at > 0 && !devices[..at].contains(&devices[at])
}
