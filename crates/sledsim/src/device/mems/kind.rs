//! The kind of device "mems": its entry in the table of kinds, and the keys of its files.

use super::check::check;
use super::{format_keys, settling_keys, Cantilevers, ErasingDevice, Mems};
use crate::device::{copies, Device, DeviceKind, DeviceRow};
use crate::error::Result;
use crate::layout::LAYOUTS;
use crate::mechanics::SEEK_MODELS;
use crate::params::{
    AccessMode, Choices, CylinderSwitch, DeviceParams, EraseManagement, FileKind, Idle, Mechanism,
    MemsParams, Parameters, RowOrder, TipSupply, WriteStart,
};
use crate::power::POWER_POLICIES;
use crate::table::Table;

/// Entry for MEMS devices in the table of kinds of devices.
pub(in crate::device) const ROW: DeviceRow = DeviceRow::new(
    FILE.name,
    "probe storage: a sled (or its tips) moves, and many tips read and write at the same time",
    DeviceKind { file: FILE, devices: &build },
);

const FILE: FileKind = FileKind {
    tables: &["measured_x", "measured_y", "layout_popularity"],
    choices,
    check: settling_keys::check,
    merge: |upper, lower, said| {
        settling_keys::merge(upper, lower, said);
        format_keys::merge(upper, lower, said);
    },
    ..FileKind::of::<MemsParams>(
        &|mut values| {
            format_keys::derive(&mut values)?;
            Ok(DeviceParams::Mems(Box::new(MemsParams::complete(values, check)?)))
        },
        Mems::CHARACTERISTICS,
    )
};

fn build(params: &DeviceParams, count: u32) -> Result<Vec<Box<dyn Device>>> {
    let DeviceParams::Mems(params) = params else { unreachable!("a kind builds only devices of this kind") };
    let mems = Mems::new(params)?;
    if let Some(erase) = params.erase()? {
        let blocks = params.usable_blocks(mems.geometry())?;
        return Ok(copies(&ErasingDevice::new(mems, erase, blocks), count));
    }
    Ok(match params.mechanism {
        Mechanism::Sled => copies(&mems, count),
        Mechanism::Cantilevers => copies(&Cantilevers::new(mems), count),
    })
}

/// The parameters that take one of several names, and for each parameter these names with their meanings.
fn choices() -> Choices {
    vec![
        ("mechanism", Mechanism::ALL.to_vec()),
        ("seek_model", names(&SEEK_MODELS)),
        ("access_mode", AccessMode::ALL.to_vec()),
        ("row_order", RowOrder::ALL.to_vec()),
        ("layout", names(&LAYOUTS)),
        ("cylinder_switch", CylinderSwitch::ALL.to_vec()),
        ("idle", Idle::ALL.to_vec()),
        ("write_start", WriteStart::ALL.to_vec()),
        ("tip_supply", TipSupply::ALL.to_vec()),
        ("erase_management", EraseManagement::ALL.to_vec()),
        ("power_policy", names(&POWER_POLICIES)),
    ]
}

/// The names of the entries of a table, each with its meaning.
fn names<M: Copy>(table: &Table<M>) -> Vec<(&'static str, &'static str)> {
    table.rows().iter().map(|row| (row.name, row.summary)).collect()
}
