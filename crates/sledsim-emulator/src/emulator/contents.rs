//! The contents of the device, and what remains of them after a power failure.

use std::cell::RefCell;
use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::torn_sectors::TornSectors;
use crate::history::{About, Writer};
use crate::nbd::{Buffers, Errno, Kind, Request, PART_BYTES};
use crate::store::{Coin, Store, Unflushed, Unreadable, SECTOR_BYTES};

/// Capacity of the volatile cache in bytes. When it is exceeded, the oldest writes go to the medium without
/// a flush.
const CACHE_BYTES: u64 = 16 << 20;
/// Largest number of zero bytes that are written in one step.
const ZEROED_BYTES: u64 = 1 << 20;

/// Durability of writes: the kind of cache, which determines the answered writes that a power failure can lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Answered writes survive: the device has no volatile cache.
    WriteThrough,
    /// Answered writes survive once they have been flushed.
    Volatile,
    /// Answered writes can be lost even after a flush: the device answers flushes and ignores them.
    Lying,
}

impl Durability {
    /// All kinds of durability: name on the command line, value, and meaning.
    pub const ALL: [(&'static str, Self, &'static str); 3] = [
        ("none", Self::WriteThrough, "no volatile cache: answered writes survive a power failure"),
        ("volatile", Self::Volatile, "volatile cache: a power failure can lose writes that were not flushed"),
        (
            "lying",
            Self::Lying,
            "the device answers flushes but ignores them: a power failure can lose any write in its cache",
        ),
    ];
}

/// The contents of the device, and the sectors that cannot be read.
pub struct Contents {
    store: Unflushed<Box<dyn Store + Send>>,
    torn: TornSectors,
    durability: Durability,
    buffers: Buffers,
}

impl Contents {
    /// Create the contents of a device from a store, the unreadable sectors of this store, and the durability
    /// of writes.
    #[must_use]
    pub fn new(store: Box<dyn Store + Send>, unreadable: Unreadable, durability: Durability) -> Self {
        let (store, torn) = (Unflushed::new(store), TornSectors::new(unreadable));
        Self { store, torn, durability, buffers: Buffers::default() }
    }

    /// Keep the list of unreadable sectors in the file `list`, which is updated on each change.
    #[must_use]
    pub fn with_list(self, list: PathBuf) -> Self {
        Self { torn: self.torn.with_list(list), ..self }
    }

    /// Buffers that hold the data of requests and replies.
    pub(super) fn buffers(&self) -> &Buffers {
        &self.buffers
    }

    /// Begin a history in the file `path`, with the current contents of the device as its first records.
    /// `device` is the name of the device.
    pub(super) fn begin_history(&self, path: &Path, device: &str) -> io::Result<Writer> {
        let store = self.store.store();
        let row = Durability::ALL.iter().find(|(_, durability, _)| *durability == self.durability);
        let about = About {
            bytes: store.bytes(),
            cache: row.map_or("", |(name, _, _)| name).into(),
            cache_bytes: CACHE_BYTES,
            device: device.into(),
        };
        Writer::create(path, &about, store)
    }

    /// Return true if all sectors in a range of bytes can be read.
    pub(super) fn is_readable(&self, range: &Range<u64>) -> bool {
        self.torn.first_of(sectors(range)).is_none()
    }

    /// Return the bytes in a range.
    pub(super) fn read(&self, range: Range<u64>) -> Result<Vec<u8>, Errno> {
        let bytes = (range.end - range.start) as usize;
        let mut data = self.buffers.take(bytes);
        data.resize(bytes, 0);
        self.store.store().read(range.start, &mut data).map_err(errno)?;
        Ok(data)
    }

    /// Return true if the contents after a power failure depend on the order of writes to different sectors.
    pub(super) fn has_order(&self) -> bool {
        self.durability != Durability::WriteThrough
    }

