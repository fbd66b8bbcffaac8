//! Seek times that a user has measured, or computed elsewhere.

use super::measured_table::MeasuredTable;
use super::settings::SeekModelRow;
use super::{Axis, BangBang, SeekModel};

/// The seek model as its table lists it.
pub(super) const ROW: SeekModelRow =
    SeekModelRow::new("measured", "measured seek times of your own, in x and, if given, in y", &|settings| {
        Ok(match &settings.measured {
            Some(table) => Box::new(Measured::new(settings.axis, table.clone())),
            None => Box::new(BangBang::new(settings.axis)),
        })
    })
    .keys(&["measured_x", "measured_y"]);

/// Seeks interpolated linearly in a table.
pub struct Measured {
    table: MeasuredTable,
    axis: Axis,
}

impl Measured {
    /// The seek model of one axis.
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

    /// A measured time holds for the speed at which it was measured: at rest in x, at access speed in y.
    fn seek_s(&self, from_m: f64, to_m: f64, _speed_m_per_s: f64) -> f64 {
        if from_m == to_m {
            return 0.0;
        }
        self.table.time_s(from_m, to_m)
    }
}
