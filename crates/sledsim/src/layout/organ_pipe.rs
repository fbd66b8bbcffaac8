//! Organ-pipe layout: the most requested blocks lie in the middle (001-F18).

use super::tiles::{even_parts, from_middle, Tile, Tiles};
use super::LayoutRow;
use crate::media::Geometry;

/// Entry for this layout in the table of layouts.
pub(super) const ROW: LayoutRow = LayoutRow::new(
    "organ-pipe",
    "blocks fill cylinders from the middle outwards, on alternating sides",
    |_, geometry| Ok(Box::new(columns(geometry, geometry.cylinders))),
)
.source("001-F18");

/// Divides the medium into `count` columns of whole cylinders. The first blocks lie in the middle column,
/// and the columns follow from the middle outwards, alternately on both sides.
pub(super) fn columns(geometry: &Geometry, count: u64) -> Tiles {
    let parts = even_parts(geometry.cylinders, count);
    let tile = |part: usize| Tile { cylinders: parts[part].clone(), rows: 0..geometry.rows_per_track };
    Tiles::new(geometry, from_middle(parts.len()).map(tile))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_mems;
    use crate::layout::Layout;

    #[test]
    fn the_first_blocks_lie_in_the_middle() {
        let geometry = Geometry::new(&load_mems("osdi00")).unwrap();
        let layout = columns(&geometry, geometry.cylinders);
        let cylinders: Vec<u32> =
            (0..6).map(|rank| layout.locate(rank * geometry.blocks_per_cylinder()).cylinder).collect();
        assert_eq!(cylinders, [1250, 1249, 1251, 1248, 1252, 1247]);
        assert_eq!(layout.locate(geometry.blocks() - 1).cylinder, 0);
    }
}
