//! Layout "simple": consecutive blocks fill the slots of a row, then the rows of a track, then tracks,
//! cylinders and sleds.

use strength_reduce::StrengthReducedU64 as Divisor;

use super::{Layout, LayoutRow, Position};
use crate::media::Geometry;

/// Entry for this layout in the table of layouts.
pub(super) const ROW: LayoutRow = LayoutRow::new(
    "simple",
    "blocks fill a row, then the other rows of the track upwards, then the other tracks of the cylinder, then the next cylinder",
    |_, geometry| Ok(Box::new(Simple::new(geometry))),
)
.source("001-F2");

/// Layout in which the block numbers of every track ascend from its lowest row upwards.
#[derive(Clone, Copy, Debug)]
pub struct Simple {
    geometry: Geometry,
    /// Numbers by which a block number is divided to find its place. They are prepared for quick division,
    /// because every request and every decision of a scheduler divides.
    blocks_per_row: Divisor,
    rows_per_track: Divisor,
    tracks_per_cylinder: Divisor,
}

impl Simple {
    /// Creates the layout for the geometry of a medium.
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
