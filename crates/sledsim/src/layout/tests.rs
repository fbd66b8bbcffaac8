//! Tests that every layout must pass, on media of many shapes.

use super::*;
use crate::device::load_mems;
use crate::media::Geometry;
use crate::params::Rows;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

proptest! {
    /// Conformance: every layout maps each block to one place and each place back to its block, and its
    /// reports on rows are right, on devices of all shapes.
    #[test]
    fn every_layout_is_a_bijection(draw in any::<u64>(), shape in shapes()) {
        let (params, geometry) = shape;
        let sleds = geometry.sleds;
        let below = |index: u32, count: u64| u64::from(index) < count;
        for row in LAYOUTS.rows() {
            let layout = (row.make)(&params, &geometry).unwrap();
            let lbn = draw % geometry.blocks();
            let at = layout.locate(lbn);
            prop_assert!(below(at.sled, sleds) && below(at.cylinder, geometry.cylinders));
            prop_assert!(below(at.track, geometry.tracks_per_cylinder) && below(at.row, geometry.rows_per_track));
            prop_assert!(below(at.slot, geometry.blocks_per_row));
            prop_assert_eq!(layout.lbn(at), lbn);
            let (same, to_row_end) = layout.locate_row(lbn);
            prop_assert_eq!(same, at);
            let last = lbn + to_row_end - 1;
            prop_assert!(to_row_end >= 1 && last < geometry.blocks());
            let run = to_row_end as u32 - 1;
            prop_assert_eq!(layout.locate(last), Position { slot: at.slot + run, ..at });
            // A block outside the row does not continue the row.
            let behind = Position { slot: at.slot + to_row_end as u32, ..at };
            prop_assert!(last + 1 == geometry.blocks() || layout.locate(last + 1) != behind);
            let (rows, down) = layout.rows_from(at);
            let row_blocks = geometry.blocks_per_row;
            for more in 0..rows {
                let row = if down { at.row - more } else { at.row + more };
                let lbn = lbn - u64::from(at.slot) + u64::from(more) * row_blocks;
                let first = Position { slot: 0, row, ..at };
                prop_assert!(rows == 1 || layout.locate_row(lbn) == (first, row_blocks));
            }
        }
    }

    /// Capacity: on a small medium of any shape, each block has its own place, and every place holds a block.
    #[test]
    fn every_layout_uses_the_whole_medium(shape in small_shapes()) {
        let (params, geometry) = shape;
        for row in LAYOUTS.rows() {
            let layout = (row.make)(&params, &geometry).unwrap();
            let mut simple: Vec<u64> = (0..geometry.blocks())
                .map(|lbn| Simple::new(&geometry).lbn(layout.locate(lbn)))
                .collect();
            simple.sort_unstable();
            prop_assert!(simple.into_iter().eq(0..geometry.blocks()), "{}", row.name);
        }
    }
}

/// Generates built-in devices with one to three sleds.
fn shapes() -> impl Strategy<Value = (MemsParams, Geometry)> {
    (0..4_usize, 1..4_u64, any::<u64>()).prop_map(|(device, sleds, draw)| {
        let mut params = load_mems(["osdi00", "sigmetrics00", "hong03", "disksim-g3"][device]);
        params.sleds = sleds;
        let geometry = Geometry::new(&params).unwrap();
        (with_keys(params, &geometry, draw), geometry)
    })
}

/// Generates media of a few cylinders, tracks, rows and slots.
fn small_shapes() -> impl Strategy<Value = (MemsParams, Geometry)> {
    let counts = (1..60_u64, 1..4_u64, 1..12_u64, 1..6_u64, 1..4_u64, any::<u64>());
    counts.prop_map(|(cylinders, tracks, rows, slots, sleds, draw)| {
        let params = load_mems("osdi00");
        let device = Geometry::new(&params).unwrap();
        let geometry = Geometry {
            cylinders,
            tracks_per_cylinder: tracks,
            rows_per_track: rows,
            blocks_per_row: slots,
            sleds,
            region_bits_y: rows * device.row_bits + device.servo_bits,
            ..device
        };
        (with_keys(params, &geometry, draw), geometry)
    })
}

/// Sets random values of the keys of all layouts: a seed, extents, zones, and popular extents that share no block.
fn with_keys(mut params: MemsParams, geometry: &Geometry, draw: u64) -> MemsParams {
    let mut rng = Pcg64::seed_from_u64(draw);
    params.layout_seed = Some(draw >> 1);
    params.layout_extent_blocks = Some(rng.random_range(1..=geometry.blocks().min(100) as u32));
    let mut size = |extent: u64| Some(rng.random_range(extent.div_ceil(30) as u32..=extent as u32));
    params.layout_zone_cylinders = size(geometry.cylinders);
    params.layout_zone_y_bits = size(geometry.region_bits_y);
    let (mut rows, mut at) = (Vec::new(), 0);
    while at < geometry.blocks() {
        let length = rng.random_range(1..=geometry.blocks() - at);
        if rng.random_range(0..2) == 0 {
            rows.insert(rng.random_range(0..=rows.len()), vec![at as f64, length as f64]);
        }
        at += length;
    }
    params.layout_popularity = Some(Rows::Numbers(rows));
    params
}

/// A stream continues in the next row or, at the end of a track or cylinder, in the same row after a turnaround.
#[test]
fn streams_do_not_jump() {
    // The devices have an even and an odd number of tracks in a cylinder.
    for device in ["osdi00", "disksim-g3"] {
        let params = load_mems(device);
        let geometry = Geometry::new(&params).unwrap();
        let whole = tiles::Tile { cylinders: 0..geometry.cylinders, rows: 0..geometry.rows_per_track };
        let layouts: [Box<dyn Layout>; 2] =
            [Box::new(Streaming::new(&geometry)), Box::new(tiles::Tiles::new(&geometry, [whole]))];
        for layout in layouts {
            let rows = (0..4 * geometry.blocks_per_cylinder()).step_by(geometry.blocks_per_row as usize);
            let places: Vec<Position> = rows.map(|lbn| layout.locate(lbn)).collect();
            for pair in places.windows(2) {
                let stays = (pair[0].cylinder, pair[0].track) == (pair[1].cylinder, pair[1].track);
                assert_eq!(pair[0].row.abs_diff(pair[1].row), u32::from(stays), "{device}: {pair:?}");
            }
        }
    }
}
