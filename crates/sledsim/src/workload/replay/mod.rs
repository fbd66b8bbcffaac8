//! Replay of a trace, with several rules for arrival times.

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

/// A workload that replays a trace.
pub trait Replaying<'a>: Workload {
    /// The columns of the replayed trace, with addresses that fit the devices.
    fn columns(&self) -> &Columns<'a>;

    /// Number of requests of the trace that waited for the completion of another one.
    fn waited(&self) -> usize {
        0
    }

    /// The rows of the trace in the order in which their requests arrived; `None` if this is the
    /// order of the trace.
    fn trace_rows(&self) -> Option<&[u32]> {
        None
    }
}

/// A function that makes the workload for a trace in one replay mode; an error names an invalid
/// option or missing columns of the trace.
type MakeReplay = for<'a> fn(&Options, Replay<'a>) -> Result<Box<dyn Replaying<'a> + 'a>>;

/// A replay mode with its name and options.
pub type ReplayRow = Row<MakeReplay>;

rows! {
    /// The table of all replay modes.
    pub static REPLAYS: Table<MakeReplay> = "replay";
    mod open: ROW;
    mod closed: ROW;
    mod think: ROW;
}
