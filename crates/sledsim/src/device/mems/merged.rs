//! Counts of writes that begin or end inside a logical block, so that the rest of the block must be read first.

use crate::counts::counts;
use crate::request::Request;

counts! {
    /// Counts of writes that begin or end inside a logical block.
    Merged {
        /// writes that covered a logical block only partly
        partial_writes: u64,
        /// logical blocks that were read because a write covered them only partly
        blocks_read_before: u64,
        /// rows that passed under the tips for these reads; `rows` and `transfer_ns` of the requests include them
        rows_read_before: u64,
    }
}

impl Merged {
    /// Adds a served request to the counts; `rows` of its rows were read before they were written.
    pub fn add(&mut self, request: &Request, rows: u64) {
        let blocks = request.merged_blocks();
        self.partial_writes += u64::from(blocks > 0);
        self.blocks_read_before += blocks;
        self.rows_read_before += rows;
    }
}
