//! The table of layouts.

use super::{Layout, MakeLayout};
use crate::error::Result;
use crate::media::Geometry;
use crate::params::MemsParams;
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

/// The layout of a device.
///
/// # Errors
/// There is none of that name, or a key that it needs is missing or cannot be.
pub fn build(params: &MemsParams, geometry: &Geometry) -> Result<Box<dyn Layout>> {
    (LAYOUTS.find(&params.layout)?.make)(params, geometry)
}
