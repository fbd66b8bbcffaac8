//! Characteristics of a flash card: figures as on a data sheet, computed from the model.

use super::Flash;
use crate::device::characteristics::characteristics;
use crate::device::Device;
use crate::media::SECTOR_BYTES;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Size in blocks of the small random access (4 KiB) for which papers quote times.
const SMALL_ACCESS_BLOCKS: u32 = 8;
const MIB: f64 = 1_048_576.0;

characteristics! {
    /// The figures of the data sheet of a card. All times except that of the first access apply to a card
    /// that is awake.
    Flash, self, {
        let p = self.params();
        let size = p.erase_block_blocks();
        let read = Request::new(0, 0, SMALL_ACCESS_BLOCKS, Op::Read);
        let access = self.access(self.free_since, &read);
        let write_s = self.random_write().as_s();
        let erase_s_per_block = if size > 0 { p.erase_ms * 1e-3 / size as f64 } else { 0.0 };
        let read_bytes_per_s = SECTOR_BYTES as f64 / self.read.s_per_block;
    }
    /// Capacity in bytes that hosts may use.
    capacity_bytes: self.blocks() * SECTOR_BYTES;
    /// Number of logical blocks that hosts may use.
    blocks: self.blocks();
    /// Size of a logical block in bytes.
    block_bytes: SECTOR_BYTES;
    /// Number of erase blocks on the card; 0 if the card writes without erasing.
    erase_blocks: self.blocks().checked_div(size).unwrap_or(0);
    /// Throughput of sequential reads.
    read_bytes_per_s: read_bytes_per_s;
    /// Throughput of sequential writes, including the time to erase.
    write_bytes_per_s: SECTOR_BYTES as f64 / (self.write.s_per_block + erase_s_per_block);
    /// Time of a random 4 KiB read.
    mean_access_4k_s: access.as_s();
    /// Time of a random 4 KiB read, for a card that must first wake up.
    first_access_4k_s: access.as_s() + p.wake_ms * 1e-3;
    /// Time of a random 4 KiB write while the maximum number of erase blocks is open: the write closes one
    /// of them and opens another.
    mean_write_4k_s: write_s;
    /// Number of random 4 KiB reads per second, with one request outstanding.
    random_4k_per_s: access.as_s().recip();
    /// Number of random 4 KiB writes per second, with one request outstanding.
    random_4k_writes_per_s: write_s.recip();
    /// Gamma (001-F10): random 4 KiB reads per second, divided by the throughput of sequential
    /// reads in MiB per second.
    gamma_per_mib: access.as_s().recip() / (read_bytes_per_s / MIB);
}

impl Flash {
    /// Time of a small write to a closed erase block, after writes that have opened the maximum number of
    /// erase blocks.
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
