//! Generators: workloads drawn at random for a device of a given capacity. Same seed, same bytes.

mod arrival_options;
mod arrivals;
mod drawn;
mod draws;
mod files;
#[cfg(feature = "fitted")]
mod fitted;
mod generator;
mod metadata;
mod mixture;
mod onoff;
mod organpipe;
mod raid5;
mod random;
mod registry;
mod requests;
mod rmw;
mod sessions;
mod stream;
#[cfg(test)]
mod tests;
mod zipf;

use crate::error::Result;
use crate::options::Options;
use crate::table::Row;
use crate::trace::Trace;
pub use drawn::Drawer;
use drawn::Drawn;
#[cfg(feature = "fitted")]
pub use fitted::{FittedWorkload, WorkloadFit};
pub use generator::{random, random_generator, Generator};
pub use registry::GENERATORS;

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
