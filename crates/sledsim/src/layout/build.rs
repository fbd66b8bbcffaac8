//! The layout that a device file names.

use super::Layout;
use super::LAYOUTS;
use crate::error::Result;
use crate::media::Geometry;
use crate::params::MemsParams;

/// The layout of a device.
///
/// # Errors
/// There is none of that name, or a key that it needs is missing or cannot be.
pub fn build(params: &MemsParams, geometry: &Geometry) -> Result<Box<dyn Layout>> {
    (LAYOUTS.find(&params.layout)?.make)(params, geometry)
}
