//! A slot: a place for one segment on the MEMS device.

use crate::volume::links::List;
use crate::volume::Job;

/// Progress of a slot from its segment to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// The slot is empty, also according to the table.
    #[default]
    Empty,
    /// The segment is being evicted: written back if it is dirty, and then dropped from the table.
    Leaving,
    /// The next segment is being written to the slot.
    Filling,
    /// The segment is in the slot.
    Resident,
}

/// Source of the data of the next segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CopySource {
    /// The job is reading the data from the disk.
    Disk(Job),
    /// The buffer of the job holds the data.
    Memory(Job),
    /// The piece of this number writes the segment as a whole.
    Host(u32),
}

/// Progress of the copy of a slot's segment to the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Copying {
    #[default]
    No,
    Reading(Job),
    Writing(Job),
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// Number of the segment in the slot; without meaning in an empty slot.
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
    /// True if one of the pieces that wait for the next segment is a write.
    pub(super) is_to_be_written: bool,
    /// Pieces of requests that wait for a change of the slot.
    pub(super) waiting: List,
}

impl Slot {
    /// True if the slot is in no use, so that its segment may be evicted or copied to the disk.
    pub(super) fn is_quiet(&self) -> bool {
        self.state == State::Resident
            && self.users == 0
            && self.copying == Copying::No
            && self.waiting.is_empty()
    }

    /// The next segment of the slot or, without one, the segment in the slot.
    pub(super) fn heir(&self) -> u64 {
        self.next.map_or(self.segment, |(segment, _)| segment)
    }
}
