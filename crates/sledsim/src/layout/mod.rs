//! Layouts: where a logical block lies on the medium, and back.

mod simple;
mod streaming;

use crate::media::Geometry;
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
    /// Makes it for a geometry.
    pub build: fn(&Geometry) -> Box<dyn Layout>,
}

/// Every layout: one file and one row here.
pub const LAYOUTS: &[LayoutRow] = &[
    LayoutRow {
        name: "simple",
        description: "slot, row, track, cylinder; every track is numbered from its lowest row (001-F2)",
        build: |geometry| Box::new(Simple::new(geometry)),
    },
    LayoutRow {
        name: "streaming",
        description:
            "as simple, but rows run back on every other track, so that a stream only turns round (001-F2)",
        build: |geometry| Box::new(Streaming::new(geometry)),
    },
];

/// The layout of that name.
///
/// # Panics
/// If there is none: parameters are checked when they are read.
#[must_use]
pub fn build(name: &str, geometry: &Geometry) -> Box<dyn Layout> {
    let row = LAYOUTS.iter().find(|row| row.name == name).expect("checked when the parameters were read");
    (row.build)(geometry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::load_mems;
    use proptest::prelude::*;

    proptest! {
        /// Conformance: every layout is a bijection, on every shape of device, one row high.
        #[test]
        fn every_layout_is_a_bijection(draw in any::<u64>(), device in 0..4_usize, sleds in 1..4_u64) {
            let name = ["osdi00", "sigmetrics00", "hong03", "disksim-g3"][device];
            let mut params = load_mems(name);
            params.sleds = sleds;
            let geometry = Geometry::new(&params).unwrap();
            let below = |index: u32, count: u64| u64::from(index) < count;
            for row in LAYOUTS {
                let layout = (row.build)(&geometry);
                let lbn = draw % geometry.blocks();
                let at = layout.locate(lbn);
                prop_assert!(below(at.sled, sleds) && below(at.cylinder, geometry.cylinders));
                prop_assert!(below(at.track, geometry.tracks_per_cylinder) && below(at.row, geometry.rows_per_track));
                prop_assert!(below(at.slot, geometry.blocks_per_row));
                prop_assert_eq!(layout.lbn(at), lbn);
                let (same, to_row_end) = layout.locate_row(lbn);
                prop_assert_eq!(same, at);
                let last = layout.locate(lbn + to_row_end - 1);
                prop_assert_eq!(last, Position { slot: last.slot, ..at });
            }
        }
    }
}
