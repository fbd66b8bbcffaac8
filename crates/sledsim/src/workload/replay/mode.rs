//! A way to replay a trace as a user names it.

use super::REPLAYS;
use super::{Replay, ReplayRow, Replaying};
use crate::error::Result;
use crate::options::Options;

/// A way to replay with its options, as a user names it: `closed:outstanding=16`.
#[derive(Clone)]
pub struct ReplayMode {
    row: ReplayRow,
    options: Options,
}

impl ReplayMode {
    /// The way that `text` names: a name, and behind a colon options with commas between.
    ///
    /// # Errors
    /// An unknown name or option, answered with the nearest known one.
    pub fn parse(text: &str) -> Result<Self> {
        let (row, options) = REPLAYS.parse(text)?;
        Ok(Self { row, options })
    }

    /// The workload: the requests of a trace, at their times or when their turn comes.
    ///
    /// # Errors
    /// An option that cannot be, or a trace that does not have what is needed.
    pub fn build<'a>(&self, replay: Replay<'a>) -> Result<Box<dyn Replaying<'a> + 'a>> {
        (self.row.make)(&self.options, replay)
    }

    /// Its name, with the options that are not at their default, or with every one.
    #[must_use]
    pub fn name(&self, all: bool) -> String {
        self.options.name(all)
    }
}
