//! Episodes of a device: times in which it starts no service or is slow, because of internal work such as
//! garbage collection, recalibration or housekeeping of its firmware. The user lists the episodes.
//!
//! An [`Episode`] is written as text, such as `stall:at=10,ms=500,every=30`. An [`EpisodicDevice`]
//! is a wrapper around a device that applies episodes.

mod build;
mod episode;
mod episodic_device;
mod times;

use crate::table::rows;
pub use build::{check_together, parse};
pub use episode::{Effect, Episode, EpisodeRow, MakeEffect, ALL};
pub use episodic_device::EpisodicDevice;
pub use times::Times;

rows! {
    /// Table of all kinds of episodes.
    pub static EPISODES: Table<MakeEffect> = "episode";
    mod stall: ROW;
    mod slow: ROW;
}
