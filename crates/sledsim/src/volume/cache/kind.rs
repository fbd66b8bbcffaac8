//! The entry of the cache in the table of volumes.

use super::cache_lines::Lines;
use super::streams::Streams;
use super::{Cache, Counts};
use crate::error::{ensure, Result};
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};
use crate::time::Span;
use crate::volume::links::List;
use crate::volume::replacement::{self, POLICY};
use crate::volume::waiting::Waiting;
use crate::volume::{Job, Members, Promises, Ranges, RoleRow, Volume, VolumeKind, VolumeRow};

const OPTIONS: &[OptionRow] = &[
    OptionRow::number(
        "cache_mb",
        "16",
        [0.0, f64::INFINITY],
        "size of the memory for lines",
    )
    .unit("MB")
    .above(),
    OptionRow::whole(
        "line_kib",
        "4",
        [1, 32],
        "size of a line, the unit in which data are evicted",
    )
    .unit("KiB"),
    POLICY,
    OptionRow::one_of(
        "writes",
        &["through", "back"],
        "when a write is acknowledged: through: once the data are on the device; back: once the data are in memory (a power failure loses such writes)",
    ),
    OptionRow::number(
        "dirty_max",
        "50",
        [0.0, 100.0],
        "share of all lines that may be dirty; above this share, dirty lines are written back even while requests wait",
    )
    .unit("%"),
    OptionRow::number(
        "dirty_ms",
        "50",
        [0.0, 3.6e6],
        "time from the first write to a clean line until the line is written back, if the device is idle",
    )
    .unit("ms"),
    OptionRow::whole(
        "read_ahead_kib",
        "64",
        [0, 1 << 20],
        "amount of data read ahead of a sequential stream of reads; 0: no read-ahead",
    )
    .unit("KiB"),
    OptionRow::number(
        "hit_us",
        "20",
        [0.0, 3.6e9],
        "service time of a request that memory serves without the device",
    )
    .unit("us"),
];

/// Entry of the cache in the table of volumes.
pub const ROW: VolumeRow = VolumeRow::new(
    "cache",
    "cache in memory (DRAM) in front of a device",
    VolumeKind {
        roles: &[RoleRow::one("device", "atlas10k", "the device behind the memory")],
        counters: &[Counts::COUNTERS],
        promises: Promises {
            options: "cache_mb=0.05,read_ahead_kib=8",
            largest: 40,
            metadata: 0.0,
            ..Promises::OVER_ONE
        },
        build,
    },
)
.source("001-F9")
.options(&[OPTIONS]);

fn build(options: &Options, members: &Members) -> Result<Box<dyn Volume>> {
    let sectors = members[0][0];
    let line_kib = options.whole("line_kib")?;
    ensure!(line_kib.is_power_of_two(), options.fault("line_kib", "a power of two from 1 to 32"));
    let line = line_kib * 1024 / SECTOR_BYTES;
    let mb = options.number("cache_mb")?;
    let slots = (mb * 1e6 / (line * SECTOR_BYTES) as f64).min(sectors.div_ceil(line) as f64) as u64;
    let slots =
        u32::try_from(slots).map_err(|_| options.fault("cache_mb", "a size of fewer than 2^32 lines"))?;
    ensure!(slots > 0, options.fault("cache_mb", &format!("a size of at least one line, {line_kib} KiB")));
    let is_back = options.is("writes", "back")?;
    let share = options.number("dirty_max")?;
    let span = |name: &str, unit_s: f64| options.number(name).map(|value| Span::from_s(value * unit_s));
    let ahead = options.whole("read_ahead_kib")? * 1024 / SECTOR_BYTES;
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
        starved: List::default(),
        ranges: Ranges::new(line),
        ready: Vec::new(),
        in_flight: Vec::new(),
        flushes: Vec::new(),
        leaving: 0,
        is_alarmed: false,
        background: Vec::new(),
        counts: Counts::default(),
    }))
}
