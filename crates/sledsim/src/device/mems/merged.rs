//! What is counted of writes that cover blocks only in part: the rest of such a block is read before.

use crate::media::SECTOR_BYTES;
use crate::request::Request;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Merged {
    writes: u64,
    blocks: u64,
    rows: u64,
}

impl Merged {
    /// A request was served, for which so many rows were read before they were written.
    pub(super) fn add(&mut self, request: &Request, rows: u64) {
        let blocks = request.merged().count() as u64;
        self.writes += u64::from(blocks > 0);
        self.blocks += blocks;
        self.rows += rows;
    }

    /// Each with its name, if sectors of 512 bytes can be parts of blocks.
    pub(super) fn named(&self, block_bytes: u64) -> Vec<(&'static str, f64)> {
        if SECTOR_BYTES.is_multiple_of(block_bytes) {
            return Vec::new();
        }
        let all = [
            ("partial_writes", self.writes),
            ("blocks_read_before", self.blocks),
            ("rows_read_before", self.rows),
        ];
        all.into_iter().map(|(name, count)| (name, count as f64)).collect()
    }
}
