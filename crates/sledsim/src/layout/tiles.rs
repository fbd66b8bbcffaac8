//! Layouts that divide the medium into tiles and fill one tile with blocks after another.

use std::ops::Range;

use strength_reduce::StrengthReducedU64 as Divisor;

use super::{Layout, Position};
use crate::media::Geometry;

/// A tile: a range of cylinders and a range of rows, on all tracks and all sleds. Neither range is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) cylinders: Range<u64>,
    pub(super) rows: Range<u64>,
}

impl Tile {
    fn holds(&self, position: Position) -> bool {
        self.cylinders.contains(&u64::from(position.cylinder)) && self.rows.contains(&u64::from(position.row))
    }
}

/// A tile with its numbers of cylinders and rows, prepared for quick division.
struct Counted {
    tile: Tile,
    cylinders: Divisor,
    rows: Divisor,
}

/// Layout of a medium that is divided into tiles, in the order in which blocks fill them.
///
/// Within a tile, consecutive blocks fill the slots of a row, then rows, tracks, cylinders and sleds. On
/// every other track the blocks fill the rows downwards, as in [`super::Streaming`], so a stream needs only
/// turnarounds.
pub(super) struct Tiles {
    tiles: Vec<Counted>,
    /// The first block of each tile.
    starts: Vec<u64>,
    geometry: Geometry,
    blocks_per_row: Divisor,
    tracks_per_cylinder: Divisor,
}

impl Tiles {
    /// Creates the layout of the tiles `tiles`, which must cover the whole medium without overlap.
    pub(super) fn new(geometry: &Geometry, tiles: impl IntoIterator<Item = Tile>) -> Self {
        let mut starts = Vec::new();
        let mut next = 0;
        let counted = |tile: Tile| {
            let [cylinders, rows] = [&tile.cylinders, &tile.rows].map(|range| range.end - range.start);
            starts.push(next);
            next +=
                geometry.sleds * cylinders * geometry.tracks_per_cylinder * rows * geometry.blocks_per_row;
            Counted { tile, cylinders: Divisor::new(cylinders), rows: Divisor::new(rows) }
        };
        let tiles = tiles.into_iter().map(counted).collect();
        debug_assert_eq!(next, geometry.blocks(), "the tiles are the whole medium");
        Self {
            tiles,
            starts,
            geometry: *geometry,
            blocks_per_row: Divisor::new(geometry.blocks_per_row),
            tracks_per_cylinder: Divisor::new(geometry.tracks_per_cylinder),
        }
    }

    /// Creates the layout with one tile for each cylinder. Consecutive blocks fill a cylinder on all sleds
    /// before the next cylinder.
    pub(super) fn by_cylinder(geometry: &Geometry) -> Self {
        let tile = |cylinder| Tile { cylinders: cylinder..cylinder + 1, rows: 0..geometry.rows_per_track };
        Self::new(geometry, (0..geometry.cylinders).map(tile))
    }

    /// True if the block numbers of a track ascend from its highest row downwards.
    fn runs_down(&self, cylinder: u64, track: u64) -> bool {
        (cylinder % 2 * self.geometry.tracks_per_cylinder + track) % 2 == 1
    }
}

impl Layout for Tiles {
    fn locate(&self, lbn: u64) -> Position {
        let number = self.starts.partition_point(|start| *start <= lbn) - 1;
        let Counted { tile, cylinders, rows } = &self.tiles[number];
        let (of_rows, slot) = Divisor::div_rem(lbn - self.starts[number], self.blocks_per_row);
        let (of_tracks, row) = Divisor::div_rem(of_rows, *rows);
        let (of_cylinders, track) = Divisor::div_rem(of_tracks, self.tracks_per_cylinder);
        let (sled, cylinder) = Divisor::div_rem(of_cylinders, *cylinders);
        let cylinder = tile.cylinders.start + cylinder;
        let down = self.runs_down(cylinder, track);
        let row = if down { tile.rows.end - 1 - row } else { tile.rows.start + row };
        Position::of([sled, cylinder, track, row, slot])
    }

    /// The block at `position`. All tiles are searched one after another, because services of requests
    /// never call this method.
    fn lbn(&self, position: Position) -> u64 {
        let holds = |counted: &Counted| counted.tile.holds(position);
        let number = self.tiles.iter().position(holds).expect("the tiles cover the whole medium");
        let Tile { cylinders, rows } = &self.tiles[number].tile;
        let (cylinder, row, track) =
            (u64::from(position.cylinder), u64::from(position.row), u64::from(position.track));
        let down = self.runs_down(cylinder, track);
        let row = if down { rows.end - 1 - row } else { row - rows.start };
        let of_cylinders =
            u64::from(position.sled) * (cylinders.end - cylinders.start) + cylinder - cylinders.start;
        let of_tracks = of_cylinders * self.geometry.tracks_per_cylinder + track;
        let of_rows = of_tracks * (rows.end - rows.start) + row;
        self.starts[number] + of_rows * self.geometry.blocks_per_row + u64::from(position.slot)
    }

    fn locate_row(&self, lbn: u64) -> (Position, u64) {
        let position = self.locate(lbn);
        (position, self.geometry.blocks_per_row - u64::from(position.slot))
    }
}

/// Divides the range from 0 to `count` into `parts` ranges whose lengths differ by at most one. If `count`
/// is smaller than `parts`, returns `count` ranges of length 1.
pub(super) fn even_parts(count: u64, parts: u64) -> Vec<Range<u64>> {
    let parts = parts.min(count);
    (0..parts).map(|part| part * count / parts..(part + 1) * count / parts).collect()
}

/// The numbers from 0 to `count - 1`, ordered from the middle outwards: alternately below and above the middle.
pub(super) fn from_middle(count: usize) -> impl Iterator<Item = usize> {
    let middle = count / 2;
    (0..count).map(move |rank| if rank % 2 == 1 { middle - rank.div_ceil(2) } else { middle + rank / 2 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lose_nothing() {
        assert_eq!(even_parts(7, 3), [0..2, 2..4, 4..7]);
        assert_eq!(even_parts(2, 25), [0..1, 1..2]);
    }

    #[test]
    fn outwards_is_every_number_once() {
        for count in 1..12 {
            let mut order: Vec<usize> = from_middle(count).collect();
            assert!(order.windows(2).all(|pair| pair[0].abs_diff(count / 2) <= pair[1].abs_diff(count / 2)));
            order.sort_unstable();
            assert_eq!(order, (0..count).collect::<Vec<_>>());
        }
    }
}
