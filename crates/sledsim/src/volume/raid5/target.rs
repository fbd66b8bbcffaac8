//! The part of a write in one stripe.

use std::ops::Range;

use super::method::Method;
use super::stripe_map::StripeMap;

/// A write of rows of one stripe.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) stripe: u64,
    /// Sectors of the stripe units that are written.
    pub(super) rows: Range<u64>,
    /// Sectors of the volume that are written, in this stripe and in others.
    pub(super) range: Range<u64>,
}

impl Target {
    /// Splits a write of a range of sectors of the volume into targets, in order: one for each stripe, or two
    /// if the write ends in rows before those of its start and the gap between is too long to be spanned for
    /// the parity.
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

    /// The sectors of each device that contain a range of sectors of the volume with its parity.
    pub(super) fn rows_of(layout: &StripeMap, range: &Range<u64>) -> Range<u64> {
        let rows = |target: Self| layout.below(target.stripe, &target.rows);
        let hull = Self::all(layout, range).map(rows).reduce(|all, next| all.start..next.end);
        hull.expect("a request has at least one sector")
    }

    /// Rows of a column that are written.
    pub(super) fn written(&self, layout: &StripeMap, column: u64) -> Range<u64> {
        layout.covered(self.stripe, column, &self.range, &self.rows)
    }

    /// Rows of a column that are not written: one piece, because written rows reach one end at least.
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

    /// The only possible method, if there is one; `usable` tells which devices have correct data in this
    /// stripe: all but at most one. `None` leaves the choice between [`Method::Rmw`] and
    /// [`Method::Reconstruct`].
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

    /// Rows of a column that are read.
    pub(super) fn read(&self, layout: &StripeMap, method: Method, column: u64) -> Range<u64> {
        match method {
            Method::NoParity | Method::Full => 0..0,
            Method::Rmw => self.written(layout, column),
            Method::Reconstruct => self.gap(layout, column),
            Method::Everything => self.rows.clone(),
        }
    }
}
