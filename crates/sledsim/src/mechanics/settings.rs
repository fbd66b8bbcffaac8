//! Settings from which seek models are built.

use super::axis::Axis;
use super::measured_table::MeasuredTable;
use super::position_loop::Loop;
use super::seek_model::SeekModel;
use crate::error::{Error, Result};
use crate::table::Row;

/// Settings of a device file for the seek model of one axis.
#[derive(Clone, Debug)]
pub struct SeekSettings {
    /// The axis along which the sled moves.
    pub axis: Axis,
    /// Number of steps of the table, for the model `table`.
    pub table_steps: Option<u64>,
    /// The position loop, for the model `linear-system`.
    pub position_loop: Option<Loop>,
    /// Rate of change of the actuators' acceleration in m/s^3, for the model `slew-limited`.
    pub slew_m_per_s3: Option<f64>,
    /// Seek times, for the model `measured`.
    pub measured: Option<MeasuredTable>,
}

/// Function that builds a seek model for one axis.
pub type Build = dyn Fn(&SeekSettings) -> Result<Box<dyn SeekModel>> + Send + Sync;

/// An entry of the table of seek models.
pub type SeekModelRow = Row<&'static Build>;

/// The error for a device without keys that its seek model needs.
pub(super) fn missing(model: &str, keys: &str) -> Error {
    Error::Parameter(format!("seek_model = {model} needs {keys}"))
}
