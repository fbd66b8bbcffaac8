//! Counts of writes that cover blocks only partly: the rest of such a block is read first.

use crate::counts::counts;
use crate::request::Request;

counts! {
    /// Counts of writes that cover blocks only partly.
    Merged {
        /// writes that covered a logical block only partly
        partial_writes: u64,
        /// logical blocks that were read because a write covered them only partly
        blocks_read_before: u64,
        /// rows that passed for these reads; they also count in `rows` and `transfer_ns` of the requests
        rows_read_before: u64,
    }
}

impl Merged {
    /// Counts a served request; `rows` rows of it were read before they were written.
    pub fn add(&mut self, request: &Request, rows: u64) {
        let blocks = request.merged_blocks();
        self.partial_writes += u64::from(blocks > 0);
        self.blocks_read_before += blocks;
        self.rows_read_before += rows;
    }
}
