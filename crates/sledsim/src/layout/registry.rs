//! The table of layouts.

use super::MakeLayout;
use crate::table::Table;

/// Every layout.
pub static LAYOUTS: Table<MakeLayout> = Table::new(
    "layout",
    &[
        super::simple::ROW,
        super::streaming::ROW,
        super::random::ROW,
        super::organ_pipe::ROW,
        super::columnar::ROW,
        super::subregioned::ROW,
        super::zone_grouped::ROW,
        super::by_popularity::ROW,
    ],
);
