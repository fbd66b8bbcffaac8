//! Layout "streaming": the sled sweeps up one track and down the next, so a stream needs only turnarounds.

use super::{Layout, LayoutRow, Position, Simple};
use crate::media::Geometry;

/// Entry for this layout in the table of layouts.
pub(super) const ROW: LayoutRow = LayoutRow::new(
    "streaming",
    "like simple, but blocks fill every other track downwards, so that a stream needs only turnarounds",
    |_, geometry| Ok(Box::new(Streaming::new(geometry))),
)
.source("001-F2");

/// Layout like [`Simple`], but on every other track the block numbers ascend from the highest row downwards.
///
/// Tracks are counted over the whole sled, not in each cylinder. So the direction also changes between the
/// last track of a cylinder and the first track of the next one, whether a cylinder has an odd or an even
/// number of tracks.
#[derive(Clone, Copy, Debug)]
pub struct Streaming {
    simple: Simple,
    tracks_per_cylinder: u32,
    rows_per_track: u32,
}

impl Streaming {
    /// Creates the layout for the geometry of a medium.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            simple: Simple::new(geometry),
            tracks_per_cylinder: geometry.tracks_per_cylinder as u32,
            rows_per_track: geometry.rows_per_track as u32,
        }
    }

    /// True if the block numbers of the track at `position` ascend from its highest row downwards.
    fn runs_down(&self, position: Position) -> bool {
        (position.cylinder % 2 * self.tracks_per_cylinder + position.track) % 2 == 1
    }

    #[inline]
    fn turned(&self, position: Position) -> Position {
        if self.runs_down(position) {
            return Position { row: self.rows_per_track - 1 - position.row, ..position };
        }
        position
    }
}

impl Layout for Streaming {
    fn locate(&self, lbn: u64) -> Position {
        self.turned(self.simple.locate(lbn))
    }

    fn lbn(&self, position: Position) -> u64 {
        self.simple.lbn(self.turned(position))
    }

    fn locate_row(&self, lbn: u64) -> (Position, u64) {
        let (position, to_row_end) = self.simple.locate_row(lbn);
        (self.turned(position), to_row_end)
    }

    fn rows_from(&self, at: Position) -> (u32, bool) {
        let down = self.runs_down(at);
        (if down { at.row + 1 } else { self.rows_per_track - at.row }, down)
    }
}
