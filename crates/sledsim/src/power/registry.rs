//! The table of power policies.

use super::MakePowerPolicy;
use crate::table::Table;

/// Every power policy.
pub static POWER_POLICIES: Table<MakePowerPolicy> = Table::new(
    "power policy",
    &[
        super::always_on::ROW,
        super::timeout::IMMEDIATE,
        super::timeout::ROW,
        super::adaptive::ROW,
        super::oracle::ROW,
    ],
);
