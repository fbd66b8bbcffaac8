//! The way through a request as it was planned.

use super::motion::{Boundary, CostX, SledPlace};
use crate::time::Span;

/// The quickest way to access all rows of a request that the access mode allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Where the sled starts from, and where the first row begins.
    pub(super) start: SledPlace,
    pub(super) begin: Boundary,
    pub(super) x: CostX,
    pub(super) positioning: Span,
    pub(super) switching: Span,
    pub(super) switches: u32,
    /// Held back for the data of a write, and how much of that lies before the first row.
    pub(super) hold: Span,
    pub(super) hold_before: Span,
    /// Rows that pass, and how many of them are read before they are written.
    pub(super) rows: u64,
    pub(super) rows_before: u64,
    pub(super) end: SledPlace,
}

impl Plan {
    /// The way to a single row, and through it.
    #[inline]
    pub(super) fn of_row(
        start: SledPlace,
        x: CostX,
        positioning: Span,
        (begin, end): (Boundary, SledPlace),
    ) -> Self {
        let [switching, hold, hold_before] = [Span::ZERO; 3];
        let (switches, rows, rows_before) = (0, 1, 0);
        Self { start, begin, x, positioning, switching, switches, hold, hold_before, rows, rows_before, end }
    }
}
