//! Generators: workloads drawn at random for a device of a given capacity. Same seed, same bytes.

mod arrival_options;
mod arrivals;
mod drawn;
mod draws;
mod generator;
mod onoff;
mod requests;
mod sessions;
#[cfg(test)]
mod tests;

use crate::error::Result;
use crate::options::Options;
use crate::table::{rows, Row};
use crate::trace::Trace;
pub use drawn::Drawer;
use drawn::Drawn;
#[cfg(feature = "fitted")]
pub use fitted::{FittedWorkload, WorkloadFit};
pub use generator::{random, random_generator, Generator};

/// A function that makes notes on requests drawn with these options.
type Notes = fn(&Options, &Trace) -> Result<Vec<String>>;

/// A generator, without its name and options.
#[derive(Clone, Copy)]
pub struct GeneratorKind {
    /// Draws requests for a device with that number of sectors.
    draw: fn(&Options, u64, &mut Drawn<'_>) -> Result<()>,
    /// Notes the distance of requests from published figures, if there are any.
    notes: Option<Notes>,
}

/// A row of the table of generators.
pub type GeneratorRow = Row<GeneratorKind>;

rows! {
    /// The table of all generators.
    pub static GENERATORS: Table<GeneratorKind> = "workload";
    mod random: ROW;
    mod mixture: ROW;
    mod stream: ROW;
    mod zipf: ROW;
    mod organpipe: ROW;
    mod files: ROW;
    mod rmw: ROW;
    mod raid5: ROW;
    mod metadata: ROW;
    #[cfg(feature = "fitted")] mod fitted: ROW;
}
