//! Layouts: the map from logical blocks to places on the medium, and back.

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

/// The place of a logical block: sled, cylinder, track, row counted along y from the lowest, and slot in the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Number of the sled.
    pub sled: u32,
    /// Bit column in x.
    pub cylinder: u32,
    /// Track: the group of tips.
    pub track: u32,
    /// Row of tip sectors, from the lowest y.
    pub row: u32,
    /// Place within the row: a group of `tips_per_block` tips.
    pub slot: u32,
}

impl Position {
    #[inline]
    fn of(place: [u64; 5]) -> Self {
        let [sled, cylinder, track, row, slot] = place.map(|part| part as u32);
        Self { sled, cylinder, track, row, slot }
    }
}

/// A bijection between logical block numbers and positions.
pub trait Layout: Send + Sync {
    /// The place of block `lbn`, which must lie on the device.
    fn locate(&self, lbn: u64) -> Position;

    /// The block at `position`.
    fn lbn(&self, position: Position) -> u64;

    /// The place of block `lbn`, and the number of blocks from it on, including it, that lie in the same row in
    /// ascending slots; at least one.
    fn locate_row(&self, lbn: u64) -> (Position, u64);

    /// Number of adjacent whole rows of a track with ascending blocks, from the first block of the row `at` on, at
    /// least 1; and true if the rows go down from `at`. A layout may report fewer rows than exist.
    fn rows_from(&self, _at: Position) -> (u32, bool) {
        (1, false)
    }
}

/// The value of a key that the layout requires.
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

/// Builds a layout for a device, or reports the key that the device lacks.
type MakeLayout = fn(&MemsParams, &Geometry) -> Result<Box<dyn Layout>>;

/// A row of the table of layouts.
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
