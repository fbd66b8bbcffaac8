//! Sweeps of the runs of a request, noted while it is planned.

use super::motion::Direction;
use super::runs::{Notes, Run};

/// A run on the way through a request.
#[derive(Clone)]
pub(super) struct Step {
    pub run: Run,
    /// Number of parts up to the end of the run.
    pub parts: usize,
    /// Best sweep direction of the previous run, by the sweep direction of this run.
    pub after: [Direction; 2],
}

/// The sweeps through a request, of one row or of several steps.
#[derive(Clone, Default)]
pub(super) struct NotedSweeps {
    /// Parts of which the runs are joined, in the order of blocks.
    pub parts: Vec<Run>,
    pub steps: Vec<Step>,
    /// Sweep direction of each step.
    pub directions: Vec<Direction>,
}

impl Notes for NotedSweeps {
    #[inline]
    fn part(&mut self, part: Run) {
        self.parts.push(part);
    }

    #[inline]
    fn step(&mut self, run: Run, after: [Direction; 2]) {
        self.steps.push(Step { run, parts: self.parts.len(), after });
    }
}

impl NotedSweeps {
    pub fn clear(&mut self) {
        self.parts.clear();
        self.steps.clear();
        self.directions.clear();
    }

    /// Chooses the directions of the quickest way that ends in `last`.
    pub fn end_in(&mut self, last: Direction) {
        self.directions.resize(self.steps.len(), last);
        for next in (1..self.steps.len()).rev() {
            self.directions[next - 1] = self.steps[next].after[self.directions[next] as usize];
        }
    }
}
