//! Layouts: mappings from logical blocks to places on the medium, and back.

mod build;
mod segments;
#[cfg(test)]
mod tests;
mod tiles;

use crate::media::Geometry;
use crate::table::{rows, Row};
use std::ops::RangeInclusive;

use crate::error::{fault, Result};
use crate::params::{whole, MemsParams};
pub use build::build;
pub use simple::Simple;
pub use streaming::Streaming;

/// The place of a logical block on the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Index of the sled, counted from 0.
    pub sled: u32,
    /// Index of the cylinder, counted from 0 at the lowest x.
    pub cylinder: u32,
    /// Index of the track in the cylinder: which group of tips is active.
    pub track: u32,
    /// Index of the row of tip sectors in the track, counted from 0 at the lowest y.
    pub row: u32,
    /// Index of the block in the row, from 0: each block is held by `tips_per_block` tips of the active group.
    pub slot: u32,
}

impl Position {
    #[inline]
    fn of(place: [u64; 5]) -> Self {
        let [sled, cylinder, track, row, slot] = place.map(|part| part as u32);
        Self { sled, cylinder, track, row, slot }
    }
}

/// A one-to-one mapping between logical block numbers and positions on the medium.
pub trait Layout: Send + Sync {
    /// The place of block `lbn`, which must lie on the device.
    fn locate(&self, lbn: u64) -> Position;

    /// The block at `position`.
    fn lbn(&self, position: Position) -> u64;

    /// The place of block `lbn`, and the number of blocks that follow one another in the same row in
    /// ascending slots, beginning with `lbn`.
    fn locate_row(&self, lbn: u64) -> (Position, u64);

    /// Number of adjacent whole rows of a track whose blocks ascend, beginning with the first block of the
    /// row `at`; at least 1. The flag is true if the rows go downwards. A layout may report fewer rows than
    /// there are.
    fn rows_from(&self, _at: Position) -> (u32, bool) {
        (1, false)
    }
}

/// Returns the value of a key that the layout needs; if the value is missing or out of range, the error
/// names the key and its range.
fn needed(params: &MemsParams, key: &str, value: Option<u64>, allowed: RangeInclusive<u64>) -> Result<u64> {
    let (least, most) = (*allowed.start(), *allowed.end());
    let Some(value) = value else {
        return fault(format!(
            "layout = {} needs {key}, a whole number from {least} to {most}; set {key} too",
            params.layout
        ));
    };
    whole(key, "", value, [least, most])?;
    Ok(value)
}

/// Function that builds a layout for a device, or reports a key that the device lacks.
type MakeLayout = fn(&MemsParams, &Geometry) -> Result<Box<dyn Layout>>;

/// An entry of the table of layouts.
pub type LayoutRow = Row<MakeLayout>;

rows! {
    /// The table of all layouts.
    pub static LAYOUTS: Table<MakeLayout> = "layout";
    mod simple: ROW;
    mod streaming: ROW;
    mod random: ROW;
    mod organ_pipe: ROW;
    mod columnar: ROW;
    mod subregioned: ROW;
    mod zone_grouped: ROW;
    mod by_popularity: ROW;
}
