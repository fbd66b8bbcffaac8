//! Queries of the record about one request.

use std::ops::Range;

use super::Record;
use crate::request::Op;

impl Record {
    /// Number of blocks of the request `row` that the device could neither read nor write.
    #[must_use]
    pub fn lost_blocks_of(&self, row: u32) -> u32 {
        let at = self.at(row);
        let gathered = self.gathered.services().filter(|(served, ..)| *served == at);
        let put = self.lost_blocks.get(at).copied();
        gathered.map(|(_, _, service, _)| service.lost_blocks).chain(put).max().unwrap_or(0)
    }

    /// Operation and sectors of a request, no sectors for a flush, if the record keeps them and the row was not removed.
    #[must_use]
    pub fn asked(&self, row: u32) -> Option<(Op, Range<u64>)> {
        let at = self.at(row);
        let (lbn, blocks) = (*self.lbn.get(at)? as u64, *self.blocks.get(at)? as u64);
        let op = if *self.write.get(at)? || blocks == 0 { Op::Write } else { Op::Read };
        Some((op, lbn..lbn + blocks))
    }
}
