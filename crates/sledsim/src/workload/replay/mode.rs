//! A replay mode in the user's notation.

use super::REPLAYS;
use super::{Replay, ReplayRow, Replaying};
use crate::error::Result;
use crate::options::Options;

/// A replay mode with its options, in the user's notation: `closed:outstanding=16`.
#[derive(Clone)]
pub struct ReplayMode {
    row: ReplayRow,
    options: Options,
}

impl ReplayMode {
    /// Parses a replay mode: a name, and behind a colon options with commas between.
    ///
    /// # Errors An unknown name or option, answered with the nearest known one.
    pub fn parse(text: &str) -> Result<Self> {
        let (row, options) = REPLAYS.parse(text)?;
        Ok(Self { row, options })
    }

    /// Makes the workload: the requests of a trace, at their times or when their turn comes.
    ///
    /// # Errors An invalid option, or a trace without the necessary columns.
    pub fn build<'a>(&self, replay: Replay<'a>) -> Result<Box<dyn Replaying<'a> + 'a>> {
        (self.row.make)(&self.options, replay)
    }

    /// The name, with the options that are not at their default, or with all.
    #[must_use]
    pub fn name(&self, all: bool) -> String {
        self.options.name(all)
    }
}
