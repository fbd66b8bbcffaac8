//! Episodes: times in which a device starts nothing, or is slow, because of internal work (garbage collection,
//! recalibration, housekeeping of its firmware), according to a plan.
//!
//! An [`Episode`] is a text such as `stall:at=10,ms=500,every=30`; an [`EpisodicDevice`] holds a device and applies
//! episodes.

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
    /// The table of all kinds of episodes.
    pub static EPISODES: Table<MakeEffect> = "episode";
    mod stall: ROW;
    mod slow: ROW;
}
