//! All tables of things that users name, by the names that listings use.

use crate::counts::Counters;
use crate::device::mems::{ErasingCounts, Merged};
use crate::device::KINDS;
use crate::episodes::EPISODES;
use crate::error::{unknown_name, Result};
use crate::faults::FaultCounts;
use crate::layout::LAYOUTS;
use crate::mechanics::SEEK_MODELS;
use crate::power::POWER_POLICIES;
use crate::sched::{SCHEDULERS, WRAPPERS};
use crate::table::Listing;
use crate::trace::FORMATS;
use crate::volume::{REPLACEMENTS, VOLUMES};
use crate::workload::{GENERATORS, REPLAYS};

/// All tables by name; a new kind of thing needs one line here.
pub static TABLES: [(&str, &dyn Listing); 12] = [
    ("kinds", &KINDS),
    ("schedulers", &SCHEDULERS),
    ("wrappers", &WRAPPERS),
    ("layouts", &LAYOUTS),
    ("seek_models", &SEEK_MODELS),
    ("power_policies", &POWER_POLICIES),
    ("episodes", &EPISODES),
    ("volumes", &VOLUMES),
    ("replacements", &REPLACEMENTS),
    ("workloads", &GENERATORS),
    ("replays", &REPLAYS),
    ("formats", &FORMATS),
];

/// Counts of devices, each group with its heading in listings: under a plan of faults, on a medium that must
/// be erased, and where a logical block is larger than a sector of the host.
pub const DEVICE_COUNTERS: [(&str, Counters); 3] = [
    ("Faults", FaultCounts::COUNTERS),
    ("Erasing", ErasingCounts::COUNTERS),
    ("Partial writes", Merged::COUNTERS),
];

/// Returns the table with this name.
///
/// # Errors
/// The name is unknown.
pub fn named(name: &str) -> Result<&'static dyn Listing> {
    let found = TABLES.iter().find(|(known, _)| *known == name).map(|(_, table)| *table);
    found.ok_or_else(|| unknown_name("table", name, TABLES.iter().map(|(known, _)| *known)))
}
