//! Table of the times in y between all row boundaries. Boundaries are given by their indices.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::OnceLock;

/// The table is computed once a share of 1/`WORTH_IT` of its entries has been computed one by one. So short
/// runs do without the table, and long runs lose little time.
const WORTH_IT: usize = 4;

/// Times of a motion in y in nanoseconds, as small integers that keep the table small.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CostY {
    pub total_ns: u32,
    pub turnaround_ns: u32,
    pub turnarounds: u16,
}

/// The times from each row boundary to each other row boundary.
pub(super) struct YTable {
    costs: Vec<CostY>,
    /// The total times again, without the other numbers: planning needs only these, and they fit into the
    /// nearest cache of the processor.
    totals_ns: Vec<u32>,
    boundaries: usize,
}

impl YTable {
    #[inline]
    pub(super) fn cost(&self, from: usize, to: usize) -> CostY {
        self.costs[from * self.boundaries + to]
    }

    #[inline]
    pub(super) fn total_ns(&self, from: usize, to: usize) -> u32 {
        self.totals_ns[from * self.boundaries + to]
    }

    /// Total times from the boundary `from` to all boundaries.
    pub(super) fn totals_from(&self, from: usize) -> &[u32] {
        &self.totals_ns[from * self.boundaries..][..self.boundaries]
    }
}

/// A table that is computed once it has been asked for often enough to be worth its cost.
pub(super) struct LazyYTable {
    boundaries: usize,
    asked: AtomicU32,
    table: OnceLock<YTable>,
}

impl LazyYTable {
    /// Creates the state before the table is computed, for `boundaries` row boundaries. With 0 boundaries
    /// no table is ever computed.
    pub(super) fn new(boundaries: usize) -> Self {
        Self { boundaries, asked: AtomicU32::new(0), table: OnceLock::new() }
    }

    /// True if a table may be computed for this device.
    pub(super) fn may_be(&self) -> bool {
        self.boundaries > 0
    }

    /// Returns the table, which is computed by `costs` once it is worth its cost; None before.
    #[inline]
    pub(super) fn get(&self, costs: impl FnOnce() -> Vec<CostY>) -> Option<&YTable> {
        self.table.get().or_else(|| self.make(costs))
    }

    #[cold]
    fn make(&self, costs: impl FnOnce() -> Vec<CostY>) -> Option<&YTable> {
        let (asked, boundaries) = (self.asked.load(Relaxed), self.boundaries);
        if !self.may_be() {
            return None;
        }
        if asked as usize * WORTH_IT < boundaries * boundaries {
            self.asked.store(asked + 1, Relaxed);
            return None;
        }
        Some(self.table.get_or_init(|| {
            let costs = costs();
            YTable { totals_ns: costs.iter().map(|cost| cost.total_ns).collect(), costs, boundaries }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs() -> Vec<CostY> {
        (0..16).map(|at| CostY { total_ns: at, ..CostY::default() }).collect()
    }

    #[test]
    fn the_table_comes_when_it_is_worth_it() {
        let lazy = LazyYTable::new(4);
        for _ in 0..4 {
            assert!(lazy.get(|| unreachable!("the table does not pay yet")).is_none());
        }
        let table = lazy.get(costs).expect("a fourth of the table was asked for");
        assert_eq!((table.total_ns(1, 2), table.cost(3, 0).total_ns), (6, 12));
        assert_eq!(table.totals_from(2), [8, 9, 10, 11]);
        assert!(lazy.get(|| unreachable!("the table exists")).is_some());
    }

    #[test]
    fn zero_boundaries_have_no_table() {
        let lazy = LazyYTable::new(0);
        assert!(!lazy.may_be() && lazy.get(costs).is_none());
    }
}
