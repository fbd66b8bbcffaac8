//! Queries of the record about one request.

use std::ops::Range;

use super::Record;
use crate::request::{kind, Durable, Op};

impl Record {
    /// Response times of reads and writes in nanoseconds, in the order of arrival; all rows must be complete. A record
    /// without kinds, whose caller knows the requests, gives those of flushes, too.
    pub fn responses_ns(&self) -> impl Iterator<Item = u64> + Clone + '_ {
        let flush = kind(Op::Write, Durable::Earlier);
        let times = self.completion_ns.iter().zip(&self.arrival_ns).enumerate();
        times
            .filter(move |(row, _)| self.kind.get(*row) != Some(&flush))
            .map(|(_, (completion, arrival))| (completion - arrival) as u64)
    }

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
