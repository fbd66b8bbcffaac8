//! A replay mode with its options, as the user writes it.

use super::REPLAYS;
use super::{Replay, ReplayRow, Replaying};
use crate::error::Result;
use crate::options::Options;

/// A replay mode with its options, as the user writes it: `closed:outstanding=16`.
#[derive(Clone)]
pub struct ReplayMode {
    row: ReplayRow,
    options: Options,
}

impl ReplayMode {
    /// Parses a replay mode: a name, then a colon and options separated by commas.
    ///
    /// # Errors The name or an option is unknown; the message gives the nearest known one.
    pub fn parse(text: &str) -> Result<Self> {
        let (row, options) = REPLAYS.parse(text)?;
        Ok(Self { row, options })
    }

    /// Makes the workload that replays a trace by the rule of this mode.
    ///
    /// # Errors An option is invalid, or the trace lacks columns that the mode needs.
    pub fn build<'a>(&self, replay: Replay<'a>) -> Result<Box<dyn Replaying<'a> + 'a>> {
        (self.row.make)(&self.options, replay)
    }

    /// The mode's name with the options that differ from their defaults, or, if `all` is true, with all
    /// options.
    #[must_use]
    pub fn name(&self, all: bool) -> String {
        self.options.name(all)
    }
}
