//! The kind of device "disk": its entry in the table of kinds, and the keys of its files.

use super::check::check;
use super::Disk;
use crate::device::{copies, DeviceKind, DeviceRow};
use crate::params::{
    Choices, Delivered, Destage, DestageOrder, DeviceParams, DiskParams, FileKind, HeadOrder, Parameters,
    Queue, ReadAhead, Sparing, WatermarkOf, WriteHits,
};

/// Entry for disk drives in the table of kinds of devices.
pub(in crate::device) const ROW: DeviceRow = DeviceRow::new(
    FILE.name,
    "disk drive: platters turn under heads",
    DeviceKind {
        file: FILE,
        devices: &|params, count| {
            let DeviceParams::Disk(params) = params else {
                unreachable!("a kind builds only devices of this kind")
            };
            Ok(copies(&Disk::new(params)?, count))
        },
    },
);

const FILE: FileKind = FileKind {
    tables: &["zones", "slips", "defects", "seek_curve", "seek_formula"],
    choices,
    ..FileKind::of::<DiskParams>(
        &|values| Ok(DeviceParams::Disk(Box::new(DiskParams::complete(values, check)?))),
        Disk::CHARACTERISTICS,
    )
};

/// The parameters that take one of several names, and for each parameter these names with their meanings.
fn choices() -> Choices {
    vec![
        ("head_order", HeadOrder::ALL.to_vec()),
        ("sparing", Sparing::ALL.to_vec()),
        ("read_ahead", ReadAhead::ALL.to_vec()),
        ("delivered", Delivered::ALL.to_vec()),
        ("watermark_of", WatermarkOf::ALL.to_vec()),
        ("write_hits", WriteHits::ALL.to_vec()),
        ("queue", Queue::ALL.to_vec()),
        ("destage", Destage::ALL.to_vec()),
        ("destage_order", DestageOrder::ALL.to_vec()),
    ]
}
