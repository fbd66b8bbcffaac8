//! Numbers of distinct blocks of 4 KiB that a trace touches and writes, from a bitmap that grows
//! with the touched blocks.

use serde::Serialize;

use super::units::{share, SECTOR_BYTES};
use crate::hashing::ByNumbers;
use crate::trace::{Op, TraceRow};

/// Number of sectors in a block of 4 KiB.
const BLOCK_SECTORS: u64 = 8;
/// Number of blocks in a page of the bitmap; a page covers 16 MiB of a device.
const PAGE_BLOCKS: u64 = 4096;
/// Number of pages in a table of the bitmap; a table covers 4 GiB of a device.
const TABLE_PAGES: u64 = 256;
const PAGE_BYTES: u64 = size_of::<Page>() as u64;
/// Memory of a table in bytes, including its entry in the hash table, half of which may be empty.
const TABLE_BYTES: u64 = size_of::<Table>() as u64 + 56;
/// Entry of a table for a page that is not allocated.
const NONE: u32 = u32::MAX;
/// Largest number of bitmap words that a list may hold; for more words, a table and its pages are
/// allocated.
const WORDS_FEW: usize = 8;
/// Bit of an entry of `places` that is set if the entry is the index of a list, not of a table.
const LISTED: u32 = 1 << 31;

/// Bitmap of the touched blocks of all devices: a hash table of tables, each of which refers to
/// pages of bits.
///
/// The hash table and most tables stay in the processor's cache, so a request to a random place
/// waits for memory only once. While few words of a table have bits, only a list of these words is
/// kept, so that many devices with few requests need little memory. The limit on memory
/// nevertheless counts such a list as a full table, so that the number of blocks that fit does not
/// depend on lists.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// Index of the table or list of each device and part of the device; for a list, the bit
    /// `LISTED` is set.
    places: ByNumbers<(u32, u64), u32>,
    lists: Vec<List>,
    tables: Vec<Table>,
    pages: Vec<Page>,
    bytes: u64,
    bytes_most: u64,
    /// True if the memory limit was reached; further blocks are not counted.
    pub is_full: bool,
}

/// Indices of the pages of a table; a page is allocated when its first block is touched.
type Table = [u32; TABLE_PAGES as usize];
/// Bits of the blocks of a page: each word holds two bits (touched and written) for each of 64
/// blocks.
type Page = [Word; (PAGE_BLOCKS / 64) as usize];

/// Words in which bits are set, each with its position in the table.
type List = Vec<(u16, Word)>;

#[derive(Debug, Clone, Copy, Default)]
struct Word {
    touched: u64,
    written: u64,
}

/// Numbers of distinct blocks of a device that are touched and written.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Footprint {
    touched: u64,
    written: u64,
    /// Number of writes of blocks; a block counts at every write.
    writes: u64,
}

/// Statistics of distinct blocks of 4 KiB. A request touches every block in which it has a sector.
///
/// Counting ends when the memory limit is reached; the figures then describe the requests up to
/// that point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FootprintFigures {
    /// Number of bytes in the distinct blocks that are read or written.
    pub touched_bytes: u64,
    /// Number of bytes in the distinct blocks that are written.
    pub distinct_written_bytes: u64,
    /// Share of overwrites among all writes of blocks: an overwrite is a write to a block that the
    /// trace has written before.
    pub overwritten_share: f64,
}

impl Blocks {
    /// Returns an empty bitmap, which may use `bytes_most` bytes of memory.
    pub fn new(bytes_most: u64) -> Self {
        Self { bytes_most, ..Self::default() }
    }

    /// Marks the blocks that a read or write touches on the device with the index `device`, and
    /// adds those not marked before to `footprint`.
    #[inline]
    pub fn add_row(&mut self, footprint: &mut Footprint, device: u32, row: &TraceRow) {
        if row.op.moves_data() {
            let end = row.lbn.saturating_add(i64::from(row.blocks));
            self.add(footprint, device, row.lbn as u64, end as u64, row.op == Op::Write);
        }
    }

