//! Zones of the medium. They are the cells of a grid; the even and the odd cylinders of a cell can be separate zones
//! (000-F10, F14, F15).

use crate::device::{Coordinates, Extent};

/// A grid that divides the medium into cells: cylinders in x, and positions in y in bits. The even and the odd
/// cylinders of a cell can be separate zones.
#[derive(Clone, Debug)]
pub(in crate::sched) struct Grid {
    /// Number of cells in x, and number of cells in y.
    cells: [u32; 2],
    /// Factors in x and in y: a position lies in the cell `position * scale / divisor`, rounded down. The formula suits
    /// grids with a given cell size and grids with a given number of cells.
    scale: [u32; 2],
    divisor: [u32; 2],
    extent: Extent,
    parities: u32,
}

/// Number of cylinders and number of bits in y of a medium, each at least one.
pub(super) fn places(extent: Extent) -> [u32; 2] {
    [extent.cylinders.max(1), extent.y_bits.max(1)]
}

impl Grid {
    /// Creates a grid of cells of `size`: cylinders in x, and bits in y. The last cells may be smaller (000-D6). If
    /// `split` is true, the even and the odd cylinders of a cell are separate zones.
    pub(in crate::sched) fn of_size(size: [u32; 2], extent: Extent, split: bool) -> Self {
        let whole = places(extent);
        let cells = [0, 1].map(|axis| whole[axis].div_ceil(size[axis]));
        Self { cells, scale: [1; 2], divisor: size, extent, parities: 1 + u32::from(split) }
    }

    /// Creates a grid of `cells` cells in x and in y. If `split` is true, the even and the odd cylinders of a cell are
    /// separate zones.
    pub(in crate::sched) fn of_cells(cells: [u32; 2], extent: Extent, split: bool) -> Self {
        let divisor = places(extent);
        Self { cells, scale: cells, divisor, extent, parities: 1 + u32::from(split) }
    }

    /// Number of zones of the grid: one or, if even and odd cylinders are separate, two for each cell.
    pub(in crate::sched) fn zones(&self) -> u64 {
        [self.cells[1], self.parities].iter().fold(self.cells[0].into(), |zones, by| zones * u64::from(*by))
    }

    /// The index of the zone at the position `at`. The even and the odd cylinders of a cell come one after the other,
    /// then the next cell upwards in y, then the next column of cells in x.
    pub(in crate::sched) fn zone(&self, at: &Coordinates) -> u32 {
        let cell = |axis: usize, place: u32| {
            (u64::from(place) * u64::from(self.scale[axis]) / u64::from(self.divisor[axis])) as u32
        };
        let cell = cell(0, at.cylinder) * self.cells[1] + cell(1, at.y_bits);
        cell * self.parities + at.cylinder % self.parities
    }

    /// The range of cylinders over which a zone extends. If even and odd cylinders are separate zones, only every
    /// second cylinder of the range belongs to it.
    pub(in crate::sched) fn cylinders(&self, zone: u32) -> std::ops::Range<u32> {
        let column = zone / self.parities / self.cells[1];
        let first = |column: u32| {
            let first = u64::from(column) * u64::from(self.divisor[0]);
            first.div_ceil(u64::from(self.scale[0])).min(u64::from(self.extent.cylinders)) as u32
        };
        first(column)..first(column + 1)
    }

    /// The zones in the order of Figure 3 of paper 000. In each column of cells, the even cylinders are visited
    /// downwards, and then the odd cylinders upwards.
    pub(in crate::sched) fn figure_3(&self) -> Vec<u32> {
        let [columns, rows] = self.cells;
        let zone = |column, row, parity| (column * rows + row) * self.parities + parity;
        let mut order = Vec::with_capacity(self.zones() as usize);
        for column in 0..columns {
            order.extend((0..rows).rev().map(|row| zone(column, row, 0)));
            if self.parities == 2 {
                order.extend((0..rows).map(|row| zone(column, row, 1)));
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EXTENT: Extent = Extent { cylinders: 2400, y_bits: 2400 };

    fn at(cylinder: u32, y_bits: u32) -> Coordinates {
        Coordinates { cylinder, track: 0, y_bits }
    }

    #[test]
    fn counts_are_those_of_the_paper() {
        for (size, zones) in [([60, 600], 320), ([120, 1200], 80), ([240, 2400], 20)] {
            assert_eq!(Grid::of_size(size, EXTENT, true).zones(), zones, "{size:?} (000-F15)");
        }
    }

    #[test]
    fn the_order_is_that_of_figure_3() {
        let grid = Grid::of_cells([3, 2], EXTENT, true);
        let order = grid.figure_3();
        let place = |cylinder, y_bits| {
            let zone = grid.zone(&at(cylinder, y_bits));
            order.iter().position(|known| *known == zone).unwrap()
        };
        // The first zones are at the top left and the bottom left, then follow the cells to the right; even
        // cylinders come first.
        assert_eq!([place(0, 2399), place(0, 0), place(1, 0), place(1, 2399)], [0, 1, 2, 3]);
        assert_eq!([place(800, 2399), place(800, 0), place(801, 0), place(801, 2399)], [4, 5, 6, 7]);
        assert_eq!([place(2398, 2399), place(2399, 2399)], [8, 11]);
    }

    proptest! {
        #[test]
        fn a_zone_has_its_cylinders(size in (1..2500_u32, 1..2500_u32), cylinder in 0..2500_u32, y in 0..2500_u32, split: bool, count: bool) {
            let extent = Extent { cylinders: 2500, y_bits: 2500 };
            let size = [size.0, size.1];
            let grid = if count { Grid::of_cells(size, extent, split) } else { Grid::of_size(size, extent, split) };
            let zone = grid.zone(&at(cylinder, y));
            prop_assert!(u64::from(zone) < grid.zones());
            prop_assert!(grid.cylinders(zone).contains(&cylinder));
        }
    }
}
