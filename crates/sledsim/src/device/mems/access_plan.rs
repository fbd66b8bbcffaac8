//! The planned motions of a request.

use super::motion::{Boundary, CostX, SledPlace};
use crate::time::Span;

/// The quickest way to access all rows of a request, among the ways that the access mode allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Places of the sled at the start and at the beginning of the first row.
    pub(super) start: SledPlace,
    pub(super) begin: Boundary,
    pub(super) x: CostX,
    pub(super) positioning: Span,
    pub(super) switching: Span,
    pub(super) switches: u32,
    /// Time for which the sled waits for the data of a write, and the portion of this time before
    /// the first row.
    pub(super) hold: Span,
    pub(super) hold_before: Span,
    /// Number of rows that pass under the tips, and number of these rows that are read before they
    /// are written.
    pub(super) rows: u64,
    pub(super) rows_before: u64,
    pub(super) end: SledPlace,
}

impl Plan {
    /// Plans the motion to a single row and its transfer.
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