    /// Marks the blocks of the sectors from `lbn` to `end` (excluded), and adds those not marked
    /// before to `footprint`.
    #[inline]
    pub fn add(&mut self, footprint: &mut Footprint, device: u32, lbn: u64, end: u64, write: bool) {
        let last = end.saturating_sub(1).max(lbn) / BLOCK_SECTORS;
        let mut block = lbn / BLOCK_SECTORS;
        while block <= last && !self.is_full {
            let number = block / PAGE_BLOCKS;
            let first_of_page = number * PAGE_BLOCKS;
            let until = (last - first_of_page).min(PAGE_BLOCKS - 1);
            let blocks = (block - first_of_page, until);
            if self.mark(footprint, (device, number), blocks, write).is_none() {
                self.is_full = true;
                return;
            }
            block = first_of_page + PAGE_BLOCKS;
        }
    }

    /// Marks blocks of a device within a page; returns `None` once the memory is used up.
    #[inline]
    fn mark(
        &mut self,
        sums: &mut Footprint,
        page: (u32, u64),
        blocks: (u64, u64),
        write: bool,
    ) -> Option<()> {
        let key = (page.0, page.1 / TABLE_PAGES);
        let mut table = match self.places.get(&key) {
            Some(place) => *place,
            None => self.make_list(key)?,
        };
        let at = page.1 % TABLE_PAGES;
        if table & LISTED != 0 {
            let list = (table & !LISTED) as usize;
            let words = blocks.1 / 64 - blocks.0 / 64 + 1;
            if self.lists[list].len() as u64 + words <= WORDS_FEW as u64 {
                return self.mark_listed(sums, list, at, blocks, write);
            }
            table = self.make_table(key, list)?;
        }
        let entry = (table as usize, at as usize);
        let place = match self.tables[entry.0][entry.1] {
            NONE => {
                self.take(PAGE_BYTES)?;
                self.make_page(entry)?
            }
            place => place,
        };
        let page = &mut self.pages[place as usize];
        sums.mark(blocks, write, |at, bits, write| page[at as usize].mark(bits, write));
        Some(())
    }

    /// Marks blocks within a page in a list that has room for their words.
    fn mark_listed(
        &mut self,
        sums: &mut Footprint,
        list: usize,
        page: u64,
        blocks: (u64, u64),
        write: bool,
    ) -> Option<()> {
        let first = page * (PAGE_BLOCKS / 64);
        let is_of_page = |at: u16| u64::from(at) / (PAGE_BLOCKS / 64) == page;
        if !self.lists[list].iter().any(|(at, _)| is_of_page(*at)) {
            self.take(PAGE_BYTES)?;
        }
        let words = &mut self.lists[list];
        sums.mark(blocks, write, |at, bits, write| {
            let at = (first + at) as u16;
            let found = words.iter().position(|(place, _)| *place == at).unwrap_or_else(|| {
                words.reserve_exact(1);
                words.push((at, Word::default()));
                words.len() - 1
            });
            words[found].1.mark(bits, write)
        });
        Some(())
    }

    #[cold]
    fn make_list(&mut self, key: (u32, u64)) -> Option<u32> {
        self.take(TABLE_BYTES)?;
        let place = u32::try_from(self.lists.len()).ok().filter(|place| place & LISTED == 0)? | LISTED;
        self.lists.push(List::new());
        self.places.insert(key, place);
        Some(place)
    }

    /// Turns a list into a table, whose memory is already reserved. `key` consists of the device's
    /// index and the number of the table on the device.
    #[cold]
    fn make_table(&mut self, key: (u32, u64), list: usize) -> Option<u32> {
        let table = u32::try_from(self.tables.len()).ok().filter(|place| place & LISTED == 0)?;
        self.tables.push([NONE; TABLE_PAGES as usize]);
        self.places.insert(key, table);
        for (at, word) in std::mem::take(&mut self.lists[list]) {
            let (page, at) = (u64::from(at) / (PAGE_BLOCKS / 64), u64::from(at) % (PAGE_BLOCKS / 64));
            let entry = (table as usize, page as usize);
            let place = match self.tables[entry.0][entry.1] {
                NONE => self.make_page(entry)?,
                place => place,
            };
            self.pages[place as usize][at as usize] = word;
        }
        Some(table)
    }

