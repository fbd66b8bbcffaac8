//! The tables of policies, to which users add their own while the program runs, and of wrappers around any of them.

use super::{BuildScheduler, BuildWrapper, SchedulerRow};
use crate::error::{normalise, Error, Result};
use crate::table::Table;

/// Every policy.
pub static SCHEDULERS: Table<&'static BuildScheduler> = Table::new(
    "scheduler",
    &[
        super::fcfs::ROW,
        super::sstf::LBN,
        super::sstf::TRACK,
        super::sstf::CYLINDER,
        super::look::LBN,
        super::look::CYLINDER,
        super::clook::LBN,
        super::clook::CYLINDER,
        super::clook::CSCAN,
        super::vscan::LBN,
        super::vscan::CYLINDER,
        super::sdf::ROW,
        super::sptf::ROW,
        super::sptf_driver::ROW,
        super::satf::ROW,
        super::aged_time::SPTF,
        super::aged_time::SATF,
        super::wptf::ROW,
        super::zones::FCFS,
        super::zones::SPTF,
        super::zones::ARRIVED,
        super::pyramid::ROW,
    ],
);

/// Every wrapper.
pub static WRAPPERS: Table<BuildWrapper> =
    Table::new("scheduler wrapper", &[super::deadline::ROW, super::priority::ROW]);

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
