//! Construction of episodes from the text that a user gives.

use super::episode::{Effect, Episode};
use super::times::Times;
use super::EPISODES;
use crate::error::{ensure, Result};

/// Least fraction of time in which a device with repeated stalls must be able to start services.
const LEFT: f64 = 0.01;

/// Reads an episode from its name and options, such as `stall:at=10,ms=500,every=30`.
///
/// # Errors
/// The name or an option is unknown, or an option is missing or invalid.
pub fn parse(text: &str) -> Result<Episode> {
    let (row, options) = EPISODES.parse(text)?;
    Ok(Episode { effect: (row.make)(&options)?, times: Times::new(&options)?, options })
}

/// Checks that a device with all these episodes still has time for requests.
///
/// # Errors
/// Repeated stalls leave the device almost no time for services, so that requests would wait forever.
pub fn check_together(episodes: &[Episode]) -> Result<()> {
    let stalls = episodes.iter().filter(|episode| episode.effect == Effect::Stall);
    let share: f64 = stalls.map(|episode| episode.times.share()).sum();
    ensure!(
        share <= 1.0 - LEFT,
        "repeated stalls stop a device for {:.4} % of the time, expected at most {} %",
        100.0 * share,
        100.0 * (1.0 - LEFT)
    );
    Ok(())
}
