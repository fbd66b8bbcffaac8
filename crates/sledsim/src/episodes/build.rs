//! Episodes as users name them.

use super::episode::{Effect, Episode};
use super::times::Times;
use super::EPISODES;
use crate::error::{ensure, Result};

/// Stalls that come again and again leave a device at least this part of its time.
const LEFT: f64 = 0.01;

/// The episode of a name with options: `stall:at=10,ms=500,every=30`.
///
/// # Errors
/// An unknown name or option, an option that is missing or cannot be.
pub fn parse(text: &str) -> Result<Episode> {
    let (row, options) = EPISODES.parse(text)?;
    Ok(Episode { effect: (row.make)(&options)?, times: Times::new(&options)?, options })
}

/// Whether a device can have those episodes.
///
/// # Errors
/// Stalls that leave it no time, so that requests would wait for ever.
pub fn check_together(episodes: &[Episode]) -> Result<()> {
    let stalls = episodes.iter().filter(|episode| episode.effect == Effect::Stall);
    let share: f64 = stalls.map(|episode| episode.times.share()).sum();
    ensure!(
        share <= 1.0 - LEFT,
        "stalls that come again and again take {:.4} % of the time of a device: expected at most {} %",
        100.0 * share,
        100.0 * (1.0 - LEFT)
    );
    Ok(())
}
