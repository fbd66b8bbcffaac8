//! What a card can do: the figures of a data sheet, computed from the model itself.

use super::Flash;
use crate::device::characteristics::characteristics;
use crate::device::Device;
use crate::media::SECTOR_BYTES;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Blocks of the small random access that papers quote.
const SMALL_ACCESS_BLOCKS: u32 = 8;
const MIB: f64 = 1_048_576.0;

characteristics! {
    /// The characteristics of a card. Times are those of a card that is awake, but for the first access.
    Characteristics;
    /// Bytes that hosts may use.
    capacity_bytes: u64;
    /// Logical blocks.
    blocks: u64;
    /// Bytes of a logical block.
    block_bytes: u64;
    /// Erase blocks, none if writes do without.
    erase_blocks: u64;
    /// Rate of reading.
    read_bytes_per_s: f64;
    /// Rate of writing in order, erasures between erase blocks included.
    write_bytes_per_s: f64;
    /// A random read of 4 KiB.
    mean_access_4k_s: f64;
    /// The same when it has to wake up before.
    first_access_4k_s: f64;
    /// A random write of 4 KiB: its erase block has to be opened, and another one closed.
    mean_write_4k_s: f64;
    /// Random reads a second, one after the other.
    random_4k_per_s: f64;
    /// Random writes a second, one after the other.
    random_4k_writes_per_s: f64;
    /// Gamma: random reads a second for each MiB a second of streaming (001-F10).
    gamma_per_mib: f64;
}

impl Flash {
    /// The characteristics of this card.
    #[must_use]
    pub fn characteristics(&self) -> Characteristics {
        let p = self.params();
        let size = p.erase_block_blocks();
        let read = Request::new(0, 0, SMALL_ACCESS_BLOCKS, Op::Read);
        let access = self.access(self.free_since, &read);
        let write_s = self.random_write().as_s();
        let erase_s_per_block = if size > 0 { p.erase_ms * 1e-3 / size as f64 } else { 0.0 };
        let read_bytes_per_s = SECTOR_BYTES as f64 / self.read.s_per_block;
        Characteristics {
            capacity_bytes: self.blocks() * SECTOR_BYTES,
            blocks: self.blocks(),
            block_bytes: SECTOR_BYTES,
            erase_blocks: self.blocks().checked_div(size).unwrap_or(0),
            read_bytes_per_s,
            write_bytes_per_s: SECTOR_BYTES as f64 / (self.write.s_per_block + erase_s_per_block),
            mean_access_4k_s: access.as_s(),
            first_access_4k_s: access.as_s() + p.wake_ms * 1e-3,
            mean_write_4k_s: write_s,
            random_4k_per_s: access.as_s().recip(),
            random_4k_writes_per_s: write_s.recip(),
            gamma_per_mib: access.as_s().recip() / (read_bytes_per_s / MIB),
        }
    }

    /// A small write to a place far from all others, after so many of those that every open erase block is in use.
    fn random_write(&self) -> Span {
        let (mut card, mut now, size) = (self.clone(), Time::ZERO, self.params().erase_block_blocks());
        card.begin(now);
        let mut last = Span::ZERO;
        for place in 0..=self.params().open_blocks {
            let write = Request::new(0, place * size, SMALL_ACCESS_BLOCKS, Op::Write);
            last = card.serve(now, &write).total();
            now = now + last;
        }
        last
    }
}
