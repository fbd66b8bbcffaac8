//! Replay of a trace: what decides when its requests come.

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

    /// How many requests waited for the completion of another.
    fn waited(&self) -> usize {
        0
    }

    /// The row of the trace of each request in the order in which they came, where it is not the trace's.
    fn trace_rows(&self) -> Option<&[u32]> {
        None
    }
}

/// Makes the workload of a trace, or says which option cannot be, or what the trace lacks.
type MakeReplay = for<'a> fn(&Options, Replay<'a>) -> Result<Box<dyn Replaying<'a> + 'a>>;

/// One way to replay a trace.
pub type ReplayRow = Row<MakeReplay>;

rows! {
    /// Every way to replay a trace.
    pub static REPLAYS: Table<MakeReplay> = "replay";
    mod open: ROW;
    mod closed: ROW;
    mod think: ROW;
}
