//! Options that arrays share.

use crate::error::{Error, Result};
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};

/// The members of an array are bits of a word.
const MOST: u64 = 64;

pub(in crate::volume) const STRIPE_UNIT_KIB: OptionRow = OptionRow {
    name: "stripe_unit_kib",
    unit: "KiB",
    default: "64",
    description: "how much lies on one device before the next one's turn, in KiB",
};

pub(in crate::volume) const FAILED_DEVICE: OptionRow = OptionRow {
    name: "failed_device",
    unit: "",
    default: "none",
    description: "the number of a device that has failed before the run, from 0 on, or none",
};

pub(in crate::volume) const REPLACED: OptionRow = OptionRow {
    name: "replaced",
    unit: "",
    default: "no",
    description: "whether an empty device stands in the place of the failed one and is rebuilt from the start: yes or no",
};

pub(in crate::volume) const REBUILD_MB_S: OptionRow = OptionRow {
    name: "rebuild_mb_s",
    unit: "MB/s",
    default: "1",
    description:
        "the most that is rebuilt, or brought in step after a loss of power, of a device, in MB a second",
};

pub(in crate::volume) const INTENT_S: OptionRow = OptionRow {
    name: "intent_s",
    unit: "s",
    default: "0",
    description:
        "0: after a loss of power all is brought in step. Otherwise only regions that were written within so \
                  many seconds: each device notes them, before their first write, in its last sector",
};

/// The number of devices: at least `least`.
pub(in crate::volume) fn devices(options: &Options, least: u64) -> Result<u32> {
    Ok(options.whole_within("devices", least, MOST)? as u32)
}

/// The sectors of a stripe unit.
pub(in crate::volume) fn stripe_unit(options: &Options) -> Result<u64> {
    Ok(options.whole_within("stripe_unit_kib", 1, 1 << 20)? * 1024 / SECTOR_BYTES)
}

/// The device that is down from the start, and whether an empty one has taken its place.
pub(in crate::volume) fn failed(options: &Options, devices: u32) -> Result<Option<(u32, bool)>> {
    let replaced = options.one_of("replaced", &[("no", false), ("yes", true)])?;
    if options.is_default("failed_device") {
        return if replaced {
            Err(options.fault("replaced", "no, as no failed_device is given"))
        } else {
            Ok(None)
        };
    }
    let member = options.whole_within("failed_device", 0, u64::from(devices) - 1)?;
    Ok(Some((member as u32, replaced)))
}

/// How long a region stays noted; none if nothing is noted.
pub(in crate::volume) fn intent_s(options: &Options) -> Result<Option<f64>> {
    let may_be = |value: f64| value == 0.0 || (0.001..=3600.0).contains(&value);
    let value = options.number("intent_s", "0, or a number from 0.001 to 3600 (s)", may_be)?;
    Ok((value > 0.0).then_some(value))
}

/// How many devices there are, for a role.
pub(in crate::volume) fn count<const LEAST: u64>(options: &Options) -> Result<u32> {
    devices(options, LEAST)
}

/// The sectors of each of several devices that have to be of one size.
pub(in crate::volume) fn alike(volume: &str, sizes: &[u64]) -> Result<u64> {
    let first = sizes[0];
    match sizes.iter().position(|size| *size != first) {
        None => Ok(first),
        Some(other) => Err(Error::Parameter(format!(
            "{volume}: expected devices alike, found {first} sectors in device 0 and {} in device {other}: take the \
             same device for all, or put unlike ones one behind the other with the volume sleds",
            sizes[other]
        ))),
    }
}
