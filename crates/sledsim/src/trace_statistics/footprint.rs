//! Which 4 KiB blocks are touched and written: a bitmap that grows with what is touched.

use serde::Serialize;

use super::units::{share, SECTOR_BYTES};
use crate::hashing::ByNumbers;

/// Sectors of a block: 4 KiB.
const BLOCK_SECTORS: u64 = 8;
/// Blocks of a page, 16 MiB on the device.
const PAGE_BLOCKS: u64 = 4096;
/// Pages of a table, 4 GiB on the device.
const TABLE_PAGES: u64 = 256;
const PAGE_BYTES: u64 = size_of::<Page>() as u64;
/// Bytes of a table, with its entry in a hash table that may be half empty.
const TABLE_BYTES: u64 = size_of::<Table>() as u64 + 56;
/// No page yet.
const NONE: u32 = u32::MAX;

/// The bits of the blocks of all devices: a hash table of tables of pages of bits.
///
/// The hash table and most tables stay in the cache, so that a request to a random place waits for memory once.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    places: ByNumbers<(u32, u64), u32>,
    tables: Vec<Table>,
    pages: Vec<Page>,
    bytes: u64,
    bytes_most: u64,
    /// Whether the memory was not enough.
    pub is_full: bool,
}

/// The places of pages.
type Table = [u32; TABLE_PAGES as usize];
/// Two bits a block: what is touched and what is written lie side by side, 64 blocks each.
type Page = [Word; (PAGE_BLOCKS / 64) as usize];

#[derive(Debug, Clone, Copy, Default)]
struct Word {
    touched: u64,
    written: u64,
}

/// The blocks of one device.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Footprint {
    touched: u64,
    written: u64,
    /// Blocks written, each as often as it is.
    writes: u64,
}

/// Distinct blocks of 4 KiB; a request touches every block in which it has a sector.
///
/// When their memory is used up the counting ends: what is told then is of the requests until there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FootprintFigures {
    /// Bytes of the distinct blocks that are read or written.
    pub touched_bytes: u64,
    /// Bytes of those that are written: each counts once, however often it is.
    pub distinct_written_bytes: u64,
    /// Share of the blocks of all writes that had been written before in the trace.
    pub overwritten_share: f64,
}

impl Blocks {
    /// A count of distinct blocks in at most `bytes_most` bytes of memory.
    pub fn new(bytes_most: u64) -> Self {
        Self { bytes_most, ..Self::default() }
    }

    /// Marks the blocks of the sectors from `lbn` to before `end`, and counts those that were not marked.
    #[inline]
    pub fn add(&mut self, footprint: &mut Footprint, device: u32, lbn: u64, end: u64, write: bool) {
        let last = end.saturating_sub(1).max(lbn) / BLOCK_SECTORS;
        let mut block = lbn / BLOCK_SECTORS;
        while block <= last && !self.is_full {
            let number = block / PAGE_BLOCKS;
            let first_of_page = number * PAGE_BLOCKS;
            let Some(place) = self.page(device, number) else {
                self.is_full = true;
                return;
            };
            let until = (last - first_of_page).min(PAGE_BLOCKS - 1);
            footprint.mark(&mut self.pages[place as usize], block - first_of_page, until, write);
            block = first_of_page + PAGE_BLOCKS;
        }
    }

    /// The place of a page, which is made if need be; none when the memory is used up.
    #[inline]
    fn page(&mut self, device: u32, number: u64) -> Option<u32> {
        let key = (device, number / TABLE_PAGES);
        let table = match self.places.get(&key) {
            Some(table) => *table,
            None => self.make_table(key)?,
        };
        let entry = (table as usize, (number % TABLE_PAGES) as usize);
        match self.tables[entry.0][entry.1] {
            NONE => self.make_page(entry),
            place => Some(place),
        }
    }

    #[cold]
    fn make_table(&mut self, key: (u32, u64)) -> Option<u32> {
        self.take(TABLE_BYTES)?;
        let table = u32::try_from(self.tables.len()).ok()?;
        self.tables.push([NONE; TABLE_PAGES as usize]);
        self.places.insert(key, table);
        Some(table)
    }

    #[cold]
    fn make_page(&mut self, entry: (usize, usize)) -> Option<u32> {
        self.take(PAGE_BYTES)?;
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

impl Footprint {
    /// Marks the blocks of a page from `first` to `last`, and counts.
    #[inline]
    fn mark(&mut self, page: &mut Page, first: u64, last: u64, write: bool) {
        for at in first / 64..=last / 64 {
            let from = if at == first / 64 { first % 64 } else { 0 };
            let to = if at == last / 64 { last % 64 } else { 63 };
            let bits = (u64::MAX >> (63 - to)) & (u64::MAX << from);
            let word = &mut page[at as usize];
            self.touched += u64::from((bits & !word.touched).count_ones());
            word.touched |= bits;
            if write {
                self.written += u64::from((bits & !word.written).count_ones());
                word.written |= bits;
            }
        }
        self.writes += if write { last - first + 1 } else { 0 };
    }

    /// Counts the blocks of another device.
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
            requests in prop::collection::vec((0..3_u32, 0..200_000_u64, 1..70_000_u64, any::<bool>()), 1..40)
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
