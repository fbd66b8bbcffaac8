//! Stalls: a device begins nothing for a while.

use super::episode::{Effect, EpisodeRow, DEVICE};
use super::times::OPTIONS;

/// The episode as its table lists it.
pub(super) const ROW: EpisodeRow =
    EpisodeRow::new("stall", "the device begins nothing; what it is serving it finishes", |_| {
        Ok(Effect::Stall)
    })
    .options(&[OPTIONS, DEVICE]);
