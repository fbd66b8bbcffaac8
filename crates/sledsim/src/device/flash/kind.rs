//! Flash cards as files of devices know them.

use super::characteristics::Characteristics;
use crate::error::{Error, Result};
use crate::media::SECTOR_BYTES;
use crate::params::{whole, within, DeviceParams, FlashParams, Kind, Parameters};
use crate::table::Row;

/// Fewest blocks: a 4 KiB access, which data sheets quote, must fit.
const FEWEST_BLOCKS: u64 = 8;
/// More blocks than any card has.
const MOST_BLOCKS: u64 = 1 << 50;
/// Larger than any erase block, in KiB.
const LARGEST_ERASE_BLOCK_KIB: u64 = 1 << 20;
/// More replacement blocks than any card has.
const MOST_OPEN_BLOCKS: u64 = 1024;
/// Longest time of a phase.
const LONGEST_MS: f64 = 1_000.0;
/// Longest time-out: about 30 years, which no run reaches.
const LONGEST_TIME_OUT_MS: f64 = 1e12;
/// Bandwidths between which every transfer fits its column and takes some time.
const BANDWIDTHS_MB_PER_S: [f64; 2] = [1e-3, 1e6];
/// More power than any card takes.
const MOST_POWER_MW: f64 = 1e6;

impl FlashParams {
    /// Blocks of an erase block; 0 if writes do without.
    #[must_use]
    pub fn erase_block_blocks(&self) -> u64 {
        self.erase_block_kib * 1024 / SECTOR_BYTES
    }
}

/// Flash cards.
pub(in crate::device) const ROW: Row<Kind> = Row::new("flash", "memory without moving parts", KIND);

const KIND: Kind = Kind {
    keys: FlashParams::KEYS,
    tables: &[],
    typed: FlashParams::typed,
    choices: Vec::new,
    check: |_| Ok(()),
    merge: |_, _, _| {},
    complete: |values| Ok(DeviceParams::Flash(FlashParams::complete(values, check)?)),
    characteristics: Characteristics::MEANINGS,
};

/// Refuses a card that cannot be, naming the key, the value and what would do.
fn check(p: &FlashParams) -> Result<()> {
    for (key, value, least, most) in [
        ("block_count", p.block_count, FEWEST_BLOCKS, MOST_BLOCKS),
        ("erase_block_kib", p.erase_block_kib, 0, LARGEST_ERASE_BLOCK_KIB),
        ("open_blocks", p.open_blocks, 1, MOST_OPEN_BLOCKS),
    ] {
        whole(key, value, [least, most])?;
    }
    let [least_mb_per_s, most_mb_per_s] = BANDWIDTHS_MB_PER_S;
    for (key, value, least, most) in [
        ("read_latency_ms", p.read_latency_ms, 0.0, LONGEST_MS),
        ("write_latency_ms", p.write_latency_ms, 0.0, LONGEST_MS),
        ("read_mb_per_s", p.read_mb_per_s, least_mb_per_s, most_mb_per_s),
        ("write_mb_per_s", p.write_mb_per_s, least_mb_per_s, most_mb_per_s),
        ("erase_ms", p.erase_ms, 0.0, LONGEST_MS),
        ("read_power_mw", p.read_power_mw, 0.0, MOST_POWER_MW),
        ("write_power_mw", p.write_power_mw, 0.0, MOST_POWER_MW),
        ("idle_power_mw", p.idle_power_mw, 0.0, MOST_POWER_MW),
        ("inactive_power_mw", p.inactive_power_mw, 0.0, MOST_POWER_MW),
        ("inactive_after_ms", p.inactive_after_ms, 0.0, LONGEST_TIME_OUT_MS),
        ("wake_ms", p.wake_ms, 0.0, LONGEST_MS),
    ] {
        within::<FlashParams>(key, value, [least, most])?;
    }
    erase_blocks(p)
}

/// Erase blocks divide the card, and not all of them can be open.
fn erase_blocks(p: &FlashParams) -> Result<()> {
    let (kib, size) = (p.erase_block_kib, p.erase_block_blocks());
    if size == 0 {
        return Ok(());
    }
    if !p.block_count.is_multiple_of(size) {
        return fault(format!(
            "erase_block_kib = {kib}: must divide the card, whose block_count = {} is no multiple of {size} \
             blocks of 512 bytes",
            p.block_count
        ));
    }
    let count = p.block_count / size;
    if p.open_blocks < count {
        return Ok(());
    }
    fault(format!(
        "open_blocks = {}: must be fewer than the erase blocks, of which the card has {count} of {kib} KiB",
        p.open_blocks
    ))
}

fn fault(text: String) -> Result<()> {
    Err(Error::Parameter(text))
}
