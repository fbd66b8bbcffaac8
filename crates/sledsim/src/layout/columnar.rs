//! Columnar layout: small data lie in the centre column, and streams in the outer columns
//! (001-F17).

use super::organ_pipe::columns;
use super::LayoutRow;

/// Entry for this layout in the table of layouts.
pub(super) const ROW: LayoutRow = LayoutRow::new(
    "columnar",
    "blocks fill 25 columns of cylinders, from the centre outwards on alternating sides",
    |_, geometry| Ok(Box::new(columns(geometry, COLUMNS))),
)
.source("001-F17");

/// Number of columns of the medium in paper 001. The first 1/25 of the blocks (the centre column) is for
/// small data; the last 20/25 of the blocks are the ten leftmost and the ten rightmost columns, for
/// streams.
const COLUMNS: u64 = 25;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_mems;
    use crate::layout::Layout;
    use crate::media::Geometry;

    #[test]
    fn columns_of_a_hundred_cylinders() {
        let geometry = Geometry::new(&load_mems("osdi00")).unwrap();
        let layout = columns(&geometry, COLUMNS);
        let column = geometry.blocks() / COLUMNS;
        let cylinder = |lbn: u64| layout.locate(lbn).cylinder;
        assert_eq!([cylinder(0), cylinder(column - 1)], [1200, 1299]);
        assert_eq!([cylinder(column), cylinder(2 * column)], [1100, 1300]);
        for lbn in (5 * column..geometry.blocks()).step_by(997) {
            assert!(cylinder(lbn) < 1000 || cylinder(lbn) >= 1500, "{lbn}");
        }
    }
}
