//! A place for a segment on the MEMS device.

use crate::volume::links::List;
use crate::volume::Job;

/// Progress of a slot from one segment to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// Empty, also in the table.
    #[default]
    Empty,
    /// The segment leaves: it is written back, if dirty, and then dropped from the table.
    Leaving,
    /// The next segment is being written to the slot.
    Filling,
    /// The segment is in the slot.
    Resident,
}

/// The source of the next segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CopySource {
    /// Being read from the disk.
    Disk(Job),
    /// Read into the buffer of that job.
    Memory(Job),
    /// Written as a whole by a request, in that piece.
    Host(u32),
}

/// Progress of a copy of a segment to the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Copying {
    #[default]
    No,
    Reading(Job),
    Writing(Job),
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// Segment in the slot, if any.
    pub(super) segment: u64,
    pub(super) state: State,
    /// Segment that comes next, and its source.
    pub(super) next: Option<(u64, CopySource)>,
    /// Number of pieces of requests on their way to the slot.
    pub(super) users: u32,
    /// True if the segment on the disk is older.
    pub(super) is_dirty: bool,
    pub(super) copying: Copying,
    /// True if the segment was written since the copy began.
    pub(super) is_rewritten: bool,
    /// True if a waiting piece for the next segment is a write.
    pub(super) is_to_be_written: bool,
    /// Pieces that wait for a change of the slot.
    pub(super) waiting: List,
}

impl Slot {
    /// True if the slot may be given to another segment, or copied to the disk.
    pub(super) fn is_quiet(&self) -> bool {
        self.state == State::Resident
            && self.users == 0
            && self.copying == Copying::No
            && self.waiting.is_empty()
    }

    /// The segment that the slot is for from now on.
    pub(super) fn heir(&self) -> u64 {
        self.next.map_or(self.segment, |(segment, _)| segment)
    }
}
