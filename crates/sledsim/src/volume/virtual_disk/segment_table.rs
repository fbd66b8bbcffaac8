//! The table on the MEMS device: the segment of each slot, and whether the segment may be newer than on the disk.

use crate::request::Op;
use crate::time::Time;
use crate::volume::backing_store::MEMS;
use crate::volume::{FindNote, Io, Job, Part};

/// Number of slots per sector of the table: a note has that many words of 8 bytes.
pub(super) const SLOTS_IN_SECTOR: usize = 60;

/// Entry of the table for a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// No segment.
    Empty,
    /// A segment with the content of the disk.
    Clean(u64),
    /// A segment that may be newer than on the disk.
    Dirty(u64),
}

impl Entry {
    fn word(self) -> u64 {
        match self {
            Self::Empty => 0,
            Self::Clean(segment) => 2 * segment + 1,
            Self::Dirty(segment) => 2 * segment + 2,
        }
    }

    fn of_word(word: u64) -> Self {
        match word {
            0 => Self::Empty,
            word if word % 2 == 1 => Self::Clean(word / 2),
            word => Self::Dirty(word / 2 - 1),
        }
    }
}

/// A sector of the table. It is written as a whole, with one write in flight at most, because two could take
/// effect in any order; changes meanwhile go with the next write.
#[derive(Clone, Default)]
struct Sheet {
    /// Job of the write in flight.
    writing: Option<Job>,
    /// Slots whose changes are in flight.
    written: Vec<u32>,
    /// Slots that have changed since the write in flight began.
    changed: Vec<u32>,
}

#[derive(Clone)]
pub(super) struct Table {
    entries: Vec<Entry>,
    /// Number of changes of each slot that are not on the medium.
    pending: Vec<u32>,
    sheets: Vec<Sheet>,
    /// Number of writes so far.
    pub(super) writes: u64,
}

impl Table {
    pub(super) fn new(slots: u32) -> Self {
        let slots = slots as usize;
        let sheets = (0..slots.div_ceil(SLOTS_IN_SECTOR)).map(|_| Sheet::default()).collect();
        Self { entries: vec![Entry::Empty; slots], pending: vec![0; slots], sheets, writes: 0 }
    }

    /// True if the medium has this entry.
    pub(super) fn says(&self, slot: u32, entry: Entry) -> bool {
        self.entries[slot as usize] == entry && self.pending[slot as usize] == 0
    }

    /// Writes an entry to the medium; `tag` makes the tag of the part from the number of the sector.
    pub(super) fn set(&mut self, slot: u32, entry: Entry, tag: impl Fn(u32) -> u64, io: &mut Io) {
        if std::mem::replace(&mut self.entries[slot as usize], entry) == entry {
            return;
        }
        self.pending[slot as usize] += 1;
        let number = slot as usize / SLOTS_IN_SECTOR;
        self.sheets[number].changed.push(slot);
        if self.sheets[number].writing.is_none() {
            self.write(number, tag(number as u32), io);
        }
    }

    fn write(&mut self, number: usize, tag: u64, io: &mut Io) {
        let job = io.begin();
        let entries = self.entries[number * SLOTS_IN_SECTOR..].iter().take(SLOTS_IN_SECTOR);
        io.note((job, 0), || entries.map(|entry| entry.word()).collect());
        io.submit(Part::own(job, MEMS, Op::Write, (number as u64, 1), tag));
        let sheet = &mut self.sheets[number];
        std::mem::swap(&mut sheet.written, &mut sheet.changed);
        sheet.writing = Some(job);
        self.writes += 1;
    }

    /// Ends the write of a sector of the table: adds the slots of its changes to `noted_slots`.
    pub(super) fn done(&mut self, now: Time, part: &Part, noted_slots: &mut Vec<u32>, io: &mut Io) {
        let number = part.sector as usize;
        io.complete(part.job, now);
        let sheet = &mut self.sheets[number];
        sheet.writing = None;
        for slot in sheet.written.drain(..) {
            self.pending[slot as usize] -= 1;
            noted_slots.push(slot);
        }
        if !sheet.changed.is_empty() {
            self.write(number, part.tag, io);
        }
    }

    /// Drops all writes in flight, because the device has failed.
    pub(super) fn give_up(&mut self, now: Time, io: &mut Io) {
        for job in self.sheets.iter().filter_map(|sheet| sheet.writing) {
            io.complete(job, now);
        }
        *self = Self { writes: self.writes, ..Self::new(self.entries.len() as u32) };
    }

    /// Reads the entries on the medium.
    pub(super) fn recover(&mut self, read: &mut FindNote<'_>) -> Vec<(u32, Entry)> {
        for number in 0..self.sheets.len() {
            let words = read(MEMS, number as u64).map_or_else(Vec::new, |note| note.words);
            for (entry, word) in self.entries[number * SLOTS_IN_SECTOR..].iter_mut().zip(words) {
                *entry = Entry::of_word(word);
            }
        }
        (0..).zip(self.entries.iter().copied()).collect()
    }
}
