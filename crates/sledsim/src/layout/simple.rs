//! The plain sequential layout: slot fastest, then row, track, cylinder, sled.

use super::{Layout, Position};
use crate::media::Geometry;

/// Every track is numbered from its lowest row upwards.
#[derive(Clone, Copy, Debug)]
pub struct Simple {
    geometry: Geometry,
}

impl Simple {
    /// The layout on a geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        Self { geometry: *geometry }
    }
}

impl Layout for Simple {
    #[inline]
    fn locate(&self, lbn: u64) -> Position {
        let g = &self.geometry;
        let (rows, slot) = (lbn / g.blocks_per_row, lbn % g.blocks_per_row);
        let (tracks, row) = (rows / g.rows_per_track, rows % g.rows_per_track);
        let (cylinders, track) = (tracks / g.tracks_per_cylinder, tracks % g.tracks_per_cylinder);
        // Nearly every device has one sled: no division for it.
        let (sled, cylinder) = if cylinders < g.cylinders {
            (0, cylinders)
        } else {
            (cylinders / g.cylinders, cylinders % g.cylinders)
        };
        Position {
            sled: sled as u32,
            cylinder: cylinder as u32,
            track: track as u32,
            row: row as u32,
            slot: slot as u32,
        }
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
}
