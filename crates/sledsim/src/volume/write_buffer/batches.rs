//! Writes on their way to the log: writes that wait while an append is written form the next append.

use std::collections::VecDeque;

use super::log::{Append, Extent, Log};
use super::notes::MOST_SECTORS;
use super::place_map::PlaceMap;
use crate::volume::pieces::RequestPart;
use crate::volume::{Io, Job, Urgency};

/// Number of extents in the note of an append, beside two words of header.
pub(super) const MOST_EXTENTS: usize = 56;

/// Data in memory to be appended at once, in the buffer of a job.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub job: Job,
    pub start: u64,
    pub data: u64,
    pub extents: Vec<Extent>,
    /// Requests that wait for the batch.
    pub waiting: Vec<RequestPart>,
    /// Sectors of each job that waits for this batch or a later one.
    pub shares: Vec<(Job, u64)>,
}

impl Batch {
    /// The append that the batch will be in the log.
    pub fn append(&self) -> Append {
        Append { start: self.start, data: self.data, extents: self.extents.len() }
    }
}

/// Batches, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Batches {
    pub queue: VecDeque<Batch>,
    /// True if the first batch is in flight.
    pub is_flying: bool,
    spare: Vec<Batch>,
}

impl Batches {
    /// True if a batch waits to be sent.
    pub fn is_waiting(&self) -> bool {
        self.queue.len() > usize::from(self.is_flying)
    }

    /// Adds the data of a piece, for which there is room, and gives the data positions. Either the job waits until the
    /// data are on the device, or the map of memory records their places.
    pub fn add(
        &mut self,
        piece: &RequestPart,
        mut memory: Option<&mut PlaceMap>,
        log: &mut Log,
        io: &mut Io,
    ) {
        let mut from = 0;
        while from < piece.sectors {
            if !self.is_open(log) {
                self.open(io.urgency(piece.job), log, io);
            }
            let batch = self.queue.back_mut().expect("one is open");
            let room = (log.to_turn(batch.start) - batch.data - 1).min(MOST_SECTORS);
            let taken = room.min(piece.sectors - from);
            let position = batch.start + batch.data;
            batch.extents.push(Extent { sector: piece.sector + from, sectors: taken as u32, position });
            io.copy((piece.job, piece.at + from), (batch.job, batch.data), taken);
            batch.data += taken;
            log.head = batch.append().end();
            match &mut memory {
                Some(map) => map.set(piece.sector + from, taken, log.place(position)),
                None => batch.shares.push((piece.job, taken)),
            }
            from += taken;
        }
        if memory.is_none() {
            // All batches of a piece but the last are written before it.
            self.queue.back_mut().expect("one is open").waiting.push(*piece);
        }
    }

    /// Raises the urgency of all batches, for a job that waits for them to be in the log.
    pub fn hurry(&self, job: Job, io: &mut Io) {
        self.queue.iter().for_each(|batch| io.wait_for(job, batch.job));
    }

    /// True if the last batch has room.
    fn is_open(&self, log: &Log) -> bool {
        let last = self.queue.back().filter(|_| self.is_waiting());
        last.is_some_and(|last| last.extents.len() < MOST_EXTENTS && log.to_turn(last.start) > last.data + 1)
    }

    fn open(&mut self, urgency: Urgency, log: &mut Log, io: &mut Io) {
        let to_turn = log.to_turn(log.head);
        if to_turn < 2 {
            log.head += to_turn;
        }
        let job = io.begin_as(urgency);
        let spare = self.spare.pop().map(|old| (old.extents, old.waiting, old.shares));
        let (extents, waiting, shares) = spare.unwrap_or_default();
        self.queue.push_back(Batch { job, start: log.head, data: 0, extents, waiting, shares });
        log.head += 1;
    }

    /// Takes the batch that was in flight and is now in the log.
    pub fn landed(&mut self) -> Batch {
        self.is_flying = false;
        self.queue.pop_front().expect("one was on its way")
    }

    /// Drops all batches, which will not reach the log.
    pub fn lose(&mut self) -> VecDeque<Batch> {
        self.is_flying = false;
        std::mem::take(&mut self.queue)
    }

    /// Recycles a batch that is not needed any more.
    pub fn recycle(&mut self, mut batch: Batch) {
        batch.extents.clear();
        batch.waiting.clear();
        batch.shares.clear();
        self.spare.push(batch);
    }

    /// The place of a position in memory, and the number of sectors that follow it there.
    pub fn find(&self, position: u64) -> (Job, u64, u64) {
        let batch = self.queue.iter().rev().find(|batch| batch.start <= position).expect("it is in memory");
        let at = position - batch.start;
        (batch.job, at, batch.data - at)
    }
}
