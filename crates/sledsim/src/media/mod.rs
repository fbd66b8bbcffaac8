//! The medium: how bits, tip sectors and logical blocks divide the region under each tip.

mod format;
mod geometry;

pub use format::{Format, FormatCharacteristics, Overhead};
pub use geometry::{Geometry, SECTOR_BYTES};
