//! Sorting of requests by arrival time while a trace is read.

use std::collections::VecDeque;

use super::columns::Trace;

/// Sorter that holds back the last requests read, so that a request that stands too late in the
/// file can still be put in its place.
#[derive(Debug)]
pub(super) struct Order {
    held: VecDeque<Trace>,
    held_rows: usize,
    window: usize,
    latest_ns: i64,
    passed_ns: i64,
}

/// Error: a request arrived before one that the sorter has already passed on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLate {
    /// Difference of the two arrival times in ns.
    pub by_ns: i64,
}

impl Order {
    /// Returns an empty sorter that holds back at least `window` requests.
    pub fn new(window: usize) -> Self {
        Self { held: VecDeque::new(), held_rows: 0, window, latest_ns: i64::MIN, passed_ns: i64::MIN }
    }

    /// Takes the next requests of the file. Returns how many of them arrived before a request that
    /// stands earlier in the file.
    pub fn put(&mut self, mut rows: Trace) -> Result<u64, TooLate> {
        let Some(&earliest_ns) = rows.arrival_ns.iter().min() else { return Ok(0) };
        let mut late = 0;
        for &arrival_ns in &rows.arrival_ns {
            late += u64::from(arrival_ns < self.latest_ns);
            self.latest_ns = self.latest_ns.max(arrival_ns);
        }
        if late > 0 {
            if earliest_ns < self.passed_ns {
                return Err(TooLate { by_ns: self.passed_ns.saturating_sub(earliest_ns) });
            }
            rows = self.take_after(earliest_ns, rows);
            rows.sort_by_arrival();
        }
        self.held_rows += rows.len();
        self.held.push_back(rows);
        Ok(late)
    }

    /// Removes all held batches that have requests later than `earliest_ns`, and returns these batches
    /// followed by `rows` as one trace.
    fn take_after(&mut self, earliest_ns: i64, rows: Trace) -> Trace {
        let mut first = self.held.len();
        while first > 0 && self.held[first - 1].arrival_ns.last() > Some(&earliest_ns) {
            first -= 1;
        }
        let mut all = Trace::default();
        for held in self.held.drain(first..) {
            self.held_rows -= held.len();
            all.append(held);
        }
        all.append(rows);
        all
    }

    /// Returns the earliest batch of held requests; `None` if fewer than `window` requests are held
    /// after it and the file goes on.
    pub fn take(&mut self, is_at_end: bool) -> Option<Trace> {
        let first = self.held.front()?.len();
        if !is_at_end && self.held_rows - first < self.window {
            return None;
        }
        let rows = self.held.pop_front()?;
        self.held_rows -= first;
        self.passed_ns = rows.arrival_ns.last().copied().unwrap_or(self.passed_ns);
        Some(rows)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::columns::TraceRow;
    use super::*;

    fn rows(times: &[i64], first: usize) -> Trace {
        let mut trace = Trace::default();
        for (at, &arrival_ns) in times.iter().enumerate() {
            trace.push(TraceRow { arrival_ns, lbn: (first + at) as i64, ..TraceRow::default() });
        }
        trace
    }

    proptest! {
        #[test]
        fn what_comes_out_is_sorted_or_refused(
            jitter in prop::collection::vec(0i64..40, 1..200),
            piece in 1usize..20,
            window in 0usize..50,
        ) {
            let times: Vec<i64> = jitter.iter().enumerate().map(|(at, late)| at as i64 - late).collect();
            let mut order = Order::new(window);
            let (mut out, mut late, mut refused) = (Trace::default(), 0, false);
            for (at, part) in times.chunks(piece).enumerate() {
                match order.put(rows(part, at * piece)) {
                    Ok(count) => late += count,
                    Err(TooLate { by_ns }) => {
                        prop_assert!(by_ns > 0);
                        refused = true;
                        break;
                    }
                }
                while let Some(ready) = order.take(false) {
                    out.append(ready);
                }
            }
            // A request within the window is never refused.
            prop_assert!(!refused || window < 40);
            if !refused {
                while let Some(ready) = order.take(true) {
                    out.append(ready);
                }
                let mut whole = rows(&times, 0);
                whole.sort_by_arrival();
                prop_assert_eq!(&out, &whole);
                let mut latest = i64::MIN;
                let expected = times.iter().filter(|&&time| { let is_late = time < latest; latest = latest.max(time); is_late }).count();
                prop_assert_eq!(late, expected as u64);
            }
        }
    }
}
