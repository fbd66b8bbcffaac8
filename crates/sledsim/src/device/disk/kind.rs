//! Disk drives as files of devices know them.

use super::check::check;
use super::Disk;
use crate::params::{
    Choices, Delivered, DeviceParams, DiskParams, HeadOrder, Kind, Parameters, Queue, ReadAhead, Sparing,
    WatermarkOf, WriteHits,
};
use crate::table::Row;

/// Disk drives.
pub(in crate::device) const ROW: Row<Kind> = Row::new("disk", "platters that turn under heads", KIND);

const KIND: Kind = Kind {
    keys: DiskParams::KEYS,
    tables: &["zones", "slips", "defects", "seek_curve", "seek_formula"],
    typed: DiskParams::typed,
    choices,
    check: |_| Ok(()),
    merge: |_, _, _| {},
    complete: |values| Ok(DeviceParams::Disk(Box::new(DiskParams::complete(values, check)?))),
    characteristics: Disk::CHARACTERISTICS,
};

/// The parameters that are one of a few names, with those names and what each means.
fn choices() -> Choices {
    vec![
        ("head_order", HeadOrder::ALL.to_vec()),
        ("sparing", Sparing::ALL.to_vec()),
        ("read_ahead", ReadAhead::ALL.to_vec()),
        ("delivered", Delivered::ALL.to_vec()),
        ("watermark_of", WatermarkOf::ALL.to_vec()),
        ("write_hits", WriteHits::ALL.to_vec()),
        ("queue", Queue::ALL.to_vec()),
    ]
}
