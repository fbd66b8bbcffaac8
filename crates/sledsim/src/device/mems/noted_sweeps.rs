//! Sweeps over the runs of a request, recorded while the request is planned.

use super::motion::Direction;
use super::runs::{Notes, Run};

/// A run, as one step of a request.
#[derive(Clone)]
pub(super) struct Step {
    pub run: Run,
    /// Number of parts of the request up to the end of the run.
    pub parts: usize,
    /// Best sweep direction of the previous run, for each sweep direction of this run.
    pub after: [Direction; 2],
}

/// The sweeps of a request: several steps, or no step if it has only one row.
#[derive(Clone, Default)]
pub(super) struct NotedSweeps {
    /// Parts that are joined into runs, in the order of blocks.
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

    /// Chooses the sweep directions of the quickest way that ends in the direction `last`.
    pub fn end_in(&mut self, last: Direction) {
        self.directions.resize(self.steps.len(), last);
        for next in (1..self.steps.len()).rev() {
            self.directions[next - 1] = self.steps[next].after[self.directions[next] as usize];
        }
    }
}
