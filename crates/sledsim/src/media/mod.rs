//! The medium: how the region under each tip is divided into bits, tip sectors and logical blocks.

mod format;
mod geometry;

pub use format::{Format, FormatCharacteristics, Overhead};
pub use geometry::{Geometry, SECTOR_BYTES};
