//! Requests as a device receives them from a workload or a volume.

use std::num::NonZeroU32;

use crate::time::Time;

/// The operation of a request: read or write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Op {
    /// A read, from the medium to the host.
    #[default]
    Read,
    /// A write, from the host to the medium.
    Write,
}

/// Data that must be durable when a request is complete: on a medium that keeps them without power.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Durable {
    /// No data: a write may be complete with its data in a write cache.
    #[default]
    Nothing,
    /// The data of this write: force unit access (FUA).
    Itself,
    /// The data of all writes that were complete when the host issued the request, which is a flush: it moves no data.
    Earlier,
}

/// Kinds of requests in records, by number and name.
pub const KINDS: [(&str, Op, Durable); 4] = [
    ("read", Op::Read, Durable::Nothing),
    ("write", Op::Write, Durable::Nothing),
    ("fua", Op::Write, Durable::Itself),
    ("flush", Op::Write, Durable::Earlier),
];

/// The operation of a kind, and the data that it makes durable; `kind` is its number in [`KINDS`].
#[inline]
#[must_use]
pub fn operation(kind: u8) -> (Op, Durable) {
    // Without the names the table is small, and a replay looks up each of its requests.
    const OPERATIONS: [(Op, Durable); 4] = [
        (KINDS[0].1, KINDS[0].2),
        (KINDS[1].1, KINDS[1].2),
        (KINDS[2].1, KINDS[2].2),
        (KINDS[3].1, KINDS[3].2),
    ];
    OPERATIONS[usize::from(kind)]
}

/// The number of the kind of a request.
#[must_use]
pub fn kind(op: Op, durable: Durable) -> u8 {
    match op {
        Op::Read => 0,
        Op::Write => 1 + durable as u8,
    }
}

/// Marks of the ends of a request: its first or last block may be covered only in part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Partial {
    /// True if the request covers its first block only in part.
    pub first: bool,
    /// True if the request covers its last block only in part.
    pub last: bool,
}

/// A read or write of consecutive blocks, or a flush.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Number of the request in the order of arrival at the device. Without volumes it equals the number of the request
    /// in the record.
    pub row: u32,
    /// Number by which the sender finds the request again; it may differ from `row`.
    pub tag: u32,
    /// First logical block of the request.
    pub lbn: u64,
    /// Number of logical blocks: at least one, and 0 for a flush.
    pub blocks: u32,
    /// Number of sectors of 512 bytes that the request wants; `None` if it wants every sector of its blocks.
    pub wanted_sectors: Option<NonZeroU32>,
    /// Marks whether the request covers its first and its last block only in part.
    pub partial: Partial,
    /// Number of blocks that an internal read of the device skips: they pass under the tips, but the tips stay off.
    pub skipped_blocks: u32,
    /// Operation: read or write.
    pub op: Op,
    /// Data that must be durable when the request is complete.
    pub durable: Durable,
    /// True if the request is for metadata of a file system.
    pub metadata: bool,
    /// True if no request of the host waits for this request.
    pub is_background: bool,
    /// Time at which the host issued the request.
    pub arrival: Time,
    /// Time at which the data of a write start to cross the bus; this is after the processing of the command.
    pub data_from: Time,
    /// Time at which all data of a write have crossed the bus.
    pub data_until: Time,
    /// Number of blocks of the same write whose data cross the bus before those of this part.
    pub data_before: u32,
    /// True if the device itself moves data from one place to another, so that the data do not cross the bus.
    pub is_internal: bool,
}

impl Request {
    /// Creates a request for data other than metadata, with the arrival time 0.
    #[must_use]
    pub fn new(row: u32, lbn: u64, blocks: u32, op: Op) -> Self {
        Self { row, tag: row, lbn, blocks, op, ..Self::default() }
    }

    /// Creates a flush that the host issues at `arrival`.
    #[must_use]
    pub fn flush(row: u32, arrival: Time) -> Self {
        Self { arrival, durable: Durable::Earlier, ..Self::new(row, 0, 0, Op::Write) }
    }

    /// True if the request is a flush.
    #[inline]
    #[must_use]
    pub fn is_flush(&self) -> bool {
        self.durable == Durable::Earlier
    }

    /// Copies the request, and changes the copy so that it never waits for its data.
    #[must_use]
    pub fn with_data(&self) -> Self {
        Self { data_from: Time::ZERO, data_until: Time::ZERO, ..*self }
    }

    /// The part of the request that covers `blocks` blocks from `lbn` on; `before` is the number of blocks of the
    /// request that come before this part.
    #[must_use]
    pub fn part(&self, lbn: u64, blocks: u32, before: u32) -> Self {
        let partial = Partial {
            first: self.partial.first && before == 0,
            last: self.partial.last && before + blocks == self.blocks,
        };
        Self { lbn, blocks, partial, data_before: self.data_before + before, ..*self }
    }

    /// True if the request is a write that covers one of the `blocks` blocks from `lbn` on only in part. The rest of
    /// such a block must be read first.
    #[must_use]
    pub fn merges_in(&self, lbn: u64, blocks: u64) -> bool {
        let has_first = self.partial.first && lbn == self.lbn;
        let has_last = self.partial.last && lbn + blocks == self.lbn + u64::from(self.blocks);
        self.op == Op::Write && (has_first || has_last)
    }

    /// Number of blocks that the request writes only in part.
    #[inline]
    #[must_use]
    pub fn merged_blocks(&self) -> u64 {
        if self.partial == Partial::default() {
            return 0;
        }
        self.merged().count() as u64
    }

    /// The blocks that the request writes only in part.
    pub fn merged(&self) -> impl Iterator<Item = u64> {
        let ends = [self.lbn, self.lbn + u64::from(self.blocks) - 1];
        let first = self.merges_in(ends[0], 1);
        let last = ends[1] > ends[0] && self.merges_in(ends[1], 1);
        [first.then_some(ends[0]), last.then_some(ends[1])].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the first part has the request's partial first block, the last part its partial last
    /// block, and the whole both.
    #[test]
    fn a_part_is_partial_where_the_request_ends() {
        for (first, last) in [(true, true), (true, false), (false, true), (false, false)] {
            let partial = Partial { first, last };
            let request = Request { partial, ..Request::new(0, 100, 9, Op::Write) };
            let parts = [(100, 9, 0), (100, 4, 0), (104, 3, 4), (107, 2, 7)]
                .map(|(lbn, blocks, before)| request.part(lbn, blocks, before));
            let found = parts.map(|part| (part.partial.first, part.partial.last));
            assert_eq!(found, [(first, last), (first, false), (false, false), (false, last)]);
            let merged = parts.map(|part| part.merged_blocks());
            let [before, behind] = [u64::from(first), u64::from(last)];
            assert_eq!(merged, [before + behind, before, 0, behind], "{partial:?}");
        }
    }
}
