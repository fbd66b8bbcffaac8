//! Settings from which the seek model of an axis is built.

use super::axis::Axis;
use super::measured_table::MeasuredTable;
use super::position_loop::Loop;
use super::seek_model::SeekModel;
use crate::error::{Error, Result};
use crate::table::Row;

/// Settings for the seek model of one axis, from the parameters of a device.
#[derive(Clone, Debug)]
pub struct SeekSettings {
    /// The axis along which the sled moves.
    pub axis: Axis,
    /// Number of steps of the table of the seek model "table"; None if the device has none.
    pub table_steps: Option<u64>,
    /// Control loop of the seek model "linear-system"; None if the device lacks one of its keys.
    pub position_loop: Option<Loop>,
    /// Rate of change of the actuators' acceleration in m/s^3 of the seek model "slew-limited"; None if the
    /// device has no rise time.
    pub slew_m_per_s3: Option<f64>,
    /// Seek times of the seek model "measured"; None if the device has no table for this axis.
    pub measured: Option<MeasuredTable>,
}

/// Function that builds a seek model for one axis.
pub type Build = dyn Fn(&SeekSettings) -> Result<Box<dyn SeekModel>> + Send + Sync;

/// An entry of the table of seek models.
pub type SeekModelRow = Row<&'static Build>;

/// The error for a device that lacks `keys`, which the seek model `model` needs.
pub(super) fn missing(model: &str, keys: &str) -> Error {
    Error::Parameter(format!("seek_model = {model} needs {keys}"))
}
