//! The table on the MEMS device, which states for each slot the segment that it holds, and whether this may be newer
//! than on the disk.

use crate::request::Op;
use crate::time::Time;
use crate::volume::backing_store::MEMS;
use crate::volume::{FindNote, Io, Job, Part};

/// Number of slots that one sector of the table describes: each slot takes one word of 8 bytes, and a note in a sector
/// has room for 60 words.
pub(super) const SLOTS_IN_SECTOR: usize = 60;

/// Entry of a slot in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// The slot holds no segment.
    Empty,
    /// The slot holds the segment of this number, with the data that the disk has.
    Clean(u64),
    /// The slot holds the segment of this number, with data that may be newer than on the disk.
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

/// A sector of the table. Each write covers the whole sector. Only one write is in flight, because two writes could
/// take effect in either order; changes that come meanwhile wait for the next write.
#[derive(Clone, Default)]
struct Sheet {
    /// Job that is writing the sector; `None` if no write is in flight.
    writing: Option<Job>,
    /// Slots whose changed entries the write in flight stores.
    written: Vec<u32>,
    /// Slots whose entries have changed since the write in flight began.
    changed: Vec<u32>,
}

#[derive(Clone)]
pub(super) struct Table {
    entries: Vec<Entry>,
    /// Number of changes of each slot's entry that are not yet stored on the MEMS device.
    pending: Vec<u32>,
    sheets: Vec<Sheet>,
    /// Number of writes of a sector of the table so far.
    pub(super) writes: u64,
}

impl Table {
    pub(super) fn new(slots: u32) -> Self {
        let slots = slots as usize;
        let sheets = (0..slots.div_ceil(SLOTS_IN_SECTOR)).map(|_| Sheet::default()).collect();
        Self { entries: vec![Entry::Empty; slots], pending: vec![0; slots], sheets, writes: 0 }
    }

    /// True if the entry of the slot `slot` is `entry`, in memory and on the MEMS device.
    pub(super) fn says(&self, slot: u32, entry: Entry) -> bool {
        self.entries[slot as usize] == entry && self.pending[slot as usize] == 0
    }

    /// Changes the entry of the slot `slot`, and writes its sector of the table. `tag` computes the tag of the part
    /// from the index of this sector.
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

    /// Handles the completion of a write of a sector of the table. Appends the slots whose changes it stored to
    /// `noted_slots`.
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

    /// Drops all writes in flight after a failure of the MEMS device, and makes all entries empty.
    pub(super) fn give_up(&mut self, now: Time, io: &mut Io) {
        for job in self.sheets.iter().filter_map(|sheet| sheet.writing) {
            io.complete(job, now);
        }
        *self = Self { writes: self.writes, ..Self::new(self.entries.len() as u32) };
    }

    /// Reads the entries of all slots from the MEMS device after a power failure, and returns them.
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
