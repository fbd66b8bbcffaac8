//! The seek model "measured": seek times from a table, which a user has measured or computed elsewhere.

use super::measured_table::MeasuredTable;
use super::settings::SeekModelRow;
use super::{Axis, BangBang, SeekModel};

/// Entry for this model in the table of seek models.
pub(super) const ROW: SeekModelRow = SeekModelRow::new(
    "measured",
    "seek times from the tables of the user: `measured_x`, and optionally `measured_y`",
    &|settings| {
        Ok(match &settings.measured {
            Some(table) => Box::new(Measured::new(settings.axis, table.clone())),
            None => Box::new(BangBang::new(settings.axis)),
        })
    },
)
.keys(&["measured_x", "measured_y"]);

/// Seek model that interpolates linearly in a table of seek times.
pub struct Measured {
    table: MeasuredTable,
    axis: Axis,
}

impl Measured {
    /// Creates the seek model of one axis.
    #[must_use]
    pub fn new(axis: Axis, table: MeasuredTable) -> Self {
        Self { table, axis }
    }
}

impl SeekModel for Measured {
    fn axis(&self) -> &Axis {
        &self.axis
    }

    fn is_symmetric(&self) -> bool {
        matches!(self.table, MeasuredTable::Distance(_))
    }

    fn grows_with_distance(&self) -> bool {
        matches!(self.table, MeasuredTable::Distance(_))
    }

    /// Seek time from the table, whatever the speed: tables for x hold times from rest to rest, and tables
    /// for y hold times at access velocity.
    fn seek_s(&self, from_m: f64, to_m: f64, _speed_m_per_s: f64) -> f64 {
        if from_m == to_m {
            return 0.0;
        }
        self.table.time_s(from_m, to_m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a model from rows of [distance in um, time in ms], for a sled with a stroke of 100 um.
    fn measured(rows: &[[f64; 2]]) -> crate::error::Result<Measured> {
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
        let table = MeasuredTable::new("measured_x", &rows, 100e-6)?;
        Ok(Measured::new(Axis::new(803.6, 0.75, 100e-6), table))
    }

    #[test]
    fn seeks_take_what_was_measured_for_their_distance() {
        let measured = measured(&[[0.0, 0.1], [3.0, 0.1], [50.0, 0.3], [100.0, 0.6]]).unwrap();
        for (from_um, to_um, ms) in [
            (0.0, 0.0, 0.0),
            (0.0, 1e-3, 0.1),
            (-1.5, 1.5, 0.1),
            (0.0, 26.5, 0.2),
            (-50.0, 0.0, 0.3),
            (0.0, 50.0, 0.3),
            (50.0, -25.0, 0.45),
            (-50.0, 50.0, 0.6),
            (-50.0, 51.0, 0.6),
        ] {
            let found_ms = measured.seek_s(from_um * 1e-6, to_um * 1e-6, 0.0) * 1e3;
            assert!((found_ms - ms).abs() < 1e-9, "{from_um} to {to_um} um: {found_ms} ms");
        }
    }

    #[test]
    fn distances_reach_over_the_whole_stroke() {
        assert!(measured(&[[0.0, 0.1], [100.0, 0.6]]).is_ok());
        let error = |rows| measured(rows).err().unwrap().to_string();
        let expected = "measured_x: expected distances from 0 to the whole stroke of 100 um, found";
        assert_eq!(error(&[[0.0, 0.1], [99.999, 0.6]]), format!("{expected} 0 to 99.999"));
        assert_eq!(error(&[[0.5, 0.1], [100.0, 0.6]]), format!("{expected} 0.5 to 100"));
    }
}
