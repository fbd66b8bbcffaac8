//! Replay of a trace: what decides when its requests come. One file a way, one row in the table.

mod closed;
mod columns;
mod dependencies;
mod open;
mod think;

use super::Workload;
use crate::error::{normalise, unknown_name, Result};
use crate::options::{OptionRow, Options};
pub use columns::Columns;
pub use dependencies::Dependencies;
pub use open::Replay;

/// A workload that is the replay of a trace.
pub trait Replaying<'a>: Workload {
    /// The columns as replayed: addresses may have been moved.
    fn columns(&self) -> &Columns<'a>;

    /// How many requests waited for the completion of another.
    fn waited(&self) -> usize {
        0
    }

    /// The row of the trace of each request in the order in which they came, where it is not the trace's.
    fn trace_rows(&self) -> Option<&[u32]> {
        None
    }
}

/// One way to replay a trace.
#[derive(Clone, Copy)]
pub struct ReplayRow {
    /// The name that users give.
    pub name: &'static str,
    /// When requests come.
    pub description: &'static str,
    /// Its options.
    pub options: &'static [OptionRow],
    build: for<'a> fn(&Options, Replay<'a>) -> Result<Box<dyn Replaying<'a> + 'a>>,
}

/// Every way to replay a trace.
pub const REPLAYS: &[ReplayRow] = &[
    ReplayRow {
        name: "open",
        description: "every request at its recorded time, whether or not earlier ones are complete",
        options: &[],
        build: |_, replay| Ok(Box::new(replay)),
    },
    ReplayRow {
        name: "closed",
        description:
            "a fixed number outstanding, as fast as possible or after thinking; recorded times do not count",
        options: closed::OPTIONS,
        build: |options, replay| Ok(Box::new(closed::Closed::new(replay, options)?)),
    },
    ReplayRow {
        name: "think",
        description:
            "a request that waited for another is issued as long after the other's completion as recorded",
        options: think::OPTIONS,
        build: |options, replay| Ok(Box::new(think::Think::new(replay, options)?)),
    },
];

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
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let row = find_replay(name)?;
        Ok(Self { options: Options::parse(row.name, row.options, options)?, row: *row })
    }

    /// The workload: the requests of a trace, at their times or when their turn comes.
    ///
    /// # Errors
    /// An option that cannot be, or a trace that does not have what is needed.
    pub fn build<'a>(&self, replay: Replay<'a>) -> Result<Box<dyn Replaying<'a> + 'a>> {
        (self.row.build)(&self.options, replay)
    }

    /// Its name, with the options that are not at their default, or with every one.
    #[must_use]
    pub fn name(&self, all: bool) -> String {
        self.options.name(all)
    }
}

/// The way to replay of that name.
///
/// # Errors
/// An unknown name, answered with the nearest known one.
pub fn find_replay(name: &str) -> Result<&'static ReplayRow> {
    let found = REPLAYS.iter().find(|row| normalise(row.name) == normalise(name));
    found.ok_or_else(|| unknown_name("replay", name, REPLAYS.iter().map(|row| row.name)))
}
