//! Layout by popularity: the most requested extents of a trace lie in the middle of the medium, and all
//! other blocks around them in ascending order.

use super::segments::{arranged, joined, with_the_rest, Segment};
use super::tiles::Tiles;
use super::{Layout, LayoutRow, MemsParams, Position, Streaming};
use crate::error::{ensure, fault, Error, Result};
use crate::media::{Geometry, SECTOR_BYTES};
use crate::params::Rows;

/// Entry for this layout in the table of layouts.
pub(super) const ROW: LayoutRow = LayoutRow::new(
    "by-popularity",
    "the most popular extents lie in the middle of the medium, and all other blocks around them in ascending order",
    |params, geometry| Ok(Box::new(ByPopularity::new(params, geometry)?)),
)
.source("001-F18")
.keys(&["layout_popularity"]);

/// Layout in which the extents of a table lie from the middle of the medium outwards, the most popular
/// first (001-F18). All other blocks lie on both sides of these extents, in ascending order.
pub(super) struct ByPopularity {
    places: Box<dyn Layout>,
    /// All segments, ordered by their first logical block. `by_place` holds the same segments, ordered by place.
    by_lbn: Vec<Segment>,
    by_place: Vec<Segment>,
}

impl ByPopularity {
    pub(super) fn new(params: &MemsParams, geometry: &Geometry) -> Result<Self> {
        let Some(table) = &params.layout_popularity else {
            return fault(
                "layout = by-popularity needs layout_popularity, a table of extents; \
                 `sledsim trace popularity` makes one of a trace"
                    .into(),
            );
        };
        let blocks = geometry.blocks();
        let hot = arranged(&extents(table, geometry)?, blocks);
        let by_lbn = joined(with_the_rest(hot, blocks));
        let mut by_place = by_lbn.clone();
        by_place.sort_unstable_by_key(|segment| segment.place);
        // Sleds move together, so the middle of the device is the middle of each sled.
        let places: Box<dyn Layout> = if geometry.sleds == 1 {
            Box::new(Streaming::new(geometry))
        } else {
            Box::new(Tiles::by_cylinder(geometry))
        };
        Ok(Self { places, by_lbn, by_place })
    }

    fn segment(&self, lbn: u64) -> &Segment {
        &self.by_lbn[self.by_lbn.partition_point(|segment| segment.lbn <= lbn) - 1]
    }
}

impl Layout for ByPopularity {
    fn locate(&self, lbn: u64) -> Position {
        let segment = self.segment(lbn);
        self.places.locate(segment.place + (lbn - segment.lbn))
    }

    fn lbn(&self, position: Position) -> u64 {
        let place = self.places.lbn(position);
        let segment = self.by_place[self.by_place.partition_point(|segment| segment.place <= place) - 1];
        segment.lbn + (place - segment.place)
    }

    fn locate_row(&self, lbn: u64) -> (Position, u64) {
        let segment = self.segment(lbn);
        let within = lbn - segment.lbn;
        let (position, to_row_end) = self.places.locate_row(segment.place + within);
        (position, to_row_end.min(segment.blocks - within))
    }
}

/// First block and number of blocks of each extent of a table. The table counts in sectors of 512 bytes, as
/// traces do.
fn extents(table: &Rows, geometry: &Geometry) -> Result<Vec<(u64, u64)>> {
    let (sectors, block_bytes) = (geometry.sectors(), geometry.block_bytes);
    let mut found = Vec::new();
    for (number, row) in (1..).zip(table.rows()) {
        let wrong = |expected: &str| {
            Error::Parameter(format!("layout_popularity, row {number}: expected {expected}, found {row:?}"))
        };
        let is_count = |value: &f64| value.fract() == 0.0 && (0.0..=i64::MAX as f64).contains(value);
        let [first, length, ..] = row[..] else {
            return Err(wrong("[first sector, number of sectors] of an extent, in sectors of 512 bytes"));
        };
        let are_counts = is_count(&first) && is_count(&length) && length > 0.0;
        ensure!(are_counts, wrong("whole numbers: a first sector of at least 0 and at least 1 sector"));
        let (first, length) = (first as u64, length as u64);
        let is_inside = first < sectors && length <= sectors - first;
        ensure!(
            is_inside,
            wrong(&format!("an extent within the device, whose last sector is {}", sectors - 1))
        );
        let (from, to) = (first * SECTOR_BYTES, (first + length) * SECTOR_BYTES);
        let is_whole = from % block_bytes == 0 && to % block_bytes == 0;
        ensure!(is_whole, wrong(&format!("whole blocks of the device, which have {block_bytes} bytes")));
        found.push((first, length));
    }
    disjoint(&found)?;
    let blocks = |sectors| sectors * SECTOR_BYTES / block_bytes;
    Ok(found.into_iter().map(|(first, length)| (blocks(first), blocks(length))).collect())
}

