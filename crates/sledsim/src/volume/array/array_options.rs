//! Options that several kinds of arrays have in common.

use crate::error::{fault, Result};
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};

/// Largest number of members of an array, because sets of members are stored as the bits of a 64-bit word.
pub(in crate::volume) const MOST_DEVICES: u64 = 64;

pub(in crate::volume) const STRIPE_UNIT_KIB: OptionRow =
    OptionRow::whole("stripe_unit_kib", "64", [1, 1 << 20], "size of a stripe unit").unit("KiB");

/// Options of arrays with redundancy: failed device, rebuilding, and recovery after a power failure.
pub(in crate::volume) const RECOVERY: &[OptionRow] = &[FAILED_DEVICE, REPLACED, REBUILD_MB_S, INTENT_S];

const FAILED_DEVICE: OptionRow = OptionRow::whole(
    "failed_device",
    "none",
    [0, MOST_DEVICES - 1],
    "number of the device that has already failed when the run starts, counted from 0",
)
.or("none");

const REPLACED: OptionRow = OptionRow::one_of(
    "replaced",
    &["no", "yes"],
    "yes: an empty device has replaced failed_device; its rebuild starts with the run. no: the device stays missing",
);

const REBUILD_MB_S: OptionRow = OptionRow::number(
    "rebuild_mb_s",
    "1",
    [1e-6, 1e6],
    "highest rate at which a replaced device is rebuilt, and at which the array is resynchronised after a power failure",
)
.unit("MB/s");

const INTENT_S: OptionRow = OptionRow::number(
    "intent_s",
    "0",
    [1e-3, 3600.0],
    "time for which the write-intent bitmap marks a region after its last write; after a power failure the array resynchronises only the marked regions; 0: no bitmap, all regions are resynchronised",
)
.unit("s")
.or("0");

/// Returns the number of sectors of a stripe unit, from the option `stripe_unit_kib`.
pub(in crate::volume) fn stripe_unit(options: &Options) -> Result<u64> {
    Ok(options.whole("stripe_unit_kib")? * 1024 / SECTOR_BYTES)
}

/// Reads from the options which device has failed before the run starts: its number, and true if an empty device has
/// replaced it. `None` if no device has failed.
pub(super) fn failed(options: &Options, devices: u32) -> Result<Option<(u32, bool)>> {
    let replaced = options.is("replaced", "yes")?;
    if options.is_default("failed_device") {
        return if replaced {
            Err(options.fault("replaced", "no, because failed_device is not given"))
        } else {
            Ok(None)
        };
    }
    let member = options.whole_within("failed_device", 0, u64::from(devices) - 1)?;
    Ok(Some((member as u32, replaced)))
}

/// Reads from the options the time in seconds for which a region stays marked in the write-intent bitmap after its last
/// write. `None` if the array has no bitmap.
pub(super) fn intent_s(options: &Options) -> Result<Option<f64>> {
    let value = options.number("intent_s")?;
    Ok((value > 0.0).then_some(value))
}

/// Returns the number of sectors of each member of an array. `sizes` has the number of sectors of every member; all of
/// them must be equal.
pub(in crate::volume) fn alike(sizes: &[u64]) -> Result<u64> {
    let first = sizes[0];
    match sizes.iter().position(|size| *size != first) {
        None => Ok(first),
        Some(other) => fault(format!(
            "expected devices of one size, found {first} sectors in device 0 and {} in device {other}: use one device for all members, or join different devices with the volume sleds",
            sizes[other]
        )),
    }
}