    /// Return the byte range of the next part of a write, after `done` bytes have been written. Parts end at
    /// multiples of the largest part size, so no two parts share a chunk of the undo log.
    pub(super) fn part(request: &Request, done: u64) -> Range<u64> {
        let most = if request.kind == Kind::WriteZeroes { ZEROED_BYTES } else { PART_BYTES as u64 };
        let start = request.offset + done;
        start..(start - start % most + most).min(request.offset + u64::from(request.bytes))
    }

    /// Write the bytes in the range `part` of a write. The parts must be written in the order in which
    /// [`part`](Self::part) returns them.
    pub(super) fn write(&mut self, request: &Request, part: &Range<u64>) -> Result<(), Errno> {
        if part.start > request.offset {
            self.store.go_on();
        }
        let stays = match self.durability {
            Durability::WriteThrough => true,
            Durability::Volatile => request.fua,
            Durability::Lying => false,
        };
        let bytes = part.end - part.start;
        let data = |part: &Range<u64>| {
            &request.data[(part.start - request.offset) as usize..(part.end - request.offset) as usize]
        };
        match (request.kind, stays) {
            (Kind::WriteZeroes, true) => self.store.zero_through(part.start, bytes),
            (Kind::WriteZeroes, false) => self.store.zero(part.start, bytes),
            (_, true) => self.store.write_through(part.start, data(part)),
            (_, false) => self.store.write(part.start, data(part)),
        }
        .map_err(errno)?;
        self.store.settle(CACHE_BYTES);
        self.torn.mend(sectors(part)).map_err(errno)
    }

    /// Cut the power: keep about half of the unflushed sectors, which `seed` selects at random. Return the
    /// number of unflushed sectors, and the number of these sectors that lost their newest contents.
    pub(super) fn lose_unflushed(&mut self, seed: u64) -> io::Result<(u64, u64)> {
        let coin = Coin { tears: true, ..Coin::new(seed) };
        let (all, lost) = (RefCell::new(HashSet::new()), RefCell::new(HashSet::new()));
        self.store.cut_by(|number, sector| {
            let keeps = coin.keeps(number, sector);
            // The log yields the newest write of a sector first.
            if all.borrow_mut().insert(sector) && !keeps {
                lost.borrow_mut().insert(sector);
            }
            keeps
        })?;
        Ok((all.into_inner().len() as u64, lost.into_inner().len() as u64))
    }

    /// Write the data of `request` directly to the medium, past the cache, but only to sectors that lie in the
    /// range `sectors`. Return the number of sectors written.
    pub(super) fn put(&mut self, request: &Request, sectors: Range<u64>) -> io::Result<u64> {
        let asked = request.offset..request.offset + u64::from(request.bytes);
        let from = asked.start.max(sectors.start * SECTOR_BYTES);
        let to = asked.end.min(sectors.end * SECTOR_BYTES);
        if from >= to {
            return Ok(0);
        }
        if request.kind == Kind::WriteZeroes {
            self.store.zero_through(from, to - from)?;
        } else {
            let data = &request.data[(from - asked.start) as usize..(to - asked.start) as usize];
            self.store.write_through(from, data)?;
        }
        self.torn.mend(from / SECTOR_BYTES..to / SECTOR_BYTES)?;
        Ok((to - from) / SECTOR_BYTES)
    }

    /// Make the sectors in the range `sectors` unreadable. Return the number of these sectors that the device
    /// has.
    pub(super) fn tear(&mut self, sectors: Range<u64>) -> u64 {
        let end = sectors.end.min(self.store.store().bytes() / SECTOR_BYTES);
        self.torn.tear(sectors.start..end);
        end.saturating_sub(sectors.start)
    }

    /// Write the list of unreadable sectors to its file if the list has changed.
    pub(super) fn save_list(&mut self) -> io::Result<()> {
        self.torn.save()
    }

    /// Do one step of preparing memory for a write of `bytes` bytes. Return true if another step would speed up
    /// the write.
    pub(super) fn make_ready(&mut self, bytes: u64) -> bool {
        self.store.make_ready(bytes)
    }