/// Rejects a table in which two extents share a block.
fn disjoint(extents: &[(u64, u64)]) -> Result<()> {
    let mut sorted = extents.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0].0 + pair[0].1 > pair[1].0) {
        None => Ok(()),
        Some(pair) => fault(format!(
            "layout_popularity: expected extents that share no block, found {:?} and {:?}",
            [pair[0].0, pair[0].1],
            [pair[1].0, pair[1].1]
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_mems;

    fn layout(rows: &[[f64; 2]]) -> Result<ByPopularity> {
        layout_on("osdi00", rows)
    }

    fn layout_on(device: &str, rows: &[[f64; 2]]) -> Result<ByPopularity> {
        let mut params = load_mems(device);
        params.layout_popularity = Some(Rows::Numbers(rows.iter().map(|row| row.to_vec()).collect()));
        let geometry = Geometry::new(&params).unwrap();
        ByPopularity::new(&params, &geometry)
    }

    #[test]
    fn popular_extents_lie_round_the_middle() {
        let layout = layout(&[[900.0, 20.0], [0.0, 20.0], [100.0, 40.0], [2000.0, 60.0]]).unwrap();
        let place = |lbn| {
            let segment = layout.segment(lbn);
            segment.place + lbn - segment.lbn
        };
        let middle = 6_750_000 / 2;
        assert_eq!(
            [900, 0, 100, 2000, 2059].map(place),
            [middle, middle - 20, middle + 20, middle - 80, middle - 21]
        );
        // All other blocks keep their order, on both sides of the popular extents.
        assert_eq!([20, 99, 140, 2060].map(place), [0, 79, 80, 1920]);
        assert_eq!(place(middle - 80 + 140), middle + 60);
        assert_eq!(place(6_749_999), 6_749_999);
    }

    #[test]
    fn a_table_counts_sectors_of_512_bytes() {
        // Blocks of 4 KiB.
        let layout = layout_on("emsoft08", &[[800.0, 16.0]]).unwrap();
        let hot =
            layout.by_lbn.iter().find(|segment| segment.lbn == 100).expect("a segment begins at block 100");
        assert_eq!(hot.blocks, 2);
        for (row, expected) in [
            ([804.0, 16.0], "row 1: expected whole blocks of the device, which have 4096 bytes"),
            ([800.0, 4.0], "row 1: expected whole blocks of the device, which have 4096 bytes"),
        ] {
            let text = layout_on("emsoft08", &[row]).err().unwrap().to_string();
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn a_table_of_nothing_moves_nothing() {
        let layout = layout(&[]).unwrap();
        assert_eq!(layout.by_lbn, [Segment { lbn: 0, place: 0, blocks: 6_750_000 }]);
    }

    #[test]
    fn faults_name_the_row() {
        let fault = |rows: &[[f64; 2]]| layout(rows).err().unwrap().to_string();
        for (row, expected) in [
            ([0.5, 8.0], "row 2: expected whole numbers: a first sector of at least 0 and at least 1 sector"),
            ([8.0, 0.0], "row 2: expected whole numbers: a first sector of at least 0 and at least 1 sector"),
            (
                [-8.0, 8.0],
                "row 2: expected whole numbers: a first sector of at least 0 and at least 1 sector",
            ),
            ([6_749_999.0, 2.0], "row 2: expected an extent within the device, whose last sector is 6749999"),
            ([1006.0, 8.0], "expected extents that share no block, found [1000, 8] and [1006, 8]"),
        ] {
            let text = fault(&[[1000.0, 8.0], row]);
            assert!(text.contains(expected), "{text}");
        }
    }
}
