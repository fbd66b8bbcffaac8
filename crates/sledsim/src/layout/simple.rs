//! The plain sequential layout, which fills slots first, then rows, tracks, cylinders and sleds.

use strength_reduce::StrengthReducedU64 as Divisor;

use super::{Layout, LayoutRow, Position};
use crate::media::Geometry;

/// Entry in the table of layouts.
pub(super) const ROW: LayoutRow = LayoutRow::new(
    "simple",
    "LBNs fill a row, then the rows of a track from the lowest, then the tracks of a cylinder, then the next cylinder",
    |_, geometry| Ok(Box::new(Simple::new(geometry))),
)
.source("001-F2");

/// Layout that numbers the blocks of every track from its lowest row upwards.
#[derive(Clone, Copy, Debug)]
pub struct Simple {
    geometry: Geometry,
    /// Divisors that map a block to its place; every request and every candidate of a scheduler
    /// needs them.
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
        // Nearly every device has a single sled and needs no division.
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
