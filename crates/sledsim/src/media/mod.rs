//! The medium: how bits, tip sectors and logical blocks divide the region under each tip.

mod geometry;

pub use geometry::{Geometry, SECTOR_BYTES};
