//! A slot: a place for one segment on the MEMS device.

use crate::volume::links::List;
use crate::volume::Job;

/// State of a slot, on the way from one segment to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// The slot holds no segment, and the table on the MEMS device says so.
    #[default]
    Empty,
    /// The segment is being evicted: written back if it is dirty, and then dropped from the table.
    Leaving,
    /// The next segment is being written to the slot.
    Filling,
    /// The segment is in the slot.
    Resident,
}

/// Source of the data of the segment that a slot receives next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CopySource {
    /// The job is reading the data from the disk.
    Disk(Job),
    /// The buffer of the job holds the data.
    Memory(Job),
    /// The piece with this number writes the whole segment, so that nothing is read.
    Host(u32),
}

/// Progress of the write-back of a segment from its slot to the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Copying {
    #[default]
    No,
    Reading(Job),
    Writing(Job),
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// Number of the segment in the slot; meaningless if the slot is empty.
    pub(super) segment: u64,
    pub(super) state: State,
    /// Number of the segment that the slot receives next, and the source of its data.
    pub(super) next: Option<(u64, CopySource)>,
    /// Number of pieces of requests in flight to the slot.
    pub(super) users: u32,
    /// True if the segment is newer in the slot than on the disk.
    pub(super) is_dirty: bool,
    pub(super) copying: Copying,
    /// True if a request has written to the segment since its copy to the disk began.
    pub(super) is_rewritten: bool,
    /// True if one of the pieces that wait for the new segment is a write.
    pub(super) is_to_be_written: bool,
    /// Pieces of requests that wait for a change of the slot's state.
    pub(super) waiting: List,
}

impl Slot {
    /// True if the segment is in the slot, and no piece or copy uses it: it may be evicted or written back.
    pub(super) fn is_quiet(&self) -> bool {
        self.state == State::Resident
            && self.users == 0
            && self.copying == Copying::No
            && self.waiting.is_empty()
    }

    /// The segment that the slot is about to receive; otherwise the segment that it holds.
    pub(super) fn heir(&self) -> u64 {
        self.next.map_or(self.segment, |(segment, _)| segment)
    }
}
