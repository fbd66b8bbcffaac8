//! The key `format` of a device file, and the four keys whose values follow from it.

use toml::{Table, Value};

use crate::error::{fault, Result};
use crate::media::{Format, Overhead};
use crate::params::Provenance;

/// Name of the key of the data format.
const FORMAT: &str = "format";
/// Keys whose values follow from the key `format`.
const DERIVED: [&str; 4] = ["active_tips", "tips_per_block", "sector_data_bytes", "sector_encoded_bits"];
/// Keys that are needed to compute these values from the key `format`.
const OVERHEAD: [&str; 3] = ["ecc_data_bits", "subsector_overhead_bits", "subsector_least_bits"];

/// Removes values from a device (`lower`) that a file which extends it (`upper`) replaces by other keys. If
/// the file has a `format`, the device loses the four values that follow from a format; if the file has one
/// of these values, the device loses its `format`.
pub(super) fn merge(upper: &Table, lower: &mut Table, said: &mut Provenance) {
    let gives = |keys: &[&str]| keys.iter().any(|key| upper.contains_key(*key));
    let replaced: &[&str] = match (gives(&[FORMAT]), gives(&DERIVED)) {
        (true, _) => &DERIVED,
        (false, true) => &[FORMAT],
        _ if gives(&OVERHEAD) && lower.contains_key(FORMAT) => &["sector_encoded_bits"],
        _ => &[],
    };
    for key in replaced {
        lower.remove(*key);
        said.remove(key);
    }
    if gives(&[FORMAT]) || lower.contains_key(FORMAT) {
        for key in DERIVED {
            said.derive(key, "follows from the format");
        }
    }
}

/// Adds the four values that follow from the key `format`, if the table has this key.
///
/// The format is unreadable, a key that is needed to apply it is missing, or a value in the table differs
/// from the value that follows from the format.
pub(super) fn derive(values: &mut Table) -> Result<()> {
    let Some(text) = values.get(FORMAT).and_then(Value::as_str) else { return Ok(()) };
    let format: Format = text.parse()?;
    let [ecc, more, least] = OVERHEAD.map(|key| values.get(key).and_then(Value::as_integer));
    let (Some(ecc @ 1..), Some(more @ 0..), Some(least @ 0..)) = (ecc, more, least) else {
        return fault(format!(
            "format = {format}: it needs ecc_data_bits (at least 1), subsector_overhead_bits and subsector_least_bits"
        ));
    };
    let overhead = Overhead {
        ecc_data_bits: ecc as u64,
        subsector_overhead_bits: more as u64,
        subsector_least_bits: least as u64,
    };
    let derived = [
        format.probes,
        format.probes_per_sector(),
        format.subsector_bytes(),
        format.subsector_bits(&overhead),
    ];
    for (key, value) in DERIVED.into_iter().zip(derived) {
        let value = Value::Integer(value as i64);
        match values.get(key) {
            Some(given) if *given != value => {
                return fault(format!(
                    "{key} = {given}: format = {format} sets it to {value}; omit {key} or format"
                ));
            }
            _ => drop(values.insert(key.into(), value)),
        }
    }
    Ok(())
}
