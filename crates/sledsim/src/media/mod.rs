//! The medium: the division of the region under each tip into bits, tip sectors and logical blocks.

mod format;
mod geometry;

pub use format::{Format, FormatCharacteristics, Overhead};
pub use geometry::{Geometry, SECTOR_BYTES};
