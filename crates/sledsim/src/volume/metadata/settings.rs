//! Options of the volumes with metadata on a MEMS device.

use super::location_table::{Mapping, Table};
use super::pages::Keeping;
use super::rule::Rule;
use crate::error::{ensure, Result};
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};
use crate::time::Span;
use crate::volume::backing_store::area;

/// The options of the volumes with metadata on a MEMS device.
pub(crate) const OPTIONS: &[OptionRow] = &[
    OptionRow::number(
        "metadata_mb",
        "1000",
        [0.0, f64::INFINITY],
        "size of the area for metadata on the MEMS device; the area also holds the table of their places",
    )
    .unit("MB")
    .above(),
    // 003-F2, F6, D4
    OptionRow::one_of(
        "mapping",
        &["table", "direct"],
        "choice of the place of a unit of metadata on the MEMS device: table: the next free place, at the first access; direct: a fixed place, computed from its address (metadata lie in zones at equal distances on the disk)",
    ),
    // 003-F2
    OptionRow::one_of(
        "table",
        &["device", "memory"],
        "place of the table of locations: device: also on the MEMS device, so that each first write to a unit writes a page of the table, too, and a power failure loses nothing; memory: only in memory, so that a power failure loses all metadata written after the last flush",
    ),
    OptionRow::whole(
        "unit_kib",
        "8",
        [1, 16],
        "size of a unit of metadata, which gets one place on the MEMS device: 1, 2, 4, 8 or 16",
    )
    .unit("KiB"),
    OptionRow::whole(
        "zone_kib",
        "128",
        [1, 1 << 30],
        "size of a zone of metadata on the disk; only with mapping=direct",
    )
    .unit("KiB"),
    // 003-D4
    OptionRow::whole(
        "zone_every_kib",
        "2176",
        [1, 1 << 30],
        "distance on the disk from the start of one zone of metadata to the start of the next; only with mapping=direct",
    )
    .unit("KiB"),
    OptionRow::one_of(
        "at_start",
        &["mems", "disk"],
        "place of metadata when the run starts: mems: on the MEMS device, as if the file system had been made there; disk: on the disk, to be copied to the MEMS device at the first read",
    ),
    // 003-F3, D5
    OptionRow::number(
        "flush_every_s",
        "30",
        [1e-3, 1e6],
        "interval at which changed metadata are copied from the MEMS device to the disk, while the disk is idle; 0: never",
    )
    .unit("s")
    .or("0"),
    OptionRow::one_of(
        "metadata_from",
        &["flag", "rule"],
        "recognition of requests for metadata: flag: by the flag that the trace gives them; rule: by their first sector, which lies in metadata_sectors",
    ),
    OptionRow::text(
        "metadata_sectors",
        "none",
        super::rule::RANGES,
        "ranges of sectors that hold metadata, such as 0-2047+8192-10239; only with metadata_from=rule",
    ),
];

/// Settings of a volume with metadata on a MEMS device, read from its options.
pub(super) struct Settings {
    pub table: Table,
    pub rule: Rule,
    /// The copy of the table on the MEMS device, if any.
    pub keeping: Keeping,
    /// True if the run starts with a copy of all metadata on the MEMS device (at_start=mems).
    pub is_stocked: bool,
    /// Interval between flushes of metadata to the disk; `None` without flushes.
    pub flush_every: Option<Span>,
}

/// Reads the settings of a volume with a disk of `disk` sectors and a MEMS device of `mems` sectors. Also returns the
/// number of sectors of the MEMS device that metadata and table may use.
///
/// # Errors The area is larger than the MEMS device or too small for one unit, or another option is invalid.
pub(super) fn read(options: &Options, disk: u64, mems: u64) -> Result<(Settings, u64)> {
    let sectors_of = |kib: u64| kib * 1024 / SECTOR_BYTES;
    let unit_kib = options.whole("unit_kib")?;
    ensure!(unit_kib.is_power_of_two(), options.fault("unit_kib", "1, 2, 4, 8 or 16"));
    let unit = sectors_of(unit_kib);
    let area = area(options, "metadata_mb", [unit + 1, mems], "the capacity of the MEMS device")?;
    let mapping = match options.is("mapping", "direct")? {
        false => {
            if let Some(name) =
                ["zone_kib", "zone_every_kib"].into_iter().find(|name| !options.is_default(name))
            {
                return Err(options.fault("mapping", &format!("direct, because {name} is given")));
            }
            Mapping::Table
        }
        true => {
            let zone = options.whole_within("zone_kib", unit_kib, 1 << 30)?;
            let every = options.whole_within("zone_every_kib", zone, 1 << 30)?;
            for (name, kib) in [("zone_kib", zone), ("zone_every_kib", every)] {
                if kib % unit_kib != 0 {
                    return Err(options.fault(name, &format!("a multiple of unit_kib = {unit_kib}")));
                }
            }
            Mapping::Direct { zone: sectors_of(zone), every: sectors_of(every) }
        }
    };
    if disk / unit >= u64::from(u32::MAX) {
        return Err(options.fault(
            "unit_kib",
            &format!("a larger unit: a disk of {disk} sectors has more than 4.29e9 units of this size"),
        ));
    }
    let flush_s = options.number("flush_every_s")?;
    let is_stocked = options.is("at_start", "mems")?;
    let keeping = match options.is("table", "device")? {
        false => Keeping::Memory,
        true if is_stocked && matches!(mapping, Mapping::Direct { .. }) => {
            Keeping::Mark { is_written: false }
        }
        true => Keeping::Pages,
    };
    let settings = Settings {
        table: Table::new(mapping, unit, area),
        rule: Rule::read(options)?,
        keeping,
        is_stocked,
        flush_every: (flush_s > 0.0).then(|| Span::from_s(flush_s)),
    };
    Ok((settings, area))
}
