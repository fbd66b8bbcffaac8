//! Data of reads: read ahead before the reads are due, and kept until they are sent.

use std::collections::BTreeMap;
use std::ops::Range;

use super::answer::Asker;
use super::contents::Contents;
use crate::nbd::{Errno, PART_BYTES};

/// Maximum number of reads whose data are read ahead at the same time. Few devices have more than eight answers
/// at a time that no later request can change.
const MOST_PREPARED: usize = 8;

/// Reads in progress, by request. A read returns the contents as they are at its completion. Its data are read
/// from the contents in parts. The first part may be read ahead, and is dropped if a write changes it before
/// the completion of the read. Later parts are read when they are sent, or before a write changes them.
#[derive(Default)]
pub(super) struct Readings(BTreeMap<Asker, Reading>);

struct Reading {
    /// Byte range of the data that [`take`](Self::take) has not returned yet.
    left: Range<u64>,
    is_complete: bool,
    /// Data that were read from the contents but not returned yet, by byte offset.
    parts: BTreeMap<u64, Result<Vec<u8>, Errno>>,
}

impl Reading {
    fn new(left: Range<u64>) -> Self {
        Self { left, is_complete: false, parts: BTreeMap::new() }
    }

    fn part(&self, start: u64) -> Range<u64> {
        start..self.left.end.min(start + PART_BYTES as u64)
    }

    /// Return the next part of the data; some data must be left.
    fn take(&mut self, contents: &Contents) -> Result<Vec<u8>, Errno> {
        let part = self.part(self.left.start);
        self.left.start = part.end;
        self.parts.remove(&part.start).unwrap_or_else(|| contents.read(part))
    }
}

impl Readings {
    /// Read ahead the first part of the incomplete read `of`, which covers `range`. Return true if data were read.
    pub(super) fn prepare(&mut self, of: Asker, range: Range<u64>, contents: &Contents) -> bool {
        let prepared = self.0.values().filter(|reading| !reading.is_complete).count();
        if prepared >= MOST_PREPARED || self.0.get(&of).is_some_and(|reading| !reading.parts.is_empty()) {
            return false;
        }
        let reading = self.0.entry(of).or_insert_with(|| Reading::new(range));
        let part = reading.part(reading.left.start);
        // If reading ahead fails now, reading may succeed when the read is due.
        let data = contents.read(part.clone());
        let is_read = data.is_ok();
        if is_read {
            reading.parts.insert(part.start, data);
        }
        is_read
    }

    /// Complete the read `of`, which covers the byte range `range`. Return the first part of its data.
    pub(super) fn complete(
        &mut self,
        of: Asker,
        range: Range<u64>,
        contents: &Contents,
    ) -> Result<Vec<u8>, Errno> {
        if !contents.is_readable(&range) {
            self.remove(of, contents);
            return Err(Errno::Io);
        }
        self.0.entry(of).or_insert_with(|| Reading::new(range)).is_complete = true;
        self.more(of, contents)
    }

    /// Return the next part of the completed read `of`.
    pub(super) fn more(&mut self, of: Asker, contents: &Contents) -> Result<Vec<u8>, Errno> {
        let reading = self.0.get_mut(&of).expect("some data of the read are left");
        let part = reading.take(contents);
        if part.is_err() || reading.left.is_empty() {
            self.remove(of, contents);
        }
        part
    }

    /// Prepare for a write that will change the byte range `changes`: read the parts of completed reads in this
    /// range, and drop data that were read ahead for other reads in this range.
    pub(super) fn save(&mut self, changes: &Range<u64>, contents: &Contents) {
        for reading in self.0.values_mut() {
            let starts = reading.left.clone().step_by(PART_BYTES);
            let is_in = |start: &u64| {
                let part = reading.part(*start);
                part.start < changes.end && changes.start < part.end
            };
            // The first part that can overlap the range begins at most one part before the range.
            let before = changes.start.saturating_sub(reading.left.start) / PART_BYTES as u64;
            let touched = starts.skip(before as usize).take_while(|start| *start < changes.end).filter(is_in);
            for start in touched.collect::<Vec<_>>() {
                if reading.is_complete {
                    let part = reading.part(start);
                    reading.parts.entry(start).or_insert_with(|| contents.read(part));
                } else if let Some(Ok(data)) = reading.parts.remove(&start) {
                    contents.buffers().give_back(data);
                }
            }
        }
    }

    /// Drop all reads of a connection.
    pub(super) fn forget(&mut self, connection: u64, contents: &Contents) {
        let all = Asker { connection, number: 0 }..=Asker { connection, number: u64::MAX };
        let of: Vec<Asker> = self.0.range(all).map(|(of, _)| *of).collect();
        of.into_iter().for_each(|of| self.remove(of, contents));
    }

    /// Drop all reads.
    pub(super) fn forget_all(&mut self, contents: &Contents) {
        while let Some((of, _)) = self.0.first_key_value() {
            self.remove(*of, contents);
        }
    }

    /// Drop the read `of`, and the data that were read for it but not sent.
    pub(super) fn remove(&mut self, of: Asker, contents: &Contents) {
        let parts = self.0.remove(&of).map(|reading| reading.parts).unwrap_or_default();
        parts.into_values().flatten().for_each(|data| contents.buffers().give_back(data));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::contents::Durability;
    use crate::store::{Memory, Unreadable};

    const PART: u64 = PART_BYTES as u64;

    /// Checks reads whose data have one part, two parts, and slightly more than two parts.
    #[test]
    fn nothing_is_kept_of_a_read_whose_last_part_was_taken() {
        let store = Box::new(Memory::new(4 * PART));
        let contents = Contents::new(store, Unreadable::default(), Durability::WriteThrough);
        let mut readings = Readings::default();
        for (number, bytes, parts) in [(0, PART, 1), (1, 2 * PART, 2), (2, 2 * PART + 512, 3)] {
            let of = Asker { connection: 1, number };
            let mut taken = readings.complete(of, 512..512 + bytes, &contents).unwrap().len() as u64;
            for _ in 1..parts {
                assert!(readings.0.contains_key(&of), "some data of the read are left");
                taken += readings.more(of, &contents).unwrap().len() as u64;
            }
            assert_eq!((taken, readings.0.len()), (bytes, 0));
        }
    }
}
