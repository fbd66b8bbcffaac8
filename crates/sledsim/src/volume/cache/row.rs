//! The row of the cache in the table of volumes.

use super::lines::Lines;
use super::streams::Streams;
use super::{Cache, Counts};
use crate::error::Result;
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};
use crate::time::Span;
use crate::volume::replacement::{self, POLICY};
use crate::volume::waiting::{Queue, Waiting};
use crate::volume::{Job, Members, Ranges, RoleRow, Volume, VolumeRow};

const OPTIONS: &[OptionRow] = &[
    OptionRow { name: "cache_mb", unit: "MB", default: "16", description: "memory, in MB" },
    OptionRow {
        name: "line_kib",
        unit: "KiB",
        default: "4",
        description: "memory that is given to other sectors at a time, in KiB",
    },
    POLICY,
    OptionRow {
        name: "writes",
        unit: "",
        default: "through",
        description: "through: acknowledged by the device; back: by the memory, and lost with the power",
    },
    OptionRow {
        name: "dirty_max",
        unit: "%",
        default: "50",
        description: "share of lines above which they are written back though requests wait, in percent",
    },
    OptionRow {
        name: "dirty_ms",
        unit: "ms",
        default: "50",
        description: "how long a line stays dirty before it is written back in idle time, in ms",
    },
    OptionRow {
        name: "read_ahead_kib",
        unit: "KiB",
        default: "64",
        description: "what is read ahead of sequential reads, in KiB; 0 for nothing",
    },
    OptionRow {
        name: "hit_us",
        unit: "us",
        default: "20",
        description: "time of a request that is served from memory, in microseconds",
    },
];

/// The row.
pub const ROW: VolumeRow = VolumeRow {
    name: "cache",
    alias: None,
    description: "memory in front of a device (001-F9)",
    options: OPTIONS,
    roles: &[RoleRow {
        name: "device",
        default: "atlas10k",
        description: "what the memory stands in front of",
        count: |_| Ok(1),
        alike: false,
    }],
    build,
};

fn build(options: &Options, members: &Members) -> Result<Box<dyn Volume>> {
    let sectors = members[0][0];
    let line_kib = options.whole_within("line_kib", 1, 32)?;
    if !line_kib.is_power_of_two() {
        return Err(options.fault("line_kib", "a power of two from 1 to 32"));
    }
    let line = line_kib * 1024 / SECTOR_BYTES;
    let mb = options.number("cache_mb", "a size in MB above 0", |mb| mb > 0.0)?;
    let slots = (mb * 1e6 / (line * SECTOR_BYTES) as f64).min(sectors.div_ceil(line) as f64) as u64;
    let slots = u32::try_from(slots).map_err(|_| options.fault("cache_mb", "fewer than 2^32 lines"))?;
    if slots == 0 {
        return Err(options.fault("cache_mb", &format!("room for a line of {line_kib} KiB")));
    }
    let is_back = options.one_of("writes", &[("through", false), ("back", true)])?;
    let share =
        options.number("dirty_max", "a share from 0 to 100", |share| (0.0..=100.0).contains(&share))?;
    let span = |name: &str, unit_s: f64| {
        let value = options.number(name, "a time of 0 or more, up to an hour", |value| {
            (0.0..=3600.0).contains(&(value * unit_s))
        });
        value.map(|value| Span::from_s(value * unit_s))
    };
    let ahead = options.whole_within("read_ahead_kib", 0, 1 << 20)? * 1024 / SECTOR_BYTES;
    Ok(Box::new(Cache {
        sectors,
        hit: span("hit_us", 1e-6)?,
        is_back,
        dirty_max: (share / 100.0 * f64::from(slots)) as usize,
        dirty_for: span("dirty_ms", 1e-3)?,
        lines: Lines::new(line as u32, slots, replacement::named(options)?(slots)),
        streams: Streams::new(ahead),
        memory: Job(0),
        waiters: Waiting::default(),
        starved: Queue::default(),
        ranges: Ranges::new(line),
        ready: Vec::new(),
        backs: 0,
        leaving: 0,
        is_alarmed: false,
        background: Vec::new(),
        counts: Counts::default(),
    }))
}
