//! Batches of writes on their way to the log. Writes that arrive while a batch is in flight form the next batch.

use std::collections::VecDeque;

use super::log::{Append, Extent, Log};
use super::notes::MOST_SECTORS;
use super::place_map::PlaceMap;
use crate::volume::pieces::RequestPart;
use crate::volume::{Io, Job, Urgency};

/// Largest number of extents in a batch, so that the note of its append has room for all of them and for its header
/// words.
pub(super) const MOST_EXTENTS: usize = 56;

/// A batch: data of several writes that one part will append to the log. They lie in the buffer of a job.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub job: Job,
    pub start: u64,
    pub data: u64,
    pub extents: Vec<Extent>,
    /// Pieces of writes that wait until the batch is in the log.
    pub waiting: Vec<RequestPart>,
    /// Jobs that have data in the batch, each with the number of its sectors there. Each job waits until all of its
    /// data are in the log.
    pub shares: Vec<(Job, u64)>,
}

impl Batch {
    /// The append that this batch will be in the log.
    pub fn append(&self) -> Append {
        Append { start: self.start, data: self.data, extents: self.extents.len() }
    }
}

/// Batches of writes that are not yet in the log, the oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Batches {
    pub queue: VecDeque<Batch>,
    /// True if the oldest batch is in flight to the log.
    pub is_flying: bool,
    spare: Vec<Batch>,
}

impl Batches {
    /// True if any batch is not yet in flight.
    pub fn is_waiting(&self) -> bool {
        self.queue.len() > usize::from(self.is_flying)
    }

    /// Adds the data of the write `piece` to batches and assigns positions in the log to them; the log must have room.
    /// If `memory` is a map, it records where the data are. Otherwise the write waits until they are in the log.
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
            let batch = self.queue.back_mut().expect("a batch with room was opened above");
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
            // The earlier batches that hold data of the piece are written before this one.
            self.queue.back_mut().expect("a batch with room was opened above").waiting.push(*piece);
        }
    }

    /// Promotes all batches to foreground if `job`, which waits until they are in the log, is foreground.
    pub fn hurry(&self, job: Job, io: &mut Io) {
        self.queue.iter().for_each(|batch| io.wait_for(job, batch.job));
    }

    /// True if the newest batch is not yet in flight and has room for more data.
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

    /// Removes and returns the batch that was in flight, because it is now in the log.
    pub fn landed(&mut self) -> Batch {
        self.is_flying = false;
        self.queue.pop_front().expect("a batch was in flight")
    }

    /// Removes and returns all batches, because the MEMS device with the log has failed.
    pub fn lose(&mut self) -> VecDeque<Batch> {
        self.is_flying = false;
        std::mem::take(&mut self.queue)
    }

    /// Keeps the vectors of a batch, so that later batches need not allocate memory.
    pub fn recycle(&mut self, mut batch: Batch) {
        batch.extents.clear();
        batch.waiting.clear();
        batch.shares.clear();
        self.spare.push(batch);
    }

    /// The place in memory of the data at the position `position` of the log: a job, the sector in its buffer, and the
    /// number of sectors of the batch from there on.
    pub fn find(&self, position: u64) -> (Job, u64, u64) {
        let batch = self
            .queue
            .iter()
            .rev()
            .find(|batch| batch.start <= position)
            .expect("data that are not yet in the log are in a batch");
        let at = position - batch.start;
        (batch.job, at, batch.data - at)
    }
}
