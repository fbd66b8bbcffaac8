//! The parameters of a flash card.

use super::device::complete;
use super::keys::{parameters, within, Key};
use super::kind::Kind;
use super::DeviceParams;
use crate::error::{Error, Result};
use crate::media::SECTOR_BYTES;

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

parameters! {
    /// The complete, effective parameters of a flash card.
    FlashParams;
    required {
        /// What the device is, in one line
        description: String, "";
        /// Logical blocks of 512 bytes that hosts may use
        block_count: u64, "";
        /// From the command of a read until its data begin to flow
        read_latency_ms: f64, "ms";
        /// From the command of a write until its data begin to flow
        write_latency_ms: f64, "ms";
        /// Bandwidth of reads
        read_mb_per_s: f64, "MB/s";
        /// Bandwidth of writes
        write_mb_per_s: f64, "MB/s";
        /// Size of an erase block; 0: writing any block again costs nothing more
        erase_block_kib: u64, "KiB";
        /// Erase blocks that can be written to at once
        open_blocks: u64, "";
        /// Time to erase an erase block
        erase_ms: f64, "ms";
        /// Power while it serves a read
        read_power_mw: f64, "mW";
        /// Power while it serves a write
        write_power_mw: f64, "mW";
        /// Power while it is ready and serves nothing
        idle_power_mw: f64, "mW";
        /// Power while it is inactive
        inactive_power_mw: f64, "mW";
        /// Time without a request after which it becomes inactive
        inactive_after_ms: f64, "ms";
        /// Time to wake up when a request finds it inactive
        wake_ms: f64, "ms";
    }
    optional {}
}

impl FlashParams {
    /// Blocks of an erase block; 0 if writes do without.
    #[must_use]
    pub fn erase_block_blocks(&self) -> u64 {
        self.erase_block_kib * 1024 / SECTOR_BYTES
    }
}

/// Flash cards.
pub(super) const KIND: Kind = Kind {
    name: "flash",
    keys: KEYS,
    tables: &[],
    read: |text| toml::from_str::<File>(text).map(drop),
    choices: Vec::new,
    check: |_| Ok(()),
    merge: |_, _| {},
    complete: |values| Ok(DeviceParams::Flash(complete(values, KEYS, check)?)),
};

/// Refuses a card that cannot be, naming the key, the value and what would do.
fn check(p: &FlashParams) -> Result<()> {
    for (key, value, least, most) in [
        ("block_count", p.block_count, FEWEST_BLOCKS, MOST_BLOCKS),
        ("erase_block_kib", p.erase_block_kib, 0, LARGEST_ERASE_BLOCK_KIB),
        ("open_blocks", p.open_blocks, 1, MOST_OPEN_BLOCKS),
    ] {
        if !(least..=most).contains(&value) {
            return fault(format!("{key} = {value}: must be a whole number from {least} to {most}"));
        }
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
        within(KEYS, key, value, [least, most])?;
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
