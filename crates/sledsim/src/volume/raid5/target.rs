//! Targets of a write: sets of its sectors, each within one stripe, for which the new parity is computed together.

use std::ops::Range;

use super::method::Method;
use super::stripe_map::StripeMap;

/// A target of a write: sectors of one stripe for which the new parity is computed together.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) stripe: u64,
    /// Sectors that the target covers, counted from the start of each stripe unit: the same range in every unit of the
    /// stripe.
    pub(super) rows: Range<u64>,
    /// Sectors of the volume that the whole write covers, in all of its stripes.
    pub(super) range: Range<u64>,
}

impl Target {
    /// Splits a write to the sectors `range` of the volume into targets. Most stripes have one. A stripe has two if the
    /// write touches two columns, at the start of one and the end of the other, with a gap between that is too long to
    /// be read.
    pub(super) fn all(layout: &StripeMap, range: &Range<u64>) -> impl Iterator<Item = Self> {
        let (layout, range) = (*layout, range.clone());
        let stripes =
            layout.piece(range.start, range.end).stripe..=layout.piece(range.end - 1, range.end).stripe;
        stripes.flat_map(move |stripe| {
            let start = layout.start(stripe, 0);
            let (begin, end) = (start.max(range.start), layout.start(stripe + 1, 0).min(range.end));
            let (first, last) = (layout.piece(begin, end), layout.piece(end - 1, end));
            let (from, to) = (first.from, last.from + 1);
            let rows = match last.column - first.column {
                0 => [from..to, 0..0],
                1 if from > to + layout.gap => [0..to, from..layout.unit],
                _ => [0..layout.unit, 0..0],
            };
            let range = range.clone();
            let target = move |rows| Self { stripe, rows, range: range.clone() };
            rows.into_iter().filter(|rows| !rows.is_empty()).map(target)
        })
    }

    /// The sectors of each device that hold the sectors `range` of the volume and their parity: one range, the same on
    /// every device.
    pub(super) fn rows_of(layout: &StripeMap, range: &Range<u64>) -> Range<u64> {
        let rows = |target: Self| layout.below(target.stripe, &target.rows);
        let hull = Self::all(layout, range).map(rows).reduce(|all, next| all.start..next.end);
        hull.expect("a request has at least one sector")
    }

    /// Sectors of the column `column` that the write covers, counted from the start of its unit.
    pub(super) fn written(&self, layout: &StripeMap, column: u64) -> Range<u64> {
        layout.covered(self.stripe, column, &self.range, &self.rows)
    }

    /// Sectors of the target in the column `column` that the write does not cover. They are one range, because the
    /// written sectors touch the start or the end of the target.
    pub(super) fn gap(&self, layout: &StripeMap, column: u64) -> Range<u64> {
        let written = self.written(layout, column);
        if written.is_empty() {
            self.rows.clone()
        } else if written.start > self.rows.start {
            self.rows.start..written.start
        } else {
            written.end..self.rows.end
        }
    }

    /// The method of the target, if only one is possible; `None` if both [`Method::Rmw`] and [`Method::Reconstruct`]
    /// are. `usable` is true for the devices with correct data in this stripe: all, or all but one.
    pub(super) fn only_method(&self, layout: &StripeMap, usable: impl Fn(u32) -> bool) -> Option<Method> {
        let parity = layout.parity(self.stripe);
        if !usable(parity) {
            return Some(Method::NoParity);
        }
        let mut columns = 0..layout.columns();
        if columns.clone().all(|column| self.gap(layout, column).is_empty()) {
            return Some(Method::Full);
        }
        let missing = columns.find(|column| !usable(layout.behind(parity, *column)))?;
        Some(match (self.written(layout, missing).is_empty(), self.gap(layout, missing).is_empty()) {
            (true, _) => Method::Rmw,
            (_, true) => Method::Reconstruct,
            _ => Method::Everything,
        })
    }

    /// Sectors of the column `column` that the method `method` reads, counted from the start of its unit.
    pub(super) fn read(&self, layout: &StripeMap, method: Method, column: u64) -> Range<u64> {
        match method {
            Method::NoParity | Method::Full => 0..0,
            Method::Rmw => self.written(layout, column),
            Method::Reconstruct => self.gap(layout, column),
            Method::Everything => self.rows.clone(),
        }
    }
}
