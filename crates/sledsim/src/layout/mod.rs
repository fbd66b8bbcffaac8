//! Layouts: where a logical block lies on the medium, and back.

mod by_popularity;
mod columnar;
mod organ_pipe;
mod random;
mod simple;
mod streaming;
mod subregioned;
mod tiles;
mod zone_grouped;

use std::ops::RangeInclusive;

use crate::error::{unknown_name, Error, Result};
use crate::media::Geometry;
use crate::params::MemsParams;
use by_popularity::ByPopularity;
use random::Random;
pub use simple::Simple;
pub use streaming::Streaming;

/// The place of a logical block: sled, cylinder, track, row counted along y from the lowest, and slot in the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Which of the sleds that move as one.
    pub sled: u32,
    /// Bit column in x.
    pub cylinder: u32,
    /// Group of tips.
    pub track: u32,
    /// Row of tip sectors, from the lowest y.
    pub row: u32,
    /// Place within the row: a group of `tips_per_block` tips.
    pub slot: u32,
}

/// A bijection between logical block numbers and positions.
pub trait Layout: Send + Sync {
    /// The place of block `lbn`, which must lie on the device.
    fn locate(&self, lbn: u64) -> Position;

    /// The block at `position`.
    fn lbn(&self, position: Position) -> u64;

    /// The place of block `lbn`, and how many blocks from it on lie in the same row in ascending slots, itself
    /// included; at least one.
    fn locate_row(&self, lbn: u64) -> (Position, u64);
}

/// One layout.
pub struct LayoutRow {
    /// The name in device files.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub description: &'static str,
    /// Makes it for a device; fails if a key of the device that it needs is missing or cannot be.
    pub build: fn(&MemsParams, &Geometry) -> Result<Box<dyn Layout>>,
}

/// Every layout: one file and one row here.
pub const LAYOUTS: &[LayoutRow] = &[
    LayoutRow {
        name: "simple",
        description: "slot, row, track, cylinder; every track is numbered from its lowest row (001-F2)",
        build: |_, geometry| Ok(Box::new(Simple::new(geometry))),
    },
    LayoutRow {
        name: "streaming",
        description:
            "as simple, but rows run back on every other track, so that a stream only turns round (001-F2)",
        build: |_, geometry| Ok(Box::new(Streaming::new(geometry))),
    },
    LayoutRow {
        name: "random",
        description: "extents of layout_extent_blocks anywhere, as layout_seed says (001-F19)",
        build: |params, geometry| Ok(Box::new(Random::new(params, geometry)?)),
    },
    LayoutRow {
        name: "organ-pipe",
        description: "cylinders from the middle one outwards, on alternating sides (001-F18)",
        build: |_, geometry| Ok(Box::new(organ_pipe::organ_pipe(geometry))),
    },
    LayoutRow {
        name: "columnar",
        description: "25 columns of cylinders from the centre one outwards, on alternating sides (001-F17)",
        build: |_, geometry| Ok(Box::new(columnar::columnar(geometry))),
    },
    LayoutRow {
        name: "subregioned",
        description:
            "the centremost of 25 subregions, the others of its column, then whole columns outwards (001-F16)",
        build: |_, geometry| Ok(Box::new(subregioned::subregioned(geometry))),
    },
    LayoutRow {
        name: "zone-grouped",
        description: "zone after zone of a grid of layout_zone_cylinders x layout_zone_y_bits (000-F23)",
        build: |params, geometry| Ok(Box::new(zone_grouped::zone_grouped(params, geometry)?)),
    },
    LayoutRow {
        name: "by-popularity",
        description: "the extents of layout_popularity from the middle outwards, the rest in its order",
        build: |params, geometry| Ok(Box::new(ByPopularity::new(params, geometry)?)),
    },
];

/// The layout of a device.
///
/// # Errors
/// There is none of that name, or a key that it needs is missing or cannot be.
pub fn build(params: &MemsParams, geometry: &Geometry) -> Result<Box<dyn Layout>> {
    let named = LAYOUTS.iter().find(|row| row.name == params.layout);
    let known = LAYOUTS.iter().map(|row| row.name);
    let row = named.ok_or_else(|| unknown_name("layout", &params.layout, known))?;
    (row.build)(params, geometry)
}

/// The value of a key without which there is no such layout.
fn needed(params: &MemsParams, key: &str, value: Option<u64>, allowed: RangeInclusive<u64>) -> Result<u64> {
    let (least, most) = (allowed.start(), allowed.end());
    match value {
        Some(value) if allowed.contains(&value) => Ok(value),
        Some(value) => {
            Err(Error::Parameter(format!("{key} = {value}: must be a whole number from {least} to {most}")))
        }
        None => Err(Error::Parameter(format!(
            "layout = {} needs {key}, a whole number from {least} to {most}: set it too",
            params.layout
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{load_mems, Rows};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    proptest! {
        /// Conformance: every layout is a bijection, on every shape of device, one row high.
        #[test]
        fn every_layout_is_a_bijection(draw in any::<u64>(), shape in shapes()) {
            let (params, geometry) = shape;
            let sleds = geometry.sleds;
            let below = |index: u32, count: u64| u64::from(index) < count;
            for row in LAYOUTS {
                let layout = (row.build)(&params, &geometry).unwrap();
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
                // What is no longer in the row does not lie behind it.
                let behind = Position { slot: at.slot + to_row_end as u32, ..at };
                prop_assert!(last + 1 == geometry.blocks() || layout.locate(last + 1) != behind);
            }
        }

        /// Capacity: on a small medium of any shape every block has a place of its own.
        #[test]
        fn every_layout_uses_the_whole_medium(shape in small_shapes()) {
            let (params, geometry) = shape;
            for row in LAYOUTS {
                let layout = (row.build)(&params, &geometry).unwrap();
                let mut simple: Vec<u64> = (0..geometry.blocks())
                    .map(|lbn| Simple::new(&geometry).lbn(layout.locate(lbn)))
                    .collect();
                simple.sort_unstable();
                prop_assert!(simple.into_iter().eq(0..geometry.blocks()), "{}", row.name);
            }
        }
    }

    /// Devices as they are built in, with up to three sleds.
    fn shapes() -> impl Strategy<Value = (MemsParams, Geometry)> {
        (0..4_usize, 1..4_u64, any::<u64>()).prop_map(|(device, sleds, draw)| {
            let mut params = load_mems(["osdi00", "sigmetrics00", "hong03", "disksim-g3"][device]);
            params.sleds = sleds;
            let geometry = Geometry::new(&params).unwrap();
            (with_keys(params, &geometry, draw), geometry)
        })
    }

    /// Media of a few cylinders, tracks, rows and slots.
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

    /// Whatever a layout may need, drawn: a seed, extents, zones, and popular extents that share no block.
    fn with_keys(mut params: MemsParams, geometry: &Geometry, draw: u64) -> MemsParams {
        let mut rng = Pcg64::seed_from_u64(draw);
        params.layout_seed = Some(draw >> 1);
        params.layout_extent_blocks = Some(rng.random_range(1..=geometry.blocks().min(100)));
        params.layout_zone_cylinders =
            Some(rng.random_range(geometry.cylinders.div_ceil(30)..=geometry.cylinders));
        params.layout_zone_y_bits =
            Some(rng.random_range(geometry.region_bits_y.div_ceil(30)..=geometry.region_bits_y));
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
}
