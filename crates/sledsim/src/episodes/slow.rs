//! Slow-downs: episodes during which services take longer.

use super::episode::{Effect, EpisodeRow, DEVICE};
use super::times::OPTIONS;
use crate::options::OptionRow;

const FACTOR: &[OptionRow] = &[OptionRow::number(
    "factor",
    "",
    [1.0, 1e4],
    "factor by which the service time of a request is multiplied",
)
.above()];

/// Entry in the table of kinds of episodes.
pub(super) const ROW: EpisodeRow =
    EpisodeRow::new("slow", "requests that start during an episode take `factor` times as long", |options| {
        Ok(Effect::Slow(options.number("factor")?))
    })
    .options(&[OPTIONS, FACTOR, DEVICE]);
