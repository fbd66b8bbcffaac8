//! Zone-grouped layout: the medium is divided into zones, and consecutive blocks fill one zone after
//! another (000-F23).

use super::tiles::{Tile, Tiles};
use super::{needed, LayoutRow, MemsParams};
use crate::error::{ensure, Result};
use crate::media::Geometry;

/// Entry for this layout in the table of layouts.
pub(super) const ROW: LayoutRow = LayoutRow::new(
    "zone-grouped",
    "blocks fill the zones of a grid, one zone after another",
    |params, geometry| Ok(Box::new(zone_grouped(params, geometry)?)),
)
.source("000-F23")
.keys(&["layout_zone_cylinders", "layout_zone_y_bits"]);

/// Maximum number of zones; no useful grid has more.
const ZONES_MAX: u64 = 10_000;

/// Divides the medium into a grid of zones, as zone schedulers do with `parity=joined`. A row belongs to
/// the zone with the middle of its tip sectors; zones at the far edges may be smaller (000-D6). Blocks fill
/// the zones up the first column of the grid, down the next, and so on, so successive zones are neighbours.
pub(super) fn zone_grouped(params: &MemsParams, geometry: &Geometry) -> Result<Tiles> {
    let size = |key, value: Option<u32>, extent| {
        needed(params, key, value.map(u64::from), 1..=u64::from(u32::MAX)).map(|size| size.min(extent))
    };
    let width = size("layout_zone_cylinders", params.layout_zone_cylinders, geometry.cylinders)?;
    let height = size("layout_zone_y_bits", params.layout_zone_y_bits, geometry.region_bits_y)?;
    let (columns, bands) = (geometry.cylinders.div_ceil(width), geometry.region_bits_y.div_ceil(height));
    ensure!(
        columns * bands <= ZONES_MAX,
        "layout_zone_cylinders = {width} and layout_zone_y_bits = {height} give {columns} x {bands} zones: expected at most {ZONES_MAX}; make the zones larger"
    );
    let bands = bands_of_rows(geometry, height);
    let tiles = (0..columns).flat_map(|column| {
        let cylinders = column * width..((column + 1) * width).min(geometry.cylinders);
        let tile =
            move |rows: &std::ops::Range<u64>| Tile { cylinders: cylinders.clone(), rows: rows.clone() };
        let mut of_column: Vec<Tile> = bands.iter().map(tile).collect();
        if column % 2 == 1 {
            of_column.reverse();
        }
        of_column
    });
    Ok(Tiles::new(geometry, tiles))
}

/// Ranges of rows that lie in the same band of the grid. A band is `height` bits high, and a row lies where
/// its middle lies.
fn bands_of_rows(geometry: &Geometry, height: u64) -> Vec<std::ops::Range<u64>> {
    let band = |row: &u64| geometry.row_middle_bits(*row) / height;
    let rows: Vec<u64> = (0..geometry.rows_per_track).collect();
    rows.chunk_by(|low, high| band(low) == band(high)).map(|rows| rows[0]..rows[rows.len() - 1] + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_mems;
    use crate::layout::Layout;

    /// Column, band and number of rows of each zone, in the order in which blocks fill the zones. The
    /// middle of a row lies 50 bits above its lower end: 10 bits of servo burst and half of 80 bits of tip
    /// sector.
    fn zones(params: &MemsParams) -> Vec<(u32, i64, usize)> {
        let geometry = Geometry::new(params).unwrap();
        let layout = zone_grouped(params, &geometry).unwrap();
        let place = |lbn| {
            let at = layout.locate(lbn);
            let middle = geometry.row_bits_from_centre(u64::from(at.row)) + 50;
            (at.cylinder / 120, (middle + geometry.region_bits_y as i64 / 2) / 1200, at.row)
        };
        let places: Vec<_> = (0..geometry.blocks()).step_by(20).map(place).collect();
        let rows = |zone: &[(u32, i64, u32)]| {
            zone.iter().map(|place| place.2).collect::<std::collections::BTreeSet<_>>().len()
        };
        let zones = places.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1));
        zones.map(|zone| (zone[0].0, zone[0].1, rows(zone))).collect()
    }

    #[test]
    fn zones_follow_one_another() {
        let mut params = load_mems("osdi00");
        (params.layout_zone_cylinders, params.layout_zone_y_bits) = (Some(120), Some(1200));
        // A region has 2500 bits in both directions and 27 rows of 90 bits; the middle of the last
        // row lies 80 bits below the upper end.
        let zones = zones(&params);
        assert_eq!(zones[..4], [(0, 0, 13), (0, 1, 13), (0, 2, 1), (1, 2, 1)]);
        assert_eq!(zones.len(), 21 * 3);
    }

    /// Two bands of the medium of paper 000, section 7.2, have 13 of its 26 rows each.
    #[test]
    fn bands_of_the_same_height_have_the_same_number_of_rows() {
        let mut params = load_mems("osdi00");
        (params.stroke_x_nm, params.stroke_y_nm) = (96_000, 96_000);
        (params.layout_zone_cylinders, params.layout_zone_y_bits) = (Some(120), Some(1200));
        let zones = zones(&params);
        assert_eq!(zones[..3], [(0, 0, 13), (0, 1, 13), (1, 1, 13)]);
        assert_eq!(zones.len(), 20 * 2);
    }
}
