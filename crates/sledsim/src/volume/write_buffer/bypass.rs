//! Writes that bypass the log, because the log has no room for their data.
//!
//! Sectors of such a write that are dirty in the log are overwritten in place there, so that no older version can come
//! back after a power failure. Sectors outside the log are written to the disk, and clean sectors of the log to both.

use std::collections::VecDeque;

use crate::slab::Slab;
use crate::volume::pieces::RequestPart;
use crate::volume::ranges::{Hold, Ranges, Ticket};
use crate::volume::{Io, Job};

/// Number of sectors of a unit in the index that finds overlapping writes.
pub(super) const UNIT: u64 = 16;
#[derive(Clone)]
pub(super) struct Entry {
    pub piece: RequestPart,
    pub ticket: Option<Ticket>,
    /// Head of the log when the write arrived. The write must wait until the log up to this position is on the MEMS
    /// device.
    pub after: u64,
    /// Number of parts of the write in flight.
    pub left: u32,
    /// Number of parts of the write in flight to the log.
    pub on_log: u32,
    /// True if the MEMS device with the log failed during the write, so that the write must start again.
    pub again: bool,
}

/// Writes that bypass the log, in progress or waiting for other writes.
#[derive(Clone)]
pub(super) struct Bypass {
    pub ranges: Ranges,
    pub entries: Slab<Entry>,
    pub parked: Vec<u32>,
    pub ready: Vec<u64>,
    pub turns: VecDeque<u32>,
}

impl Default for Bypass {
    fn default() -> Self {
        Self {
            ranges: Ranges::new(UNIT),
            entries: Slab::default(),
            parked: Vec::new(),
            ready: Vec::new(),
            turns: VecDeque::new(),
        }
    }
}

impl Bypass {
    /// Handles the failure of the MEMS device with the log: writes with parts in flight must start again.
    pub fn lose(&mut self) {
        for (id, entry) in self.entries.iter_mut() {
            entry.after = 0;
            entry.again = entry.left > 0;
            entry.left -= std::mem::take(&mut entry.on_log);
            if entry.again && entry.left == 0 {
                entry.again = false;
                self.turns.push_back(id);
            }
        }
    }

    pub fn enter(&mut self, piece: &RequestPart, after: u64, io: &mut Io) {
        let range = piece.sector..piece.sector + piece.sectors;
        let (piece, again) = (*piece, false);
        let id = self.entries.insert(Entry { piece, ticket: None, after, left: 0, on_log: 0, again });
        let (ticket, now) = self.ranges.enter(range, Hold::Exclusive, u64::from(id));
        self.entries.get_mut(id).ticket = Some(ticket);
        if now {
            self.turns.push_back(id);
        } else {
            self.hurry(id, io);
        }
    }

    /// Promotes to foreground all writes for which the write `id` waits, if the write `id` itself is foreground.
    pub fn hurry(&self, id: u32, io: &mut Io) {
        let Entry { piece, ticket, .. } = self.entries.get(id);
        let others = self.ranges.blockers(ticket.expect("a write takes its ticket when it arrives"));
        others.for_each(|other| io.wait_for(piece.job, self.entries.get(other as u32).piece.job));
    }

    /// Promotes to foreground all writes for which `job` waits, because `job` is now foreground.
    pub fn promoted(&self, job: Job, io: &mut Io) {
        let own = self.entries.iter().filter(|(_, entry)| entry.piece.job == job);
        own.for_each(|(id, _)| self.hurry(id, io));
    }

    pub fn leave(&mut self, id: u32) -> RequestPart {
        let entry = self.entries.remove(id);
        self.ranges.leave(entry.ticket.expect("a write takes its ticket when it arrives"), &mut self.ready);
        self.turns.extend(self.ready.drain(..).map(|id| id as u32));
        entry.piece
    }
}
