//! A place for a segment on the MEMS device.

use crate::volume::links::List;
use crate::volume::Job;

/// How far a slot is on the way from one segment to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// Empty, also in the table.
    #[default]
    Empty,
    /// Its segment is written back, if it must be, and then the table forgets it.
    Leaving,
    /// The next segment is being written to it.
    Filling,
    /// Its segment is there.
    Resident,
}

/// The source of the next segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CopySource {
    /// It is being read from the disk.
    Disk(Job),
    /// It has been read into the buffer of that job.
    Memory(Job),
    /// A request brings all of it: that piece.
    Host(u32),
}

/// How far a copy of a segment to the disk is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Copying {
    #[default]
    No,
    Reading(Job),
    Writing(Job),
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// Segment that it holds, if any.
    pub(super) segment: u64,
    pub(super) state: State,
    /// Segment that it will hold, and where that comes from.
    pub(super) next: Option<(u64, CopySource)>,
    /// Pieces of requests on their way to it.
    pub(super) users: u32,
    /// Whether the segment on the disk is older.
    pub(super) is_dirty: bool,
    pub(super) copying: Copying,
    /// Whether it was written to since the copy began.
    pub(super) is_rewritten: bool,
    /// Whether one that waits for what it will hold is a write.
    pub(super) is_to_be_written: bool,
    /// Pieces that wait for it to change.
    pub(super) waiting: List,
}

impl Slot {
    /// Whether it may be given to another segment, or copied to the disk.
    pub(super) fn is_quiet(&self) -> bool {
        self.state == State::Resident
            && self.users == 0
            && self.copying == Copying::No
            && self.waiting.is_empty()
    }

    /// The segment that it is for from now on.
    pub(super) fn heir(&self) -> u64 {
        self.next.map_or(self.segment, |(segment, _)| segment)
    }
}
