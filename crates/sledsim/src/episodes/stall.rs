//! Stalls: episodes in which a device starts no request.

use super::episode::{Effect, EpisodeRow, DEVICE};
use super::times::OPTIONS;

/// Table row of the episode.
pub(super) const ROW: EpisodeRow = EpisodeRow::new(
    "stall",
    "the device starts no request during an episode, but completes the request in service",
    |_| Ok(Effect::Stall),
)
.options(&[OPTIONS, DEVICE]);
