//! Bipartite layout: the medium is divided into 25 subregions. Small data lie in the centre subregion, and
//! streams in the columns on both sides (001-F16).

use std::ops::Range;

use super::tiles::{Tile, Tiles};
use super::LayoutRow;
use crate::media::Geometry;

/// Entry for this layout in the table of layouts.
pub(super) const ROW: LayoutRow = LayoutRow::new(
    "subregioned",
    "blocks fill the centre of 25 subregions, then the rest of the centre column, then the other columns outwards",
    |_, geometry| Ok(Box::new(subregioned(geometry))),
)
.source("001-F16");

/// Divides the range from 0 to `count` into five parts that lie symmetrically about the middle part. The
/// middle part is never empty; other parts are empty only if `count` is below 5.
fn fifths(count: u64) -> [Range<u64>; 5] {
    let sides = ((2 * count + 2) / 5).min((count - 1) / 2);
    let near = sides.div_ceil(2);
    let ends = [sides - near, sides, count - sides, count - sides + near, count];
    let mut start = 0;
    ends.map(|end| std::mem::replace(&mut start, end)..end)
}

/// Builds the tiles of the layout in the order of their blocks: the centre of 5 x 5 subregions, then the
/// other subregions of the centre column, the nearest first. The other columns follow, the nearest first,
/// each over its full height, because their data are read as streams (001-D12).
pub(super) fn subregioned(geometry: &Geometry) -> Tiles {
    let (columns, bands) = (fifths(geometry.cylinders), fifths(geometry.rows_per_track));
    let tile = |cylinders: &Range<u64>, rows: Range<u64>| Tile { cylinders: cylinders.clone(), rows };
    let inner = [2, 1, 3, 0, 4].map(|band: usize| tile(&columns[2], bands[band].clone()));
    let outer = [1, 3, 0, 4].map(|column: usize| tile(&columns[column], 0..geometry.rows_per_track));
    let exists = |tile: &Tile| !tile.cylinders.is_empty() && !tile.rows.is_empty();
    Tiles::new(geometry, inner.into_iter().chain(outer).filter(exists))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_mems;
    use crate::layout::Layout;

    #[test]
    fn fifths_are_symmetric() {
        assert_eq!(fifths(2500), [0..500, 500..1000, 1000..1500, 1500..2000, 2000..2500]);
        assert_eq!(fifths(27), [0..5, 5..11, 11..16, 16..22, 22..27]);
        assert_eq!(fifths(3), [0..0, 0..1, 1..2, 2..3, 3..3]);
        assert_eq!(fifths(1), [0..0, 0..0, 0..1, 1..1, 1..1]);
    }

    #[test]
    fn no_fifth_is_empty_that_need_not_be() {
        for count in 1..=60 {
            let parts = fifths(count);
            assert!(parts[0].start == 0 && parts[4].end == count, "{count}");
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start), "{count}");
            let widths = parts.map(|part| part.end - part.start);
            assert_eq!([widths[0], widths[1]], [widths[4], widths[3]], "{count}");
            // Two columns at the same distance from the middle use up two parts.
            let empty = widths.iter().filter(|width| **width == 0).count() as u64;
            assert_eq!(empty, 4 - (count - 1).min(4) / 2 * 2, "{count}: {widths:?}");
            assert!(widths[2] > 0, "{count}");
        }
    }

    #[test]
    fn the_first_blocks_lie_in_the_centremost_subregion() {
        let geometry = Geometry::new(&load_mems("osdi00")).unwrap();
        let layout = subregioned(&geometry);
        let centre = 500 * geometry.tracks_per_cylinder * 5 * geometry.blocks_per_row;
        for lbn in (0..geometry.blocks()).step_by(331) {
            let at = layout.locate(lbn);
            let in_column = (1000..1500).contains(&at.cylinder);
            assert_eq!(lbn < centre, in_column && (11..16).contains(&at.row), "{lbn}");
            assert_eq!(lbn < geometry.blocks() / 5, in_column, "{lbn}");
        }
    }

    #[test]
    fn streams_run_over_the_full_height() {
        let geometry = Geometry::new(&load_mems("osdi00")).unwrap();
        let layout = subregioned(&geometry);
        let first = geometry.blocks() / 5;
        let rows: Vec<u32> =
            (0..27).map(|row| layout.locate(first + row * geometry.blocks_per_row).row).collect();
        assert_eq!(rows, (0..27).collect::<Vec<_>>());
    }

    #[test]
    fn no_fifth_is_larger_than_another_by_more_than_one() {
        for count in 5..3000 {
            let sizes = fifths(count).map(|part| part.end - part.start);
            assert_eq!(sizes.iter().sum::<u64>(), count);
            let most = sizes.iter().max().unwrap();
            assert!(sizes.iter().all(|size| size + 1 >= *most), "{count}: {sizes:?}");
        }
    }
}
