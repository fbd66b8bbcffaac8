//! Columns that the host knows when it sends a request.

use super::{put, ColumnSet, Record};
use crate::request::{kind, Durable, Op};

impl Record {
    /// Stores the operation, the sectors and the traced device of the request `row`, if these columns are kept.
    pub fn ask(
        &mut self,
        row: u32,
        [lbn, blocks]: [u64; 2],
        (op, durable): (Op, Durable),
        metadata: bool,
        device: u32,
    ) {
        if self.selection.has_some(ColumnSet::Request) {
            let at = self.at(row);
            put(&mut self.lbn, at, lbn as i64);
            put(&mut self.blocks, at, blocks as i32);
            put(&mut self.write, at, op == Op::Write && durable != Durable::Earlier);
            put(&mut self.metadata, at, metadata);
            put(&mut self.device, at, device as i32);
            put(&mut self.kind, at, kind(op, durable));
        }
    }
}
