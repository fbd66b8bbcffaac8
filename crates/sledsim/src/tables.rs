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

/// All tables, each with the name that listings use. A new kind of thing needs an additional line here.
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

/// Counts that devices report, in groups with headings for listings. A device reports a group if it has a plan
/// of faults, if its medium must be erased, or if its logical blocks are larger than the sectors of the host.
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
