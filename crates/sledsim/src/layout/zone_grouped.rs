//! Zone-grouped: blocks with neighbouring numbers lie in the same zone (000-F23).

use super::tiles::{Tile, Tiles};
use super::{needed, MemsParams};
use crate::error::{Error, Result};
use crate::media::Geometry;

/// More zones than any grid needs.
const ZONES_MAX: u64 = 10_000;

/// The zones of a grid as the zone schedulers count them with `parity=joined`: by rows of tip sectors whose lower
/// end lies in them, those at the far edges smaller (000-D6). They follow one another up the first column of the
/// grid, down the next, and so on, so that neighbouring numbers lie in neighbouring zones.
pub(super) fn zone_grouped(params: &MemsParams, geometry: &Geometry) -> Result<Tiles> {
    let size = |key, value: Option<u32>, extent| {
        needed(params, key, value.map(u64::from), 1..=u64::from(u32::MAX)).map(|size| size.min(extent))
    };
    let width = size("layout_zone_cylinders", params.layout_zone_cylinders, geometry.cylinders)?;
    let height = size("layout_zone_y_bits", params.layout_zone_y_bits, geometry.region_bits_y)?;
    let (columns, bands) = (geometry.cylinders.div_ceil(width), geometry.region_bits_y.div_ceil(height));
    if columns * bands > ZONES_MAX {
        return Err(Error::Parameter(format!(
            "layout_zone_cylinders = {width} and layout_zone_y_bits = {height} give {columns} x {bands} zones: \
             expected up to {ZONES_MAX}, with larger ones"
        )));
    }
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

/// The rows whose lower ends lie between multiples of `height`, where there are any.
fn bands_of_rows(geometry: &Geometry, height: u64) -> Vec<std::ops::Range<u64>> {
    let band = |row: &u64| geometry.row_bits_from_edge(*row) as u64 / height;
    let rows: Vec<u64> = (0..geometry.rows_per_track).collect();
    rows.chunk_by(|low, high| band(low) == band(high)).map(|rows| rows[0]..rows[rows.len() - 1] + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::params::load_mems;

    #[test]
    fn zones_follow_one_another() {
        let mut params = load_mems("osdi00");
        (params.layout_zone_cylinders, params.layout_zone_y_bits) = (Some(120), Some(1200));
        let geometry = Geometry::new(&params).unwrap();
        let layout = zone_grouped(&params, &geometry).unwrap();
        let mut zones = Vec::new();
        for lbn in (0..geometry.blocks()).step_by(20) {
            let at = layout.locate(lbn);
            let zone = (at.cylinder / 120, geometry.row_bits_from_edge(u64::from(at.row)) / 1200);
            if zones.last() != Some(&zone) {
                zones.push(zone);
            }
        }
        // 2500 bits each way, and 27 rows of 90: no row begins above 2400.
        assert_eq!(zones[..5], [(0, 0), (0, 1), (1, 1), (1, 0), (2, 0)]);
        assert_eq!(zones.len(), 21 * 2);
    }
}
