//! Zone-grouped: blocks with neighbouring numbers lie in the same zone (000-F23).

use super::tiles::{Tile, Tiles};
use super::{needed, LayoutRow, MemsParams};
use crate::error::{ensure, Result};
use crate::media::Geometry;

/// Table row of the layout.
pub(super) const ROW: LayoutRow = LayoutRow::new(
    "zone-grouped",
    "all LBNs of one zone of a grid, then those of the next zone",
    |params, geometry| Ok(Box::new(zone_grouped(params, geometry)?)),
)
.source("000-F23")
.keys(&["layout_zone_cylinders", "layout_zone_y_bits"]);

/// Maximum number of zones, more than any grid needs.
const ZONES_MAX: u64 = 10_000;

/// The zones of a grid, counted like the zone schedulers with `parity=joined`: by rows of tip sectors whose middle
/// lies in them, smaller at the far edges (000-D6). They follow one another up the first column of the grid, down the
/// next, and so on, so that neighbouring numbers lie in neighbouring zones.
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

/// The rows whose middles lie between multiples of `height`, if any.
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

    /// Column and band of each zone in the order of the blocks, with the number of its rows: the middle of a row lies
    /// 50 bits above its lower end, because a servo burst of 10 bits precedes a tip sector of 80.
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
        // 2500 bits each way, and 27 rows of 90: the middle of the last lies 80 bits below the upper end.
        let zones = zones(&params);
        assert_eq!(zones[..4], [(0, 0, 13), (0, 1, 13), (0, 2, 1), (1, 2, 1)]);
        assert_eq!(zones.len(), 21 * 3);
    }

    /// The medium of 000, section 7.2, whose 26 rows two bands share.
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
