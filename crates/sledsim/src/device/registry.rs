//! The kinds of devices.

use super::disk::{self, Disk};
use super::erasing::ErasingDevice;
use super::flash::{self, Flash};
use super::mems::{self, Cantilevers, Mems};
use super::Device;
use crate::error::Result;
use crate::params::{DeviceParams, Kind, Mechanism};
use crate::table::{Row, Table};

/// Every kind of devices; a new one is one row here.
pub static KINDS: Table<Kind> = Table::new("kind", ROWS);

const ROWS: &[Row<Kind>] = &[mems::kind::ROW, disk::kind::ROW, flash::kind::ROW];

/// So many devices of the same parameters; what is the same in all of them is made once.
///
/// # Errors
/// Parameters that cannot be.
pub fn build(params: &DeviceParams, count: u32) -> Result<Vec<Box<dyn Device>>> {
    match params {
        DeviceParams::Disk(params) => Ok(copies(&Disk::new(params)?, count)),
        DeviceParams::Flash(params) => Ok(copies(&Flash::new(params), count)),
        DeviceParams::Mems(params) => {
            let mems = Mems::new(params)?;
            if let Some(erase) = params.erase()? {
                let blocks = params.usable_blocks(mems.geometry())?;
                let erasing =
                    |_| Box::new(ErasingDevice::new(mems.clone(), erase, blocks)) as Box<dyn Device>;
                return Ok((0..count).map(erasing).collect());
            }
            Ok(match params.mechanism {
                Mechanism::Sled => copies(&mems, count),
                Mechanism::Cantilevers => copies(&Cantilevers::new(mems), count),
            })
        }
    }
}

fn copies<D: Device + Clone + 'static>(device: &D, count: u32) -> Vec<Box<dyn Device>> {
    (0..count).map(|_| Box::new(device.clone()) as Box<dyn Device>).collect()
}
