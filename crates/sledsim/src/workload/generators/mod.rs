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

/// Notes on requests that were drawn by such options.
type Notes = fn(&Options, &Trace) -> Result<Vec<String>>;

/// A generator, besides its name and options.
#[derive(Clone, Copy)]
pub struct GeneratorKind {
    /// Draws requests for a device of so many sectors.
    draw: fn(&Options, u64, &mut Drawn<'_>) -> Result<()>,
    /// Says how near requests come to what it is to be like, if that is published.
    notes: Option<Notes>,
}

/// One generator.
pub type GeneratorRow = Row<GeneratorKind>;

rows! {
    /// Every generator.
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
