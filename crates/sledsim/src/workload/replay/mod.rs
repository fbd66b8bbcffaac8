//! Replay of a trace: the rule for the times of its requests.

mod dependencies;
mod mode;
mod replayed_columns;
mod streamed;
mod trace_replay;

use super::Workload;
use crate::error::Result;
use crate::options::Options;
use crate::table::{rows, Row};
pub use dependencies::Dependencies;
pub use mode::ReplayMode;
pub use replayed_columns::Columns;
pub use streamed::{Batch, Batches, Streamed};
pub use trace_replay::Replay;

/// A workload that is the replay of a trace.
pub trait Replaying<'a>: Workload {
    /// The columns as replayed: addresses may have been moved.
    fn columns(&self) -> &Columns<'a>;

    /// Number of requests that waited for the completion of another.
    fn waited(&self) -> usize {
        0
    }

    /// The trace row of each request in order of arrival, if it differs from the order of the trace.
    fn trace_rows(&self) -> Option<&[u32]> {
        None
    }
}

/// A function that makes the workload of a trace; its errors name an invalid option, or missing columns of
/// the trace.
type MakeReplay = for<'a> fn(&Options, Replay<'a>) -> Result<Box<dyn Replaying<'a> + 'a>>;

/// A row of the table of replay modes.
pub type ReplayRow = Row<MakeReplay>;

rows! {
    /// The table of all replay modes.
    pub static REPLAYS: Table<MakeReplay> = "replay";
    mod open: ROW;
    mod closed: ROW;
    mod think: ROW;
}
