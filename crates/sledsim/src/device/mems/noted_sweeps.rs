//! Sweeps of the runs of a request, noted while it is planned.

use super::motion::Direction;
use super::runs::{Notes, Run};

/// A run on the way through a request.
#[derive(Clone)]
pub(super) struct Step {
    pub run: Run,
    /// Best sweep direction of the previous run, by the direction of this one.
    pub after: [Direction; 2],
}

/// The sweeps through a request, of one row or of several steps.
#[derive(Clone, Default)]
pub(super) struct NotedSweeps {
    /// Rows in the order of blocks.
    pub rows: Vec<Run>,
    pub steps: Vec<Step>,
    /// Sweep direction of each step.
    pub directions: Vec<Direction>,
}

impl Notes for NotedSweeps {
    #[inline]
    fn row(&mut self, row: Run) {
        self.rows.push(row);
    }

    #[inline]
    fn step(&mut self, run: Run, after: [Direction; 2]) {
        self.steps.push(Step { run, after });
    }
}

impl NotedSweeps {
    pub fn clear(&mut self) {
        self.rows.clear();
        self.steps.clear();
        self.directions.clear();
    }

    /// Chooses the directions of the quickest way that ends in this one.
    pub fn end_in(&mut self, last: Direction) {
        self.directions.resize(self.steps.len(), last);
        for next in (1..self.steps.len()).rev() {
            self.directions[next - 1] = self.steps[next].after[self.directions[next] as usize];
        }
    }
}
