//! The effect of a power failure on writes that are not complete.

use std::ops::Range;

use crate::device::Passed;
use crate::record::Record;
use crate::request::Op;

/// The effect of a power failure on one write: the sectors of the device that the write had changed by then. All other
/// sectors keep their old contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupted {
    /// Number of the request in the record. Under a volume, number of the [part](super::DataMove::Send) that the device
    /// was writing.
    pub row: u32,
    /// Sectors of the request that have their new contents.
    pub written: Vec<Range<u64>>,
    /// Sectors that are unreadable until they are written again. They may lie outside the request, if a block is longer
    /// than a sector, or if the device erases more than it writes.
    pub torn: Vec<Range<u64>>,
}

impl Interrupted {
    /// The effect of a power failure on the write that a device serves. `passed` has the blocks that the device has
    /// already written, `asked` the sectors of the write, and `sectors` is the number of sectors of the device.
    pub(super) fn in_service(row: u32, asked: Range<u64>, passed: Passed, sectors: u64) -> Self {
        let within = |ranges: Vec<Range<u64>>, bounds: Range<u64>| {
            let cut =
                ranges.into_iter().map(|range| range.start.max(bounds.start)..range.end.min(bounds.end));
            cut.filter(|range| !range.is_empty()).collect()
        };
        Self { row, written: within(passed.written, asked), torn: within(passed.torn, 0..sectors) }
    }

    /// The effect of a power failure on a request that the medium has finished but whose completion the host has not
    /// received: all sectors of a write are written. `None` for a read.
    pub(super) fn done(row: u32, record: &Record) -> Option<Self> {
        let (op, asked) = record.asked(row)?;
        (op == Op::Write).then(|| Self { row, written: vec![asked], torn: Vec::new() })
    }
}
