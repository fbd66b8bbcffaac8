//! Registration of users' policies at run time.

use super::SchedulerRow;
use super::{SCHEDULERS, WRAPPERS};
use crate::error::{ensure, normalise, Error, Result};

/// Adds a policy, or replaces the policy that was added before under the same name.
///
/// # Errors The name belongs to a built-in policy or to a wrapper, it is `all` (which stands for all policies), or it
/// has characters that a name must not have.
pub fn register_scheduler(row: SchedulerRow) -> Result<()> {
    let wrong = |text: &str| Error::Parameter(format!("scheduler = {}: {text}", row.name));
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    let is_plain = !normalise(row.name).is_empty() && row.name.chars().all(plain);
    ensure!(is_plain, wrong("expected a name of letters and digits, with _, - or . between"));
    ensure!(WRAPPERS.find(row.name).is_err(), wrong("expected a new name, found the name of a wrapper"));
    let is_all = normalise(row.name) == "all";
    ensure!(!is_all, wrong("expected another name: in lists of policies this name means all policies"));
    SCHEDULERS.add(row)
}
