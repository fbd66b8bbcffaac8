//! The plan of a request: how the sled moves to access all of its rows.

use super::motion::{Boundary, CostX, SledPlace};
use crate::time::Span;

/// The quickest sequence of motions that accesses all rows of a request and that the access mode allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Place of the sled at the start of the service, and the row boundary at which the access begins.
    pub(super) start: SledPlace,
    pub(super) begin: Boundary,
    pub(super) x: CostX,
    pub(super) positioning: Span,
    pub(super) switching: Span,
    pub(super) switches: u32,
    /// Time for which the sled waits for the data of a write: in total, and before the first row.
    pub(super) hold: Span,
    pub(super) hold_before: Span,
    /// Number of rows that pass under the tips: in total, and of those that are read before they are written.
    pub(super) rows: u64,
    pub(super) rows_before: u64,
    pub(super) end: SledPlace,
}

impl Plan {
    /// Creates the plan of a request in a single row: positioning from `start`, and one pass over the row.
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
