//! Adding a policy to the table while the program runs.

use super::registry::{SCHEDULERS, WRAPPERS};
use super::SchedulerRow;
use crate::error::{normalise, Error, Result};

/// Adds a policy, or replaces one that was added under the same name.
///
/// # Errors
/// The name of a built-in policy or wrapper, or one that cannot be given, as it would read otherwise.
pub fn register_scheduler(row: SchedulerRow) -> Result<()> {
    let fault = |text: &str| Err(Error::Parameter(format!("scheduler = {}: {text}", row.name)));
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    if normalise(row.name).is_empty() || !row.name.chars().all(plain) {
        return fault("expected a name of letters and digits, with _, - or . between");
    }
    if WRAPPERS.find(row.name).is_ok() {
        return fault("this name is a wrapper's");
    }
    if normalise(row.name) == "all" {
        return fault("this name stands for every policy where policies are listed");
    }
    SCHEDULERS.add(row)
}
