//! Options that arrays share.

use crate::error::{fault, Result};
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};

/// Largest number of members; they are bits of a word.
pub(in crate::volume) const MOST_DEVICES: u64 = 64;

pub(in crate::volume) const STRIPE_UNIT_KIB: OptionRow =
    OptionRow::whole("stripe_unit_kib", "64", [1, 1 << 20], "size of a stripe unit").unit("KiB");

/// Options of arrays for failed devices and for recovery after power failures.
pub(in crate::volume) const RECOVERY: &[OptionRow] = &[FAILED_DEVICE, REPLACED, REBUILD_MB_S, INTENT_S];

const FAILED_DEVICE: OptionRow = OptionRow::whole(
    "failed_device",
    "none",
    [0, MOST_DEVICES - 1],
    "number of the device that has failed before the run, counted from 0",
)
.or("none");

const REPLACED: OptionRow = OptionRow::one_of(
    "replaced",
    &["no", "yes"],
    "yes: an empty device has replaced the failed one, and is rebuilt from the start of the run",
);

const REBUILD_MB_S: OptionRow = OptionRow::number(
    "rebuild_mb_s",
    "1",
    [1e-6, 1e6],
    "highest rate of rebuilding a device, and of resynchronising the copies after a power failure",
)
.unit("MB/s");

const INTENT_S: OptionRow = OptionRow::number(
    "intent_s",
    "0",
    [1e-3, 3600.0],
    "time for which the write-intent bitmap marks a written region; after a power failure only marked regions are resynchronised; 0: no bitmap, all regions",
)
.unit("s")
.or("0");

/// Returns the number of sectors of a stripe unit.
pub(in crate::volume) fn stripe_unit(options: &Options) -> Result<u64> {
    Ok(options.whole("stripe_unit_kib")? * 1024 / SECTOR_BYTES)
}

/// Returns the device that has failed before the run, and true if an empty one has replaced it.
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

/// Returns the time for which a region stays in the bitmap, in seconds; `None` without a bitmap.
pub(super) fn intent_s(options: &Options) -> Result<Option<f64>> {
    let value = options.number("intent_s")?;
    Ok((value > 0.0).then_some(value))
}

/// Returns the number of sectors of each device of an array, which must be equal.
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
