//! Options of the volumes with a write buffer.

use crate::error::Result;
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};
use crate::time::{Span, NANOS_PER_MS};
use crate::volume::backing_store::area;
use crate::volume::RoleRow;

/// The roles of the members: the disk and the MEMS device.
pub(crate) const ROLES: &[RoleRow] = &[
    RoleRow::one("disk", "atlas10k", "the disk to which all data are written in the end"),
    RoleRow::one(
        "mems",
        "hong03",
        "the MEMS device with the log and, if the volume has metadata there, the metadata",
    ),
];

/// The options of the volumes with a write buffer.
pub(crate) const OPTIONS: &[OptionRow] = &[
    // 003: 128 MB, and 100 to 500 MB
    OptionRow::number("buffer_mb", "128", [0.0, f64::INFINITY], "size of the log on the MEMS device")
        .unit("MB")
        .above(),
    // 003-D7
    OptionRow::one_of(
        "acknowledge",
        &["log", "memory"],
        "when a write is acknowledged: log: once the data are in the log; memory: immediately (a power failure loses writes that are not yet in the log)",
    ),
    // 003-D6
    OptionRow::number(
        "clean_after_ms",
        "50",
        [0.0, 3.6e6],
        "time for which the disk must be idle before cleaning (copying data from the log to the disk) starts",
    )
    .unit("ms"),
    // 003-D6
    OptionRow::number(
        "clean_above",
        "0.9",
        [0.0, 1.0],
        "share of the log that may be dirty (not yet copied to the disk); above this share, the log is cleaned even while the disk is busy",
    ),
    // 003-D6
    OptionRow::number(
        "clean_to",
        "0.7",
        [0.0, 1.0],
        "dirty share of the log down to which the log is cleaned while the disk is busy; at most clean_above",
    ),
    OptionRow::number(
        "clean_idle_to",
        "0",
        [0.0, 1.0],
        "dirty share of the log down to which the log is cleaned while the disk is idle",
    ),
    OptionRow::whole(
        "segment_kib",
        "256",
        [1, 1 << 20],
        "size of a segment: the amount of the log that cleaning reads at a time, and sorts by sector of the disk",
    )
    .unit("KiB"),
];

/// Smallest number of sectors of a log.
const LEAST_SECTORS: u64 = 64;

/// Settings of a write buffer, read from its options; sizes are in sectors.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    pub disk_sectors: u64,
    /// Number of sectors of the log, including the sector of the note with the tail.
    pub log_sectors: u64,
    pub acknowledges_in_memory: bool,
    pub clean_after: Span,
    pub clean_above: u64,
    pub clean_to: u64,
    pub clean_idle_to: u64,
    pub segment: u64,
    /// Number of sectors of the log that should always be free. If fewer are free, clean appends are dropped until
    /// `make_free` sectors are.
    pub keep_free: u64,
    pub make_free: u64,
}

/// Reads the settings of a write buffer for a disk of `disk` sectors. The log lies on a MEMS device of `mems` sectors,
/// from the sector `first` on.
///
/// # Errors The buffer is too small or too large for the MEMS device, or another option is invalid.
pub(super) fn settings(options: &Options, disk: u64, mems: u64, first: u64) -> Result<Settings> {
    let most = mems.saturating_sub(first).min(u64::from(u32::MAX));
    let sectors = area(options, "buffer_mb", [LEAST_SECTORS, most], "the rest of the MEMS device")?;
    let (above, to, idle_to) =
        (options.number("clean_above")?, options.number("clean_to")?, options.number("clean_idle_to")?);
    if to > above {
        return Err(
            options.fault("clean_to", &format!("a number from 0 to {above}, the value of clean_above"))
        );
    }
    let clean_after_ms = options.number("clean_after_ms")?;
    let of_log = |share: f64| (share * (sectors - 1) as f64) as u64;
    Ok(Settings {
        disk_sectors: disk,
        log_sectors: sectors,
        acknowledges_in_memory: options.is("acknowledge", "memory")?,
        clean_after: Span((clean_after_ms * NANOS_PER_MS) as u64),
        clean_above: of_log(above),
        clean_to: of_log(to),
        clean_idle_to: of_log(idle_to),
        segment: options.whole("segment_kib")? * 1024 / SECTOR_BYTES,
        keep_free: of_log(1.0 - above).max(8),
        make_free: of_log(1.0 - to).max(8),
    })
}
