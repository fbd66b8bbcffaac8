//! Episodes as users name them.

use super::episode::{Effect, Episode};
use super::times::Times;
use super::EPISODES;
use crate::error::{ensure, Result};

/// Smallest share of time that repeated stalls leave to a device.
const LEFT: f64 = 0.01;

/// Reads an episode from its name with options: `stall:at=10,ms=500,every=30`.
///
/// # Errors
/// An unknown name or option, a missing or invalid option.
pub fn parse(text: &str) -> Result<Episode> {
    let (row, options) = EPISODES.parse(text)?;
    Ok(Episode { effect: (row.make)(&options)?, times: Times::new(&options)?, options })
}

/// Checks that a device can have these episodes together.
///
/// # Errors
/// Stalls that leave it no time, so that requests would wait for ever.
pub fn check_together(episodes: &[Episode]) -> Result<()> {
    let stalls = episodes.iter().filter(|episode| episode.effect == Effect::Stall);
    let share: f64 = stalls.map(|episode| episode.times.share()).sum();
    ensure!(
        share <= 1.0 - LEFT,
        "repeated stalls stop a device for {:.4} % of the time: expected at most {} %",
        100.0 * share,
        100.0 * (1.0 - LEFT)
    );
    Ok(())
}
