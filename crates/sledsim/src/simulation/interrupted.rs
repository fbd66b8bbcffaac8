//! The effect of a power failure on writes that are not complete.

use std::ops::Range;

use crate::device::Passed;
use crate::record::Record;
use crate::request::Op;

/// A write that a power failure interrupted, and the sectors of the device that it had changed by then. All
/// other sectors keep their old contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupted {
    /// Number of the request in the record; under a volume, number of the [part](super::DataMove::Send) that
    /// the device writes.
    pub row: u32,
    /// Sectors of the request that have their new contents.
    pub written: Vec<Range<u64>>,
    /// Sectors that are unreadable until they are written again, because they have neither old nor new contents. Some
    /// may lie outside the request: if a block is longer than a sector, or if more is erased than written.
    pub torn: Vec<Range<u64>>,
}

impl Interrupted {
    /// The state of a write in service, from the blocks `passed` that the device has written; the write
    /// covers the sectors `asked` of a device with `sectors` sectors.
    pub(super) fn in_service(row: u32, asked: Range<u64>, passed: Passed, sectors: u64) -> Self {
        let within = |ranges: Vec<Range<u64>>, bounds: Range<u64>| {
            let cut =
                ranges.into_iter().map(|range| range.start.max(bounds.start)..range.end.min(bounds.end));
            cut.filter(|range| !range.is_empty()).collect()
        };
        Self { row, written: within(passed.written, asked), torn: within(passed.torn, 0..sectors) }
    }

    /// The state of a write that the medium has finished but whose completion the host does not yet know;
    /// `None` for a read.
    pub(super) fn done(row: u32, record: &Record) -> Option<Self> {
        let (op, asked) = record.asked(row)?;
        (op == Op::Write).then(|| Self { row, written: vec![asked], torn: Vec::new() })
    }
}
