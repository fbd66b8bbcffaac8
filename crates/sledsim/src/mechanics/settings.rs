//! Settings of seek models.

use super::axis::Axis;
use super::measured_table::MeasuredTable;
use super::position_loop::Loop;
use super::seek_model::SeekModel;
use crate::error::{Error, Result};
use crate::table::Row;

/// Settings in a device file for the seek model of one axis.
#[derive(Clone, Debug)]
pub struct SeekSettings {
    /// The axis to be moved.
    pub axis: Axis,
    /// Steps of the table, for `table`.
    pub table_steps: Option<u64>,
    /// The position loop, for `linear-system`.
    pub position_loop: Option<Loop>,
    /// Rate of change of the actuators' force over the mass, in m/s^3, for `slew-limited`.
    pub slew_m_per_s3: Option<f64>,
    /// Seek times, for `measured`.
    pub measured: Option<MeasuredTable>,
}

/// Builds a seek model for one axis.
pub type Build = dyn Fn(&SeekSettings) -> Result<Box<dyn SeekModel>> + Send + Sync;

/// A row of the table of seek models.
pub type SeekModelRow = Row<&'static Build>;

/// The error of a model for which a device lacks keys.
pub(super) fn missing(model: &str, keys: &str) -> Error {
    Error::Parameter(format!("seek_model = {model} needs {keys}"))
}
