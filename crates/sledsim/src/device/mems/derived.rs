//! Mechanical quantities of a sled, in SI units, computed from its parameters.

use crate::error::{Error, Result};
use crate::mechanics::{self, Axis, Loop, MeasuredTable, SeekModel, SeekSettings, SlewLimited};
use crate::params::{MemsParams, Rows};

impl MemsParams {
    /// Settling time before a read in seconds. It is the key `settle_ms`, or n / (2 pi f) for n time
    /// constants (002-F6, Eq 3), or the time in which the position loop reduces an error to its tolerance
    /// (001-D16).
    #[must_use]
    pub fn settle_s(&self) -> f64 {
        if let Some(settle_ms) = self.settle_ms {
            return settle_ms * 1e-3;
        }
        match (self.resonant_frequency_hz, self.settle_time_constants) {
            (Some(frequency_hz), Some(constants)) => mechanics::settle_s(frequency_hz, constants),
            _ => match (self.settle_error_nm, self.position_loop()) {
                (Some(error_nm), Some(position_loop)) => position_loop.settle_s(error_nm * 1e-9),
                _ => unreachable!("the settling keys are checked on reading"),
            },
        }
    }

    /// Settling time before a write in seconds (001-F6).
    #[must_use]
    pub fn write_settle_s(&self) -> f64 {
        self.write_settle_ms.map_or_else(|| self.settle_s(), |settle_ms| settle_ms * 1e-3)
    }

    /// The control loop that holds the sled in place; None unless the device has all of its parameters.
    #[must_use]
    pub fn position_loop(&self) -> Option<Loop> {
        Some(Loop {
            omega_per_s: 2.0 * std::f64::consts::PI * self.loop_frequency_hz?,
            damping: self.loop_damping?,
            tolerance_m: self.loop_tolerance_nm? * 1e-9,
        })
    }

    /// Rate of change of the actuators' acceleration in m/s^3; None if the device has no rise time.
    fn slew_m_per_s3(&self) -> Option<f64> {
        self.actuator_rise_ms.map(|rise_ms| self.acceleration_m_per_s2 / (rise_ms * 1e-3))
    }

    /// The motions in x and in y by actuators that need time to reach full force, whatever the seek model
    /// of the device.
    ///
    /// # Errors
    /// `actuator_rise_ms` is missing.
    pub fn slew_limited(&self) -> Result<[SlewLimited; 2]> {
        let missing = || {
            Error::Parameter("expected a device with actuator_rise_ms, the rise time of its actuators, but this device has none".into())
        };
        let slew_m_per_s3 = self.slew_m_per_s3().ok_or_else(missing)?;
        let motions = |stroke_nm| SlewLimited::new(self.axis(stroke_nm), slew_m_per_s3);
        Ok([motions(self.stroke_x_nm), motions(self.stroke_y_nm)])
    }

    /// An axis of the sled with a stroke of `stroke_nm` nanometres, end to end.
    fn axis(&self, stroke_nm: u64) -> Axis {
        Axis::new(self.acceleration_m_per_s2, self.spring_factor, stroke_nm as f64 * 1e-9)
    }

    /// The seek models of the device in x and in y, built from its parameters.
    ///
    /// # Errors
    /// The model is unknown, a key that it needs is missing, or a measured table does not cover the
    /// stroke.
    pub fn seek_models(&self) -> Result<[Box<dyn SeekModel>; 2]> {
        let row = mechanics::SEEK_MODELS.find(&self.seek_model)?;
        let build = |stroke_nm, key, rows: &Option<Rows>| {
            let axis = self.axis(stroke_nm);
            let table = |rows: &Rows| MeasuredTable::new(key, rows.rows(), 2.0 * axis.reach_m);
            (row.make)(&SeekSettings {
                axis,
                table_steps: self.seek_table_steps,
                position_loop: self.position_loop(),
                slew_m_per_s3: self.slew_m_per_s3(),
                measured: rows.as_ref().map(table).transpose()?,
            })
        };
        Ok([
            build(self.stroke_x_nm, "measured_x", &self.measured_x)?,
            build(self.stroke_y_nm, "measured_y", &self.measured_y)?,
        ])
    }
}
