//! Three ways in which a device file can give the settling time; it must use exactly one of them.

use toml::{Table, Value};

use crate::error::{ensure, Result};
use crate::params::Provenance;

/// The keys of each of the three ways to give the settling time.
const WAYS: [&[&str]; 3] =
    [&["settle_ms"], &["resonant_frequency_hz", "settle_time_constants"], &["settle_error_nm"]];

/// Flags of the three ways to give the settling time: true if the table has one of the keys of the way.
fn taken(values: &Table) -> [bool; 3] {
    WAYS.map(|keys| keys.iter().any(|key| values.contains_key(*key)))
}

/// Rejects a device file that gives the settling time in two ways.
pub(super) fn check(values: &Table) -> Result<()> {
    let ways = WAYS.iter().zip(taken(values));
    let given: Vec<String> = ways.filter(|(_, given)| *given).map(|(keys, _)| keys.join(" x ")).collect();
    ensure!(given.len() <= 1, "{} both give the settling time: omit one of the two", given.join(" and "));
    Ok(())
}

/// Removes values from a device (`lower`) that a file which extends it (`upper`) replaces by other keys. If
/// the file gives the settling time in another way, the device loses its settling keys. If the file sets
/// the first-order model, which has no springs, the device loses its springs.
pub(super) fn merge(upper: &Table, lower: &mut Table, said: &mut Provenance) {
    let (ours, theirs) = (taken(upper), taken(lower));
    if ours.contains(&true) && ours != theirs {
        for key in WAYS.iter().copied().flatten() {
            lower.remove(*key);
            said.remove(key);
        }
    }
    let is_first_order = upper.get("seek_model").and_then(Value::as_str) == Some("first-order");
    if is_first_order && !upper.contains_key("spring_factor") {
        lower.insert("spring_factor".into(), Value::Float(0.0));
        said.derive("spring_factor", "seek_model = first-order has no springs (002-F5)");
    }
}
