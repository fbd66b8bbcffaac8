//! Targets: the parts of a write that get their parity together, each within one stripe.

use std::ops::Range;

use super::method::Method;
use super::stripe_map::StripeMap;

/// A target: sectors of one stripe that get their new parity together.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) stripe: u64,
    /// Range of sectors, counted from the start of each stripe unit, in which data are written.
    pub(super) rows: Range<u64>,
    /// Sectors of the volume that the whole write covers, in this stripe and in others.
    pub(super) range: Range<u64>,
}

impl Target {
    /// Splits a write to a range of sectors of the volume into targets, in order: one for each stripe. A
    /// stripe has two targets if the write ends at sectors of the units before those at which it starts, and
    /// the gap is too long to be read with the parity.
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

    /// The sectors of each device that contain a range of sectors of the volume and the parity of this range.
    pub(super) fn rows_of(layout: &StripeMap, range: &Range<u64>) -> Range<u64> {
        let rows = |target: Self| layout.below(target.stripe, &target.rows);
        let hull = Self::all(layout, range).map(rows).reduce(|all, next| all.start..next.end);
        hull.expect("a request has at least one sector")
    }

    /// Sectors of a column's unit that are written.
    pub(super) fn written(&self, layout: &StripeMap, column: u64) -> Range<u64> {
        layout.covered(self.stripe, column, &self.range, &self.rows)
    }

    /// Sectors of a column's unit that are not written: one range, because the written sectors begin at the
    /// first or end at the last sector of the target.
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

    /// The method of the target if only one is possible, or `None` if [`Method::Rmw`] and
    /// [`Method::Reconstruct`] are both possible. `usable` is true for devices with correct data in this
    /// stripe: all devices, or all but one.
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

    /// Sectors of a column's unit that are read for the parity.
    pub(super) fn read(&self, layout: &StripeMap, method: Method, column: u64) -> Range<u64> {
        match method {
            Method::NoParity | Method::Full => 0..0,
            Method::Rmw => self.written(layout, column),
            Method::Reconstruct => self.gap(layout, column),
            Method::Everything => self.rows.clone(),
        }
    }
}
