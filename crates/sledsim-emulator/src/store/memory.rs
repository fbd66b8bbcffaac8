//! Keep the contents of a device in memory. Parts of the device that were never written take no memory.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use super::range::{is_zero, parts, within};
use super::Store;

/// Size of a page in bytes, which is the usual unit of writes by file systems.
const PAGE_BYTES: u64 = 4096;

/// Number of spare pages that one call of `make_ready` allocates.
const READY: usize = 16;
/// Maximum number of spare pages.
const MOST_READY: usize = 1024;

type Page = Box<[u8]>;

/// Contents in memory. Only pages of 4 KiB that have data other than zeros take memory, even if the device is large.
#[derive(Clone, Debug)]
pub struct Memory {
    bytes: u64,
    pages: BTreeMap<u64, Page>,
    /// Spare pages for later writes, with arbitrary contents, because allocating a page takes longer than filling it.
    ready: Vec<Page>,
}

impl Memory {
    /// Create a store that has `bytes` zero bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self { bytes, pages: BTreeMap::new(), ready: Vec::new() }
    }

    /// Number of bytes of memory that the contents take.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.pages.len() as u64 * PAGE_BYTES
    }
}

impl Store for Memory {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let range = within(offset, into.len() as u64, self.bytes)?;
        let mut rest = into;
        for (number, part) in parts(range, PAGE_BYTES) {
            let (now, later) = rest.split_at_mut(part.len());
            match self.pages.get(&number) {
                Some(page) => now.copy_from_slice(&page[part]),
                None => now.fill(0),
            }
            rest = later;
        }
        Ok(())
    }

    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        let range = within(offset, data.len() as u64, self.bytes)?;
        let mut rest = data;
        for (number, part) in parts(range, PAGE_BYTES) {
            let (now, later) = rest.split_at(part.len());
            rest = later;
            if part.len() as u64 == PAGE_BYTES && is_zero(now) {
                self.pages.remove(&number);
                continue;
            }
            let page = self.pages.entry(number).or_insert_with(|| {
                let mut page = self.ready.pop().unwrap_or_else(|| vec![0; PAGE_BYTES as usize].into());
                if part.len() as u64 != PAGE_BYTES {
                    page.fill(0);
                }
                page
            });
            page[part].copy_from_slice(now);
        }
        Ok(())
    }

    fn zero(&mut self, offset: u64, bytes: u64) -> io::Result<()> {
        let range = within(offset, bytes, self.bytes)?;
        // A range of terabytes is too long to scan: visit only existing pages.
        let touched = range.start / PAGE_BYTES..range.end.div_ceil(PAGE_BYTES);
        let numbers: Vec<u64> = self.pages.range(touched).map(|(&number, _)| number).collect();
        for number in numbers {
            let start = number * PAGE_BYTES;
            let from = range.start.max(start) - start;
            let to = range.end.min(start + PAGE_BYTES) - start;
            if to - from == PAGE_BYTES {
                self.pages.remove(&number);
            } else if let Some(page) = self.pages.get_mut(&number) {
                page[from as usize..to as usize].fill(0);
            }
        }
        Ok(())
    }

    fn next_data(&self, range: Range<u64>) -> io::Result<Option<Range<u64>>> {
        let range = within(range.start, range.end.saturating_sub(range.start), self.bytes)?;
        if range.is_empty() {
            return Ok(None);
        }
        let touched = range.start / PAGE_BYTES..range.end.div_ceil(PAGE_BYTES);
        let mut numbers = self.pages.range(touched).map(|(&number, _)| number);
        let Some(first) = numbers.next() else { return Ok(None) };
        let mut end = first + 1;
        while numbers.next() == Some(end) {
            end += 1;
        }
        Ok(Some(range.start.max(first * PAGE_BYTES)..range.end.min(end * PAGE_BYTES)))
    }

    fn make_ready(&mut self, bytes: u64) -> bool {
        let wanted = bytes.div_ceil(PAGE_BYTES).min(MOST_READY as u64) as usize;
        let missing = wanted.saturating_sub(self.ready.len());
        // Fill with ones: the operating system would allocate pages of zeros only when they are written.
        self.ready.extend((0..missing.min(READY)).map(|_| Page::from(vec![0xff; PAGE_BYTES as usize])));
        missing > READY
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}
