//! The layout that a device file names.

use super::Layout;
use super::LAYOUTS;
use crate::error::Result;
use crate::media::Geometry;
use crate::params::MemsParams;

/// Builds the layout of a device.
///
/// # Errors
/// An unknown layout, or a missing or invalid key that it needs.
pub fn build(params: &MemsParams, geometry: &Geometry) -> Result<Box<dyn Layout>> {
    (LAYOUTS.find(&params.layout)?.make)(params, geometry)
}
