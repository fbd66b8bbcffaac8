//! Devices out of their parameters.

use super::registry::KINDS;
use super::Device;
use crate::error::Result;
use crate::params::DeviceParams;

/// So many devices of the same parameters; what is the same in all of them is made once.
///
/// # Errors
/// Parameters that cannot be.
pub fn build(params: &DeviceParams, count: u32) -> Result<Vec<Box<dyn Device>>> {
    (KINDS.find(params.kind())?.make.devices)(params, count)
}
