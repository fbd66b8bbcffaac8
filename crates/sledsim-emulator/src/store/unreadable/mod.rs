//! The set of sectors that a power failure made unreadable.

mod list;

use std::collections::BTreeMap;
use std::ops::Range;

pub use list::list_beside;

/// The set of sectors that were under the tips during a write when the power failed. They have neither the old nor the
/// new contents, and are unreadable until they are written again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unreadable {
    /// Unreadable ranges of sectors, which neither overlap nor touch. The key is the first sector of a range,
    /// the value is the sector after its last one.
    ranges: BTreeMap<u64, u64>,
}

impl Unreadable {
    /// Add the sectors of a torn row to the set.
    pub fn insert(&mut self, sectors: Range<u64>) {
        if sectors.is_empty() {
            return;
        }
        let (mut first, mut end) = (sectors.start, sectors.end);
        while let Some((&start, &range_end)) = self.ranges.range(..=end).next_back() {
            if range_end < first {
                break;
            }
            first = first.min(start);
            end = end.max(range_end);
            self.ranges.remove(&start);
        }
        self.ranges.insert(first, end);
    }

    /// Remove sectors from the set because they were written.
    pub fn remove(&mut self, sectors: Range<u64>) {
        if sectors.is_empty() {
            return;
        }
        while let Some((&start, &end)) = self.ranges.range(..sectors.end).next_back() {
            if end <= sectors.start {
                break;
            }
            self.ranges.remove(&start);
            if end > sectors.end {
                self.ranges.insert(sectors.end, end);
            }
            if start < sectors.start {
                self.ranges.insert(start, sectors.start);
            }
        }
    }

    /// The first unreadable sector in the range `sectors`.
    #[must_use]
    pub fn first_of(&self, sectors: Range<u64>) -> Option<u64> {
        if sectors.is_empty() {
            return None;
        }
        let before = self.ranges.range(..=sectors.start).next_back();
        if before.is_some_and(|(_, &end)| end > sectors.start) {
            return Some(sectors.start);
        }
        self.ranges.range(sectors).next().map(|(&start, _)| start)
    }

    /// Ranges of unreadable sectors in ascending order; they neither overlap nor touch.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        self.ranges.iter().map(|(&start, &end)| start..end)
    }

    /// Number of unreadable sectors.
    #[must_use]
    pub fn sectors(&self) -> u64 {
        self.ranges().map(|range| range.end - range.start).sum()
    }

    /// Return true if all sectors are readable.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}
