//! Tables of everything that can be selected by name, for a page.

use serde_json::{json, Value};
use sledsim::device::{load_builtin, DeviceRow, BUILTIN_DEVICES, KINDS};
use sledsim::layout::LAYOUTS;
use sledsim::mechanics::SEEK_MODELS;
use sledsim::options::{OptionRow, Values};
use sledsim::params::{Key, Range};
use sledsim::power::POWER_POLICIES;
use sledsim::sched::{SCHEDULERS, WRAPPERS};
use sledsim::table::{Listing, Row};
use sledsim::trace::FORMATS;
use sledsim::workload::{PastEnd, GENERATORS};

use crate::answer::object;

/// The tables that a page uses. Tables of volumes and faults would make the module a quarter larger, and are
/// left out.
static TABLES: [(&str, &dyn Listing); 7] = [
    ("schedulers", &SCHEDULERS),
    ("wrappers", &WRAPPERS),
    ("layouts", &LAYOUTS),
    ("seek_models", &SEEK_MODELS),
    ("power_policies", &POWER_POLICIES),
    ("workloads", &GENERATORS),
    ("formats", &FORMATS),
];

/// Return every table by name, the built-in devices, and the parameters of each kind of device.
pub fn tables() -> Value {
    let of_table = |(name, table): &(&'static str, &dyn Listing)| {
        let rows: Vec<Value> = table.entries().iter().map(row).collect();
        (*name, rows)
    };
    let device = |(name, _): &(&str, &str)| {
        let params = load_builtin(name);
        json!({ "name": name, "kind": params.kind(), "description": params.description() })
    };
    json!({
        "version": sledsim::VERSION,
        "devices": BUILTIN_DEVICES.iter().map(device).collect::<Vec<_>>(),
        "tables": object(TABLES.iter().map(of_table)),
        "parameters": parameters(),
        "past_end": PastEnd::ALL,
    })
}

/// Return the parameters of each kind of device: unit, range, meaning, and permitted names.
fn parameters() -> Value {
    let of_kind = |row: &DeviceRow| {
        let file = row.make.file;
        let choices = (file.choices)();
        let key = |key: &Key| {
            let names = choices.iter().find(|(known, _)| *known == key.name).map(|(_, names)| names);
            let [least, most] = ends(key.range);
            json!({
                "name": key.name,
                "unit": key.unit,
                "range": key.range.map(|range| range.to_string()),
                "least": least,
                "most": most,
                "is_whole": matches!(key.range, Some(Range::Whole(_))),
                "is_optional": key.is_optional,
                "choices": names,
                "meaning": key.description.trim(),
            })
        };
        (file.name, file.keys.iter().map(key).collect::<Value>())
    };
    object(KINDS.rows().iter().map(of_kind))
}

/// Return the lower and the upper limit of a range; None for a limit that does not exist.
fn ends(range: Option<Range>) -> [Option<f64>; 2] {
    match range {
        Some(Range::Whole(ends)) => ends.map(|end| Some(end as f64)),
        Some(Range::Within(ends)) => ends.map(Some),
        Some(Range::Positive(most)) => [Some(0.0), Some(most)],
        Some(Range::InWords(_)) | None => [None; 2],
    }
}

fn row(row: &Row<()>) -> Value {
    json!({
        "name": row.name,
        "aliases": row.aliases,
        "summary": row.summary,
        "source": row.source,
        "keys": row.keys,
        "options": row.options.concat().iter().map(option).collect::<Vec<_>>(),
    })
}

fn option(row: &OptionRow) -> Value {
    let choices = match row.values {
        Values::OneOf(names) => Some(names),
        _ => None,
    };
    json!({
        "name": row.name,
        "unit": row.unit,
        "default": row.default,
        "range": row.range(),
        "choices": choices,
        "meaning": row.description,
    })
}
