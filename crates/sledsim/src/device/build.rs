//! Devices built from parameters.

use super::registry::KINDS;
use super::Device;
use crate::error::Result;
use crate::params::DeviceParams;

/// Builds `count` devices with the same parameters. The devices share their precomputed tables.
///
/// # Errors
/// The parameters are invalid.
pub fn build(params: &DeviceParams, count: u32) -> Result<Vec<Box<dyn Device>>> {
    (KINDS.find(params.kind())?.make.devices)(params, count)
}
