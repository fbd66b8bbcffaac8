//! The sweeps of the sled over the rows of a request, recorded while the request is planned.

use super::motion::Direction;
use super::runs::{Notes, Run};

/// A run (consecutive rows) of a request, with the data from which its sweep direction is found afterwards.
#[derive(Clone)]
pub(super) struct Step {
    pub run: Run,
    /// Number of parts in this run and all runs before it; a part is a range of rows with equal numbers of blocks.
    pub parts: usize,
    /// The best sweep direction of the previous run, in two cases: this run is swept upwards, or this run
    /// is swept downwards.
    pub after: [Direction; 2],
}

/// The runs (consecutive rows) of a request and their sweep directions; empty if the request has only one row.
#[derive(Clone, Default)]
pub(super) struct NotedSweeps {
    /// The parts of all runs, in the order of blocks. In a part, all rows hold equal numbers of blocks of
    /// the request.
    pub parts: Vec<Run>,
    pub steps: Vec<Step>,
    /// Direction (up or down) in which the sled sweeps over each run.
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

    /// Finds the sweep direction of each run, if the last run is swept in the direction `last`.
    pub fn end_in(&mut self, last: Direction) {
        self.directions.resize(self.steps.len(), last);
        for next in (1..self.steps.len()).rev() {
            self.directions[next - 1] = self.steps[next].after[self.directions[next] as usize];
        }
    }
}
