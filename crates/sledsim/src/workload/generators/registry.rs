//! The table of generators.

use super::GeneratorKind;
use crate::table::Table;

/// Every generator.
pub static GENERATORS: Table<GeneratorKind> = Table::new(
    "workload",
    &[
        super::random::ROW,
        super::mixture::ROW,
        super::stream::ROW,
        super::zipf::ROW,
        super::organpipe::ROW,
        super::files::ROW,
        super::rmw::ROW,
        super::raid5::ROW,
        super::metadata::ROW,
        #[cfg(feature = "fitted")]
        super::fitted::ROW,
    ],
);
