//! Counts of writes that cover blocks only in part: the rest of such a block is read first.

use crate::counts::counts;
use crate::request::Request;

counts! {
    /// Counts of writes that cover blocks only in part.
    Merged {
        /// writes that covered a logical block only in part
        partial_writes: u64,
        /// logical blocks that were read before a partial write
        blocks_read_before: u64,
        /// rows that passed for these reads; they count in `rows` and `transfer_ns` of the requests
        rows_read_before: u64,
    }
}

impl Merged {
    /// Counts a served request, for which `rows` rows were read before they were written.
    pub fn add(&mut self, request: &Request, rows: u64) {
        let blocks = request.merged_blocks();
        self.partial_writes += u64::from(blocks > 0);
        self.blocks_read_before += blocks;
        self.rows_read_before += rows;
    }
}