    /// Return true if the device heeds flushes and FUA; a device with [`Durability::Lying`] ignores them.
    pub(super) fn heeds_flushes(&self) -> bool {
        self.durability != Durability::Lying
    }

    /// Number of the next write, for [`flush`](Self::flush).
    pub(super) fn next(&self) -> u64 {
        self.store.next()
    }

    /// Make all writes with numbers below `below` durable. A device with [`Durability::Lying`] ignores the flush.
    pub(super) fn flush(&mut self, below: u64) {
        if self.heeds_flushes() {
            self.store.flush(below);
        }
    }

    /// Wait until the operating system has stored the contents durably on the host's disk.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn sync(&mut self) -> io::Result<()> {
        self.store.sync()?;
        self.save_list()
    }
}

/// The sectors that a range of bytes touches.
fn sectors(range: &Range<u64>) -> Range<u64> {
    range.start / SECTOR_BYTES..range.end / SECTOR_BYTES
}

fn errno(error: io::Error) -> Errno {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Errno::NoSpace,
        io::ErrorKind::OutOfMemory => Errno::NoMemory,
        _ => Errno::Io,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Memory;

    const BYTES: u64 = 1 << 20;

    /// Return a write request that fills a range with copies of the byte `value`.
    fn write(offset: u64, bytes: u32, value: u8) -> Request {
        let data = vec![value; bytes as usize];
        Request { number: 0, cookie: 0, kind: Kind::Write, offset, bytes, fua: false, data }
    }

    /// Writes 1 to a range of several parts, flushes, writes 2 to the same range, and cuts the power so that
    /// all unflushed data are lost. Returns the remaining contents.
    fn left_by(durability: Durability) -> Vec<u8> {
        let store = Box::new(Memory::new(BYTES));
        let mut contents = Contents::new(store, Unreadable::default(), durability);
        for value in [1, 2] {
            let (offset, bytes) = (512, BYTES as u32 - 1024);
            let request = write(offset, bytes, value);
            let mut done = 0;
            while done < u64::from(bytes) {
                let part = Contents::part(&request, done);
                contents.write(&request, &part).unwrap();
                done = part.end - offset;
            }
            assert_eq!(contents.store.next(), u64::from(value), "all parts of a write have the same number");
            if value == 1 {
                contents.flush(contents.next());
            }
        }
        contents.store.cut_by(|_, _| false).unwrap();
        contents.read(512..BYTES - 512).unwrap()
    }

    #[test]
    fn what_was_flushed_stays() {
        for (durability, value) in
            [(Durability::WriteThrough, 2), (Durability::Volatile, 1), (Durability::Lying, 0)]
        {
            assert!(left_by(durability).iter().all(|byte| *byte == value), "{durability:?}");
        }
    }

    #[test]
    fn a_volatile_cache_holds_the_newest_16_mib() {
        const PART: u64 = PART_BYTES as u64;
        let parts = CACHE_BYTES / PART + 8;
        for before in [0, 2] {
            let mut store = Box::new(Memory::new(parts * PART));
            store.write(0, &vec![before; (parts * PART) as usize]).unwrap();
            let mut contents = Contents::new(store, Unreadable::default(), Durability::Volatile);
            for part in 0..parts {
                let request = write(part * PART, PART as u32, 1);
                contents.write(&request, &(part * PART..(part + 1) * PART)).unwrap();
            }
            contents.store.cut_by(|_, _| false).unwrap();
            let left = |part: u64| contents.read(part * PART..(part + 1) * PART).unwrap()[0];
            assert!(
                (0..8).all(|part| left(part) == 1),
                "range filled with {before} before: the oldest writes are on the medium"
            );
            assert!(
                (8..parts).all(|part| left(part) == before),
                "range filled with {before} before: the writes in the cache are lost"
            );
        }
    }
}
