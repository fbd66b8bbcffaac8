//! Open replay of a trace: every request arrives at its recorded time, which may be scaled.

use super::super::{Arrival, Workload};
use super::replayed_columns::Columns;
use super::trace_replay::Replay;
use super::{ReplayRow, Replaying};

/// Entry for this mode in the table of replay modes.
pub(super) const ROW: ReplayRow = ReplayRow::new(
    "open",
    "every request arrives at its recorded time, even if earlier requests are not complete",
    |_, replay| Ok(Box::new(replay)),
);

impl Workload for Replay<'_> {
    #[inline]
    fn next(&mut self) -> Option<Arrival> {
        let row = self.row;
        if row == self.len() {
            return None;
        }
        self.row += 1;
        Some(self.arrival(row, self.time(row)))
    }

    fn waits(&self) -> bool {
        false
    }

    fn expected(&self) -> usize {
        self.len()
    }
}

impl<'a> Replaying<'a> for Replay<'a> {
    fn columns(&self) -> &Columns<'a> {
        &self.columns
    }
}
