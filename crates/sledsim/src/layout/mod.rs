//! Layouts: where a logical block lies on the medium, and back.

mod by_popularity;
mod columnar;
#[cfg(test)]
mod conformance;
mod organ_pipe;
mod random;
mod segments;
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
