//! Building of the layout that a device file names.

use super::Layout;
use super::LAYOUTS;
use crate::error::Result;
use crate::media::Geometry;
use crate::params::MemsParams;

/// Builds the layout that the key `layout` of a device names.
///
/// # Errors
/// The layout is unknown, or a key that it needs is missing or invalid.
pub fn build(params: &MemsParams, geometry: &Geometry) -> Result<Box<dyn Layout>> {
    (LAYOUTS.find(&params.layout)?.make)(params, geometry)
}
