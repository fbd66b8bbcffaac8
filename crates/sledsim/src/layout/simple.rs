//! The plain sequential layout: slot fastest, then row, track, cylinder, sled.

use strength_reduce::StrengthReducedU64 as Divisor;

use super::{Layout, LayoutRow, Position};
use crate::media::Geometry;

/// Table row of the layout.
pub(super) const ROW: LayoutRow = LayoutRow::new(
    "simple",
    "LBNs fill a row, then the rows of a track from the lowest, then the tracks of a cylinder, then the next cylinder",
    |_, geometry| Ok(Box::new(Simple::new(geometry))),
)
.source("001-F2");

/// Every track is numbered from its lowest row upwards.
#[derive(Clone, Copy, Debug)]
pub struct Simple {
    geometry: Geometry,
    /// The divisors from an LBN to its place, which every request and every candidate needs.
    blocks_per_row: Divisor,
    rows_per_track: Divisor,
    tracks_per_cylinder: Divisor,
}

impl Simple {
    /// Creates the layout on a geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            geometry: *geometry,
            blocks_per_row: Divisor::new(geometry.blocks_per_row),
            rows_per_track: Divisor::new(geometry.rows_per_track),
            tracks_per_cylinder: Divisor::new(geometry.tracks_per_cylinder),
        }
    }
}

impl Layout for Simple {
    #[inline]
    fn locate(&self, lbn: u64) -> Position {
        let g = &self.geometry;
        let (rows, slot) = Divisor::div_rem(lbn, self.blocks_per_row);
        let (tracks, row) = Divisor::div_rem(rows, self.rows_per_track);
        let (cylinders, track) = Divisor::div_rem(tracks, self.tracks_per_cylinder);
        // Nearly every device has one sled, which needs no division.
        let (sled, cylinder) = if cylinders < g.cylinders {
            (0, cylinders)
        } else {
            (cylinders / g.cylinders, cylinders % g.cylinders)
        };
        Position::of([sled, cylinder, track, row, slot])
    }

    fn lbn(&self, position: Position) -> u64 {
        let g = &self.geometry;
        let cylinders = u64::from(position.sled) * g.cylinders + u64::from(position.cylinder);
        let tracks = cylinders * g.tracks_per_cylinder + u64::from(position.track);
        let rows = tracks * g.rows_per_track + u64::from(position.row);
        rows * g.blocks_per_row + u64::from(position.slot)
    }

    fn locate_row(&self, lbn: u64) -> (Position, u64) {
        let position = self.locate(lbn);
        (position, self.geometry.blocks_per_row - u64::from(position.slot))
    }

    fn rows_from(&self, at: Position) -> (u32, bool) {
        (self.geometry.rows_per_track as u32 - at.row, false)
    }
}
