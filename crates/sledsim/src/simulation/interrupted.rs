//! The effect of a power failure on writes that are not complete.

use std::ops::Range;

use crate::device::Passed;
use crate::record::Record;
use crate::request::Op;

/// A write that a power failure interrupted, with its effect on the sectors of its device by then. Sectors
/// not listed keep their old contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupted {
    /// Row of the request; under a volume, number of the [part](super::DataMove::Send) that a device writes.
    pub row: u32,
    /// Sectors of the request that have their new contents.
    pub written: Vec<Range<u64>>,
    /// Sectors with neither old nor new contents, unreadable until they are written again. They may lie
    /// outside the request: where a block is longer than a sector, and where more is erased than written.
    pub torn: Vec<Range<u64>>,
}

impl Interrupted {
    /// Builds the state of a write in service for the `asked` sectors, from the blocks that have passed, on a
    /// device of `sectors` sectors.
    pub(super) fn in_service(row: u32, asked: Range<u64>, passed: Passed, sectors: u64) -> Self {
        let within = |ranges: Vec<Range<u64>>, bounds: Range<u64>| {
            let cut =
                ranges.into_iter().map(|range| range.start.max(bounds.start)..range.end.min(bounds.end));
            cut.filter(|range| !range.is_empty()).collect()
        };
        Self { row, written: within(passed.written, asked), torn: within(passed.torn, 0..sectors) }
    }

    /// Builds the state of a request that the medium has finished and the host does not know yet; `None` for
    /// a read.
    pub(super) fn done(row: u32, record: &Record) -> Option<Self> {
        let (op, asked) = record.asked(row)?;
        (op == Op::Write).then(|| Self { row, written: vec![asked], torn: Vec::new() })
    }
}
