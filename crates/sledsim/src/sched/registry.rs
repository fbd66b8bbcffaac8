//! The tables of policies, to which users add their own while the program runs, and of wrappers around any of them.

use super::{BuildScheduler, BuildWrapper};
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
