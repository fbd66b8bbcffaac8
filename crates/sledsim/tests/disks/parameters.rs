//! Error messages for drives with impossible parameters: they name the key, the value found and the values expected.

use sledsim::device::{load, load_disk, KINDS};

use crate::support::NAMES;

#[test]
fn the_drives_are_complete_and_every_value_has_a_source() {
    for name in NAMES {
        assert_eq!(load_disk(name).name, name);
        let spec = load(name, toml::Table::new()).unwrap();
        let table = spec.parameters().to_table();
        let kind = KINDS.find(spec.parameters().kind()).unwrap();
        for key in
            kind.make.file.keys.iter().filter(|key| key.name != "description" && table.contains_key(key.name))
        {
            assert!(!spec.said.source[key.name].ends_with("no source given"), "{name}: {}", key.name);
        }
        assert!(spec.said.source.keys().all(|key| table.contains_key(key)), "{name}");
    }
}

/// The error message for a drive in which one key has another value.
fn error_of(name: &str, key: &str, value: &str) -> String {
    load(name, format!("{key} = {value}").parse().unwrap()).unwrap_err().to_string()
}

fn error(key: &str, value: &str) -> String {
    error_of("hp-c2247a", key, value)
}

#[test]
fn zones_ascend_and_hold_blocks() {
    let said = error_of("dec-rz26", "zones", "[[5, 9, 96, 0, 0, 0, 0, 0], [9, 12, 96, 0, 0, 0, 0, 0]]");
    assert_eq!(
        said,
        "dec-rz26: zones: zone 1: cylinders 9 to 12: expected ascending cylinders from 10 on, after the previous zone"
    );
    let said = error_of("dec-rz26", "zones", "[[0, 9, 96, 0, 0, 0, 0, 96]]");
    assert_eq!(said, "dec-rz26: zones: zone 0: all 13440 sectors are unused or spare: expected at least one sector for blocks");
}

#[test]
fn impossible_values_are_refused() {
    for (key, value, said) in [
        ("surfaces", "0", "surfaces = 0: must be a whole number from 1 to 1000"),
        ("rotation_rpm", "5", "rotation_rpm = 5: must be a whole number from 60 to 1000000"),
        ("head_switch_ms", "-1.0", "head_switch_ms = -1: must be a number from 0 to 1000 ms"),
        ("write_settle_ms", "nan", "write_settle_ms = NaN: must be a number from -1000 to 1000 ms"),
        ("read_watermark", "1.5", "read_watermark = 1.5: must be a number from 0 to 1"),
        ("block_count", "2054865", "block_count = 2054865: the zones hold 2054864 blocks, fewer than the drive has"),
        ("slips", "[[8, 1]]", "slips: zone 8: expected a zone number from 0 to 7"),
        ("slips", "[[0, 1], [0, 1]]", "slips: zone 0 lists 1 twice, expected it once"),
        ("slips", "[[0, 7267]]", "slips: zone 0: expected a track from 0 to 7266, found 7267"),
        ("slips", "[[0, 1.5]]", "slips: expected rows of 2 whole numbers from 0 to 10^9, found [0.0, 1.5]"),
        (
            "spare_range_cylinders",
            "3",
            "spare_range_cylinders = 3 applies to sparing = \"range\" only",
        ),
        ("sparing", "\"range\"", "spare_range_cylinders: sparing = \"range\" needs spare_range_cylinders, a whole number from 1 to 1000000000"),
        (
            "seek_curve",
            "[[1, 2.0], [1, 3.0]]",
            "seek_curve: expected a row of [cylinders, ms] with more than 1 cylinders and 0 to 1000 ms, found [1.0, 3.0]",
        ),
    ] {
        assert_eq!(error(key, value), format!("hp-c2247a: {said}"));
    }
}

#[test]
fn an_unknown_name_is_refused_with_those_known() {
    let said = error("sparing", "\"zones\"");
    assert!(said.contains("did you mean \"zone\"?"), "{said}");
    let said = error("head_orders", "\"same\"");
    assert!(said.contains("unknown key `head_orders`: did you mean `head_order`?"), "{said}");
}
