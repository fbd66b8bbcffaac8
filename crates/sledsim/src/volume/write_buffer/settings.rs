//! What a write buffer can be told.

use super::Buffer;
use crate::error::Result;
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};
use crate::time::{Span, NANOS_PER_MS};
use crate::volume::back::Alone;
use crate::volume::{Members, RoleRow, Volume, VolumeRow};

/// The row of a write buffer before a disk.
pub(crate) const ROW: VolumeRow = VolumeRow {
    name: "write-buffer",
    alias: Some("mcd"),
    description: "a disk behind a write buffer on a MEMS device: writes go to a log there, and to the disk in idle time \
                  (003-F4)",
    options: &OPTIONS,
    roles: ROLES,
    build,
};

/// The disk and the MEMS device.
pub(crate) const ROLES: &[RoleRow] = &[
    RoleRow {
        name: "disk",
        default: "atlas10k",
        description: "what all data end up on",
        count: |_| Ok(1),
        alike: false,
    },
    RoleRow {
        name: "mems",
        default: "hong03",
        description: "the faster device in front of it",
        count: |_| Ok(1),
        alike: false,
    },
];

/// The options of a write buffer.
pub(crate) const OPTIONS: [OptionRow; 7] = [
    OptionRow {
        name: "buffer_mb",
        unit: "MB",
        default: "128",
        description: "size of the log on the MEMS device (003 has 128, and 100 to 500)",
    },
    OptionRow {
        name: "acknowledge",
        unit: "",
        default: "log",
        description:
            "when a write is done: log, once it is in the log; memory, at once (lost with the power, 003-D7)",
    },
    OptionRow {
        name: "clean_after_ms",
        unit: "ms",
        default: "50",
        description: "how long the disk has been idle before the log is cleaned (003-D6)",
    },
    OptionRow {
        name: "clean_above",
        unit: "",
        default: "0.9",
        description:
            "share of the log that is not clean above which it is cleaned although the disk is busy (003-D6)",
    },
    OptionRow {
        name: "clean_to",
        unit: "",
        default: "0.7",
        description: "share of the log that is not clean at which that ends (003-D6)",
    },
    OptionRow {
        name: "clean_idle_to",
        unit: "",
        default: "0",
        description: "share of the log that idle time leaves as it is",
    },
    OptionRow {
        name: "segment_kib",
        unit: "KiB",
        default: "256",
        description: "how much of the log is read at once to be cleaned, and sorted for the disk",
    },
];

/// Sectors that a log has at least.
const LEAST_SECTORS: u64 = 64;

/// What was asked for, in sectors.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub disk_sectors: u64,
    /// Of the log, with the sector that says where it begins.
    pub log_sectors: u64,
    pub acknowledges_in_memory: bool,
    pub clean_after: Span,
    pub clean_above: u64,
    pub clean_to: u64,
    pub clean_idle_to: u64,
    pub segment: u64,
    /// Clean data are given up when less than this is free, until `make_free` is.
    pub keep_free: u64,
    pub make_free: u64,
}

/// A write buffer whose log lies on the MEMS device from sector `first` on.
///
/// # Errors
/// A buffer that is too small or too large for the device, or another option that cannot be.
pub(crate) fn buffer(options: &Options, disk: u64, mems: u64, first: u64) -> Result<Buffer> {
    let room = mems.saturating_sub(first);
    let mb = |sectors: u64| (sectors * SECTOR_BYTES) as f64 / 1e6;
    let (least, most) = (mb(LEAST_SECTORS), mb(room.min(u64::from(u32::MAX))));
    let expected = format!("a number from {least} to {most}, what is left on the MEMS device");
    let size = options.number("buffer_mb", &expected, |size| (least..=most).contains(&size))?;
    let sectors = (size * 1e6 / SECTOR_BYTES as f64) as u64;
    let share = |name, most: f64| {
        let expected = format!("a share from 0 to {most}");
        options.number(name, &expected, |share| (0.0..=most).contains(&share))
    };
    let above = share("clean_above", 1.0)?;
    let to = share("clean_to", above)?;
    let idle_to = share("clean_idle_to", 1.0)?;
    let hour = 0.0..=3.6e6;
    let clean_after_ms =
        options.number("clean_after_ms", "a number from 0 to 3.6e6 (ms)", |ms| hour.contains(&ms))?;
    let of_log = |share: f64| (share * (sectors - 1) as f64) as u64;
    let settings = Settings {
        disk_sectors: disk,
        log_sectors: sectors,
        acknowledges_in_memory: options.one_of("acknowledge", &[("log", false), ("memory", true)])?,
        clean_after: Span((clean_after_ms * NANOS_PER_MS) as u64),
        clean_above: of_log(above),
        clean_to: of_log(to),
        clean_idle_to: of_log(idle_to),
        segment: options.whole_within("segment_kib", 1, 1 << 20)? * 1024 / SECTOR_BYTES,
        keep_free: of_log(1.0 - above).max(8),
        make_free: of_log(1.0 - to).max(8),
    };
    Ok(Buffer::new(settings, first))
}

/// A disk with a write buffer, and nothing else.
///
/// # Errors
/// As for [`buffer`].
fn build(options: &Options, members: &Members) -> Result<Box<dyn Volume>> {
    Ok(Box::new(Alone::new(buffer(options, members[0][0], members[1][0], 0)?)))
}
