//! The planned way through a request.

use super::motion::{Boundary, CostX, SledPlace};
use crate::time::Span;

/// The quickest way to access all rows of a request that the access mode allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Places at which the sled starts and the first row begins.
    pub(super) start: SledPlace,
    pub(super) begin: Boundary,
    pub(super) x: CostX,
    pub(super) positioning: Span,
    pub(super) switching: Span,
    pub(super) switches: u32,
    /// Time for which the sled waits for the data of a write, and the part of this wait before the first row.
    pub(super) hold: Span,
    pub(super) hold_before: Span,
    /// Number of rows that pass, and number of rows that are read before they are written.
    pub(super) rows: u64,
    pub(super) rows_before: u64,
    pub(super) end: SledPlace,
}

impl Plan {
    /// Plans the way to a single row, and through it.
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