    #[cold]
    fn make_page(&mut self, entry: (usize, usize)) -> Option<u32> {
        let place = u32::try_from(self.pages.len()).ok().filter(|place| *place != NONE)?;
        self.pages.push([Word::default(); (PAGE_BLOCKS / 64) as usize]);
        self.tables[entry.0][entry.1] = place;
        Some(place)
    }

    fn take(&mut self, bytes: u64) -> Option<()> {
        self.bytes += bytes;
        (self.bytes <= self.bytes_most).then_some(())
    }
}

impl Word {
    /// Sets the bits of blocks in a word. Returns the number of blocks not touched before, and of blocks
    /// not written before.
    #[inline]
    fn mark(&mut self, bits: u64, write: bool) -> (u64, u64) {
        let touched = u64::from((bits & !self.touched).count_ones());
        self.touched |= bits;
        if !write {
            return (touched, 0);
        }
        let written = u64::from((bits & !self.written).count_ones());
        self.written |= bits;
        (touched, written)
    }
}

impl Footprint {
    /// Counts the new blocks among `blocks` of a page; `mark` sets the bits of one word of the page.
    #[inline]
    fn mark(
        &mut self,
        (first, last): (u64, u64),
        write: bool,
        mut mark: impl FnMut(u64, u64, bool) -> (u64, u64),
    ) {
        for at in first / 64..=last / 64 {
            let from = if at == first / 64 { first % 64 } else { 0 };
            let to = if at == last / 64 { last % 64 } else { 63 };
            let bits = (u64::MAX >> (63 - to)) & (u64::MAX << from);
            let (touched, written) = mark(at, bits, write);
            self.touched += touched;
            self.written += written;
        }
        self.writes += if write { last - first + 1 } else { 0 };
    }

    /// Adds the counts `other` of another device to these.
    pub fn merge(&mut self, other: &Self) {
        self.touched += other.touched;
        self.written += other.written;
        self.writes += other.writes;
    }

    pub fn figures(&self) -> FootprintFigures {
        let bytes = |blocks: u64| blocks * BLOCK_SECTORS * SECTOR_BYTES;
        FootprintFigures {
            touched_bytes: bytes(self.touched),
            distinct_written_bytes: bytes(self.written),
            overwritten_share: share(self.writes - self.written, self.writes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn blocks_are_those_of_sets(
            requests in prop::collection::vec(
                (0..3_u32, 0..200_000_u64, prop_oneof![1..70_000_u64, 1..600_u64, 1..9_u64], any::<bool>()), 1..40
            )
        ) {
            let mut blocks = Blocks::new(1 << 20);
            let mut footprint = Footprint::default();
            let (mut touched, mut written, mut writes) = (BTreeSet::new(), BTreeSet::new(), 0);
            for (device, lbn, sectors, write) in requests {
                blocks.add(&mut footprint, device, lbn, lbn + sectors, write);
                for block in lbn / 8..=(lbn + sectors - 1) / 8 {
                    touched.insert((device, block));
                    if write {
                        written.insert((device, block));
                        writes += 1;
                    }
                }
            }
            prop_assert!(!blocks.is_full);
            let (touched, written) = (touched.len() as u64, written.len() as u64);
            prop_assert_eq!((footprint.touched, footprint.written, footprint.writes), (touched, written, writes));
        }
    }

    #[test]
    fn it_stops_at_its_memory() {
        let mut blocks = Blocks::new(TABLE_BYTES + 2 * PAGE_BYTES);
        let mut footprint = Footprint::default();
        let page = PAGE_BLOCKS * BLOCK_SECTORS;
        for number in [0, 1, 0, 2, 1] {
            blocks.add(&mut footprint, 0, number * page, number * page + 8, false);
        }
        assert!(blocks.is_full);
        assert_eq!(footprint.figures().touched_bytes, 2 * 4096);
    }
}
