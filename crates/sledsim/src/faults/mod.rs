//! Faults: what codes over tips can mend, how the tips of a block are spread, and devices on which something breaks.

mod detection;
mod field;
mod placement;
mod reed_solomon;
mod tip_code;

pub use detection::{Detection, DetectionRow, DETECTIONS};
pub use placement::{Array, Placement};
pub use reed_solomon::ReedSolomon;
pub use tip_code::{Decoded, TipCode, Trial, TIPS_MAX};
