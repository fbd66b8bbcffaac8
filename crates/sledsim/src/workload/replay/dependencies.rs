//! Dependencies between the requests of a trace, inferred from recorded times.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::replayed_columns::Columns;
use crate::trace::flags;

/// Value in place of a row, for a request that waited for no other.
const NONE: u32 = u32::MAX;

/// The request for whose completion each request of a trace waited, if any, and the think time
/// between the two.
///
/// A request does not depend on requests that were outstanding when it arrived. It is assumed to
/// have waited for the earlier request that completed last; the time since this completion is think
/// time. If this time is longer than the longest think time, the request is assumed to be
/// independent, as requests of timers and daemons are. No request waits for a request that no
/// process awaited (asynchronous, or written back by the update daemon).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependencies {
    after: Vec<u32>,
    /// Think time in ns of each request, from the completion for which it waited to its arrival; 0
    /// for independent requests.
    pub think_ns: Vec<i64>,
}

impl Dependencies {
    /// Infers dependencies from the recorded times of a trace; a request that arrives more than
    /// `longest_ns` after the last completion is independent.
    #[must_use]
    pub fn infer(columns: &Columns<'_>, longest_ns: f64) -> Self {
        let rows = columns.arrival_ns.len();
        let mut found = Self { after: vec![NONE; rows], think_ns: vec![0; rows] };
        let mut outstanding = BinaryHeap::new();
        let mut last: Option<(i64, u32)> = None;
        for row in 0..rows {
            let arrival_ns = columns.arrival_ns[row];
            while let Some(Reverse((completion_ns, earlier))) = outstanding.peek().copied() {
                if completion_ns > arrival_ns {
                    break;
                }
                outstanding.pop();
                last = Some((completion_ns, earlier));
            }
            let comes_by_itself = columns.flags[row] & flags::DAEMON != 0;
            if let Some((completion_ns, earlier)) = last.filter(|_| !comes_by_itself) {
                let think_ns = arrival_ns - completion_ns;
                if think_ns as f64 <= longest_ns {
                    found.after[row] = earlier;
                    found.think_ns[row] = think_ns;
                }
            }
            let is_awaited = columns.flags[row] & (flags::ASYNC | flags::DAEMON) == 0;
            if columns.response_ns[row] > 0 && is_awaited {
                let completion_ns = arrival_ns.saturating_add(columns.response_ns[row]);
                outstanding.push(Reverse((completion_ns, row as u32)));
            }
        }
        found
    }

    /// The row of the request for whose completion the request in `row` waited; `None` if it is
    /// independent.
    #[must_use]
    pub fn after(&self, row: usize) -> Option<u32> {
        Some(self.after[row]).filter(|row| *row != NONE)
    }

    /// Number of requests that waited for the completion of another request.
    #[must_use]
    pub fn count(&self) -> usize {
        self.after.iter().filter(|row| **row != NONE).count()
    }

    /// Returns, for each request, the requests that waited for it: start indices and rows. The rows
    /// from the start index of a request up to that of the next request are its waiters.
    pub(super) fn waiters(&self) -> (Vec<u32>, Vec<u32>) {
        let mut first = vec![0u32; self.after.len() + 1];
        for after in self.after.iter().filter(|row| **row != NONE) {
            first[*after as usize + 1] += 1;
        }
        for row in 1..first.len() {
            first[row] += first[row - 1];
        }
        let mut next = first.clone();
        let mut waiters = vec![0; self.count()];
        for (row, after) in self.after.iter().enumerate().filter(|(_, after)| **after != NONE) {
            let place = &mut next[*after as usize];
            waiters[*place as usize] = row as u32;
            *place += 1;
        }
        (first, waiters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Trace, TraceRow};

    /// Infers the dependencies of requests, each given by arrival time, response time and flags.
    fn found(rows: &[(i64, i64, u8)], longest_ns: f64) -> Vec<Option<(u32, i64)>> {
        let mut trace = Trace::default();
        for &(arrival_ns, response_ns, flags) in rows {
            trace.push(TraceRow { arrival_ns, response_ns, flags, blocks: 8, ..TraceRow::default() });
        }
        let found = Dependencies::infer(&Columns::of(&trace), longest_ns);
        let all: Vec<_> =
            (0..rows.len()).map(|row| found.after(row).map(|after| (after, found.think_ns[row]))).collect();
        assert_eq!(found.count(), all.iter().flatten().count());
        all
    }

    /// Checks requests that complete out of order, some of them exactly when another one arrives.
    #[test]
    fn a_request_waits_for_what_completed_last() {
        let rows = [
            (0, 100, 0),
            (10, 20, 0),
            (20, 30, 0),
            (30, 5, 0),
            (50, 0, 0),
            (99, 0, 0),
            (100, 0, 0),
            (400, 0, 0),
        ];
        let expected =
            [None, None, None, Some((1, 0)), Some((2, 0)), Some((2, 49)), Some((0, 0)), Some((0, 300))];
        assert_eq!(found(&rows, 1e9), expected);
    }

    #[test]
    fn no_thought_is_longer_than_the_longest() {
        let rows = [(0, 10, 0), (30, 0, 0), (31, 0, 0)];
        assert_eq!(found(&rows, 20.0), [None, Some((0, 20)), None]);
    }

    /// Checks that no request waits for an asynchronous one or one that is written back, that a request
    /// written back waits for no other, and that an asynchronous one may wait.
    #[test]
    fn what_is_not_awaited_makes_nothing_wait() {
        let rows = [(0, 10, 0), (20, 5, flags::ASYNC), (30, 5, flags::DAEMON), (40, 0, 0)];
        assert_eq!(found(&rows, 1e9), [None, Some((0, 10)), None, Some((0, 30))]);
    }
}
