//! What a loss of power leaves of the writes that are not complete.

use std::ops::Range;

use crate::device::Passed;
use crate::record::Record;
use crate::request::Op;

/// A write that power was lost in the midst of: what it has done to the sectors of its device by then. Of those that are
/// not named the old contents are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupted {
    /// Its number: of a volume, that of the [part](super::DataMove::Send) which a device writes.
    pub row: u32,
    /// Sectors that it asked for, and that have their new contents.
    pub written: Vec<Range<u64>>,
    /// Sectors that have neither the old contents nor the new ones, and cannot be read until they are written again. There
    /// may be some that it did not ask for: where a block is longer than a sector, and where more is erased than written.
    pub torn: Vec<Range<u64>>,
}

impl Interrupted {
    /// A write in service that asked for some sectors, and what of it has passed; the device has so many sectors.
    pub(super) fn in_service(row: u32, asked: Range<u64>, passed: Passed, sectors: u64) -> Self {
        let within = |ranges: Vec<Range<u64>>, bounds: Range<u64>| {
            let cut =
                ranges.into_iter().map(|range| range.start.max(bounds.start)..range.end.min(bounds.end));
            cut.filter(|range| !range.is_empty()).collect()
        };
        Self { row, written: within(passed.written, asked), torn: within(passed.torn, 0..sectors) }
    }

    /// A request that the medium is done with, and the host does not know yet; none if it is a read.
    pub(super) fn done(row: u32, record: &Record) -> Option<Self> {
        let (op, asked) = record.asked(row)?;
        (op == Op::Write).then(|| Self { row, written: vec![asked], torn: Vec::new() })
    }
}
