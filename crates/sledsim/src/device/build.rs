//! Devices built from parameters.

use super::registry::KINDS;
use super::Device;
use crate::error::Result;
use crate::params::DeviceParams;

/// Builds `count` devices of the same parameters; the devices share their precomputed tables.
///
/// # Errors
/// The parameters are invalid.
pub fn build(params: &DeviceParams, count: u32) -> Result<Vec<Box<dyn Device>>> {
    (KINDS.find(params.kind())?.make.devices)(params, count)
}
