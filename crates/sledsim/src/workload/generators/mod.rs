//! Generators, which draw random requests for a device of a given capacity. The same seed gives the same
//! requests.

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

/// A function that compares drawn requests with published figures; its options are those with which
/// the requests were drawn.
type Notes = fn(&Options, &Trace) -> Result<Vec<String>>;

/// The functions of a generator, without its name and options.
#[derive(Clone, Copy)]
pub struct GeneratorKind {
    /// Draws requests with the options of the first argument, for a device whose number of sectors
    /// is the second argument.
    draw: fn(&Options, u64, &mut Drawn<'_>) -> Result<()>,
    /// Compares drawn requests with published figures; `None` for a generator without such figures.
    notes: Option<Notes>,
}

/// A generator with its name and options.
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
