//! The way through a request as it was planned.

use super::motion::{Boundary, CostX, Direction, SledPlace};
use super::runs::{RowNotes, Run};
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

/// Who is told of the steps of a plan: of each run on the way through a request; and, by the direction in which it is
/// swept, in which the quickest way there sweeps the run before. Of its rows before it.
pub(super) trait Notes: RowNotes {
    fn step(&mut self, run: Run, after: [Direction; 2]);
}

impl Notes for () {
    fn step(&mut self, _run: Run, _after: [Direction; 2]) {}
}
