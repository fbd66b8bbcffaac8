//! Stalls: episodes during which a device starts no service.

use super::episode::{Effect, EpisodeRow, DEVICE};
use super::times::OPTIONS;

/// Entry in the table of kinds of episodes.
pub(super) const ROW: EpisodeRow = EpisodeRow::new(
    "stall",
    "the device starts no request during an episode, but completes the request in service",
    |_| Ok(Effect::Stall),
)
.options(&[OPTIONS, DEVICE]);
