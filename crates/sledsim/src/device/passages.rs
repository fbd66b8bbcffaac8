//! Times at which the blocks of a write reach the medium, and the state of the blocks after a power
//! failure during the write.

use std::ops::Range;

use super::Service;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Passage: the writing of blocks that reach the medium together. These are the blocks of a row under the
/// tips, a sector under the head of a disk, or the unit that a flash card programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Range of logical blocks that are written.
    pub blocks: Range<u64>,
    /// Time from which the blocks no longer have their old contents.
    pub from: Time,
    /// Time from which the blocks have their new contents.
    pub until: Time,
}

/// The passages of a write, in the order in which they end; each block occurs in at most one passage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passages(Vec<Passage>);

/// State of the blocks of an unfinished write. Blocks that are neither in `written` nor in `torn` still
/// have their old contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// Blocks with the new contents.
    pub written: Vec<Range<u64>>,
    /// Blocks with neither the old nor the new contents; they are unreadable until they are written again.
    /// Some lie outside the request if the device erases more blocks than the request writes.
    pub torn: Vec<Range<u64>>,
}

impl Passages {
    /// Removes all passages.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a passage of the blocks `blocks`, from the time `from` until the time `until`.
    pub fn note(&mut self, blocks: Range<u64>, from: Time, until: Time) {
        self.0.push(Passage { blocks, from, until });
    }

    /// Adds the passages of one access, for a request that needs several accesses to the medium.
    pub fn extend(&mut self, part: impl IntoIterator<Item = Passage>) {
        self.0.extend(part);
    }

    /// Adds one passage of all blocks of a write that lasts for the whole service. Devices use it that do
    /// not compute when each block is written.
    pub fn note_whole(&mut self, now: Time, request: &Request, service: &Service) {
        if request.op == Op::Write {
            self.note(request.lbn..request.lbn + u64::from(request.blocks), now, now + service.total());
        }
    }

    /// All passages.
    pub fn iter(&self) -> impl Iterator<Item = &Passage> {
        self.0.iter()
    }

    /// State of the blocks after a power failure at `now`. A passage that ends exactly at `now` is
    /// complete; a passage that begins exactly at `now` has not begun.
    #[must_use]
    pub fn at(&self, now: Time) -> Passed {
        let mut passed = Passed::default();
        for Passage { blocks, from, until } in &self.0 {
            if *until <= now {
                passed.written.push(blocks.clone());
            } else if *from < now {
                passed.torn.push(blocks.clone());
            }
        }
        [&mut passed.written, &mut passed.torn].into_iter().for_each(join);
        passed
    }
}

impl IntoIterator for Passages {
    type Item = Passage;
    type IntoIter = std::vec::IntoIter<Passage>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Passed {
    /// Converts ranges of blocks of `block_bytes` bytes to ranges of sectors of `sector_bytes` bytes. A
    /// sector counts as torn if only a part of it is written.
    #[must_use]
    pub fn in_sectors(&self, block_bytes: u64, sector_bytes: u64) -> Self {
        let bytes = |blocks: &Range<u64>| blocks.start * block_bytes..blocks.end * block_bytes;
        let within = |bytes: &Range<u64>| bytes.start.div_ceil(sector_bytes)..bytes.end / sector_bytes;
        let around = |bytes: &Range<u64>| bytes.start / sector_bytes..bytes.end.div_ceil(sector_bytes);
        let mut passed = Self::default();
        for written in self.written.iter().map(bytes) {
            let (inner, outer) = (within(&written), around(&written));
            if inner.start >= inner.end {
                passed.torn.push(outer);
                continue;
            }
            passed.torn.extend([outer.start..inner.start, inner.end..outer.end]);
            passed.written.push(inner);
        }
        passed.torn.extend(self.torn.iter().map(|torn| around(&bytes(torn))));
        passed.torn.retain(|torn| !torn.is_empty());
        [&mut passed.written, &mut passed.torn].into_iter().for_each(join);
        passed
    }
}

/// Sorts ranges into ascending order and joins ranges that touch or overlap.
fn join(ranges: &mut Vec<Range<u64>>) {
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|next, before| {
        let touches = next.start <= before.end;
        if touches {
            before.end = before.end.max(next.end);
        }
        touches
    });
}

/// Adds a passage for each of the blocks `blocks`, which are written one after another. `passed_at(n)` is
/// the time from `from` until the first n blocks are written.
pub(super) fn note_in_turn(
    passages: &mut Passages,
    blocks: Range<u64>,
    from: Time,
    passed_at: impl Fn(u64) -> Span,
) {
    for (number, block) in blocks.enumerate() {
        let number = number as u64;
        passages.note(block..block + 1, from + passed_at(number), from + passed_at(number + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passages(all: &[(Range<u64>, u64, u64)]) -> Passages {
        let mut passages = Passages::default();
        all.iter().for_each(|(blocks, from, until)| passages.note(blocks.clone(), Time(*from), Time(*until)));
        passages
    }

    fn passed(written: &[(u64, u64)], torn: &[(u64, u64)]) -> Passed {
        let ranges = |all: &[(u64, u64)]| all.iter().map(|(start, end)| *start..*end).collect();
        Passed { written: ranges(written), torn: ranges(torn) }
    }

    #[test]
    fn what_ends_has_ended_and_what_begins_has_not_begun() {
        let rows = passages(&[(20..40, 100, 200), (0..20, 200, 300), (60..65, 350, 450)]);
        for (now, expected) in [
            (100, passed(&[], &[])),
            (101, passed(&[], &[(20, 40)])),
            (200, passed(&[(20, 40)], &[])),
            (299, passed(&[(20, 40)], &[(0, 20)])),
            (300, passed(&[(0, 40)], &[])),
            (449, passed(&[(0, 40)], &[(60, 65)])),
            (450, passed(&[(0, 40), (60, 65)], &[])),
        ] {
            assert_eq!(rows.at(Time(now)), expected, "{now}");
        }
    }

    #[test]
    fn a_sector_of_which_only_some_blocks_are_written_is_torn() {
        // Blocks of 8 bytes, 64 in a sector.
        let some = passed(&[(3, 130), (300, 310)], &[(130, 131)]);
        assert_eq!(some.in_sectors(8, 512), passed(&[(1, 2)], &[(0, 1), (2, 3), (4, 5)]));
        // Blocks of eight sectors.
        assert_eq!(passed(&[(1, 3)], &[(3, 4)]).in_sectors(4096, 512), passed(&[(8, 24)], &[(24, 32)]));
    }
}
