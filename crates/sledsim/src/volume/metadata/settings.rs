//! What metadata on a MEMS device can be told.

use super::pages::Keeping;
use super::rule::Rule;
use super::table::{Mapping, Table};
use crate::error::Result;
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};
use crate::time::Span;
use crate::volume::write_buffer;

/// The options of metadata on a MEMS device.
pub(crate) const OPTIONS: [OptionRow; 10] = [
    OptionRow {
        name: "metadata_mb",
        unit: "MB",
        default: "1000",
        description: "size of the metadata area on the MEMS device, with its table",
    },
    OptionRow {
        name: "mapping",
        unit: "",
        default: "table",
        description: "table: units of the disk get places when they are first touched (003-F2); direct: zones at equal \
                      distances have theirs by arithmetic (003-F6, D4)",
    },
    OptionRow {
        name: "table",
        unit: "",
        default: "device",
        description: "where it is kept which metadata are on the MEMS device: device, a page of it is written there before \
                      a first write is complete, and nothing is lost with the power; memory, nothing is written (003-F2), \
                      and after a loss of power the metadata are those of the last flush",
    },
    OptionRow {
        name: "unit_kib",
        unit: "KiB",
        default: "8",
        description: "what gets a place together: 1, 2, 4, 8 or 16",
    },
    OptionRow {
        name: "zone_kib",
        unit: "KiB",
        default: "128",
        description: "direct: metadata at the start of each zone (003-F6)",
    },
    OptionRow {
        name: "zone_every_kib",
        unit: "KiB",
        default: "2176",
        description: "direct: from the start of a zone to that of the next (003-D4)",
    },
    OptionRow {
        name: "at_start",
        unit: "",
        default: "mems",
        description: "where the metadata are that nobody has written yet: mems, there is a copy on the MEMS device as if \
                      the file system had been made there; disk, they are copied when they are first read",
    },
    OptionRow {
        name: "flush_every_s",
        unit: "s",
        default: "30",
        description: "how often changed metadata are also written to the disk, when it is idle; 0 for never (003-F3, D5)",
    },
    OptionRow {
        name: "metadata_from",
        unit: "",
        default: "flag",
        description: "which requests are for metadata: flag, those that the trace marks; rule, those that begin in \
                      metadata_sectors",
    },
    OptionRow {
        name: "metadata_sectors",
        unit: "",
        default: "none",
        description: "sectors of metadata for metadata_from=rule, such as 0-2047+8192-10239",
    },
];

/// The options of metadata and a write buffer on one MEMS device.
pub(crate) const OPTIONS_WITH_BUFFER: [OptionRow; OPTIONS.len() + write_buffer::OPTIONS.len()] = {
    let mut all = [OPTIONS[0]; OPTIONS.len() + write_buffer::OPTIONS.len()];
    let mut at = 1;
    while at < all.len() {
        all[at] = if at < OPTIONS.len() { OPTIONS[at] } else { write_buffer::OPTIONS[at - OPTIONS.len()] };
        at += 1;
    }
    all
};

/// What was asked for.
pub(super) struct Settings {
    pub table: Table,
    pub rule: Rule,
    /// How the table outlives a loss of power.
    pub keeping: Keeping,
    /// Whether there is a copy of what nobody has written yet.
    pub is_stocked: bool,
    /// How often metadata are flushed, if ever.
    pub flush_every: Option<Span>,
}

/// Reads them, for a disk and a MEMS device of so many sectors; and how many of those of the MEMS device it takes.
///
/// # Errors
/// An area that is larger than the device or holds nothing, or another option that cannot be.
pub(super) fn read(options: &Options, disk: u64, mems: u64) -> Result<(Settings, u64)> {
    let sectors_of = |kib: u64| kib * 1024 / SECTOR_BYTES;
    let unit_kib = options.whole_within("unit_kib", 1, 16)?;
    if !unit_kib.is_power_of_two() {
        return Err(options.fault("unit_kib", "1, 2, 4, 8 or 16"));
    }
    let unit = sectors_of(unit_kib);
    let most = (mems * SECTOR_BYTES) as f64 / 1e6;
    let least = ((unit + 1) * SECTOR_BYTES) as f64 / 1e6;
    let expected = format!("a number from {least} to {most}, what the MEMS device holds");
    let size = options.number("metadata_mb", &expected, |size| (least..=most).contains(&size))?;
    let area = (size * 1e6 / SECTOR_BYTES as f64) as u64;
    let mapping = match options.one_of("mapping", &[("table", false), ("direct", true)])? {
        false => {
            if let Some(name) =
                ["zone_kib", "zone_every_kib"].into_iter().find(|name| !options.is_default(name))
            {
                return Err(options.fault("mapping", &format!("direct, where {name} is given")));
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
        return Err(options.fault("unit_kib", "larger units for a disk of that size"));
    }
    let may_be = |s: f64| s == 0.0 || (0.001..=1e6).contains(&s);
    let flush_s = options.number("flush_every_s", "0, or a number from 0.001 to 1e6 (s)", may_be)?;
    let is_stocked = options.one_of("at_start", &[("mems", true), ("disk", false)])?;
    let keeping = match options.one_of("table", &[("device", true), ("memory", false)])? {
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
