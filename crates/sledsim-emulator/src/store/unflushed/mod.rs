//! A volatile cache, whose unflushed writes may be lost at a power failure.

mod coin;
mod log;

use std::io;
use std::ops::Range;

pub use coin::{Coin, Fate};
use log::Log;

use super::range::within;
use super::{Store, SECTOR_BYTES};

/// A store with a volatile cache: a power failure keeps or undoes each unflushed write.
///
/// Writes change the store immediately, so that reads return the new data. The replaced contents are saved as
/// long as a power failure can restore them. Writes have consecutive numbers from 0. After a power failure
/// ([`cut`](Self::cut)), each sector has the data of the last kept write to this sector, or the contents at the
/// last flush if no write was kept.
///
/// A write *through* the cache (FUA) is durable when the call returns. Earlier writes to other sectors do not
/// become durable by it. Earlier writes to the same sectors can no longer be seen after a power failure.
///
/// The saved contents take memory: the bytes that each unflushed write replaced. Replaced zeros take no memory,
/// and the power failure itself takes no additional memory.
#[derive(Clone, Debug)]
pub struct Unflushed<S> {
    store: S,
    /// Number of the next write.
    next: u64,
    log: Log,
}

impl<S: Store> Unflushed<S> {
    /// Create a cache in front of a store whose contents are durable.
    #[must_use]
    pub fn new(store: S) -> Self {
        Self { store, next: 0, log: Log::default() }
    }

    /// The store, which has the current contents.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Number of the next write.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Return true if a power failure now would leave the contents unchanged.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.log.is_empty()
    }

    /// Memory in bytes that the saved contents of unflushed writes take.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.log.held()
    }

    /// Write whole sectors; return the number of the write.
    ///
    /// # Errors
    /// Errors of the store; the range does not consist of whole sectors. After an I/O error, the sectors may
    /// have their old or new contents, and a power failure may restore the old contents.
    pub fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<u64> {
        let range = self.sectors(offset, data.len() as u64)?;
        let number = self.take_number();
        self.log.remember(number, range, &self.store)?;
        self.store.write(offset, data)?;
        Ok(number)
    }

    /// Write whole sectors through the cache; return the number of the write.
    ///
    /// # Errors
    /// The errors of [`Self::write`].
    pub fn write_through(&mut self, offset: u64, data: &[u8]) -> io::Result<u64> {
        let range = self.sectors(offset, data.len() as u64)?;
        self.store.write(offset, data)?;
        self.log.forget(&range);
        Ok(self.take_number())
    }

    /// Fill whole sectors with zeros; return the number of the write.
    ///
    /// # Errors
    /// The errors of [`Self::write`].
    pub fn zero(&mut self, offset: u64, bytes: u64) -> io::Result<u64> {
        let range = self.sectors(offset, bytes)?;
        let number = self.take_number();
        self.log.remember_zeroed(number, range, &self.store)?;
        self.store.zero(offset, bytes)?;
        Ok(number)
    }

    /// Fill whole sectors with zeros through the cache; return the number of the write.
    ///
    /// # Errors
    /// The errors of [`Self::write`].
    pub fn zero_through(&mut self, offset: u64, bytes: u64) -> io::Result<u64> {
        let range = self.sectors(offset, bytes)?;
        self.store.zero(offset, bytes)?;
        self.log.forget(&range);
        Ok(self.take_number())
    }

    /// Give the next write the number of the newest write, because it is another part of the same write. Two
    /// parts must not lie in the same aligned block of 64 KiB.
    pub fn go_on(&mut self) {
        self.next = self.next.saturating_sub(1);
    }

    /// Do one step of preparing memory for a write of `bytes` bytes; see [`Store::make_ready`].
    pub fn make_ready(&mut self, bytes: u64) -> bool {
        self.store.make_ready(bytes)
    }

    /// Make all writes with numbers lower than `below` durable; pass [`Self::next`] to make all writes durable.
    pub fn flush(&mut self, below: u64) {
        self.log.flush(below);
    }

    /// Make the oldest writes durable, as a cache of limited size does, until a power failure can undo at most
    /// `most_bytes` bytes. Zeros that replaced zeros do not count.
    pub fn settle(&mut self, most_bytes: u64) {
        self.log.settle(most_bytes);
    }

    /// Cut the power: `coin` decides which unflushed writes reached the medium. Return the outcome of each write that
    /// could be lost. All remaining contents are durable afterwards.
    ///
    /// # Errors
    /// Errors of the store. After an error, each unflushed sector has its old or its new contents.
    pub fn cut(&mut self, coin: &Coin) -> io::Result<Fate> {
        let fate = Fate::of(self.log.sectors(), coin);
        self.cut_by(|number, sector| coin.keeps(number, sector))?;
        Ok(fate)
    }

    /// Cut the power. `keeps(number, sector)` returns true if the data that the unflushed write `number` has
    /// for `sector` reached the medium.
    ///
    /// # Errors
    /// The errors of [`Self::cut`].
    pub fn cut_by(&mut self, keeps: impl Fn(u64, u64) -> bool) -> io::Result<()> {
        self.log.undo(&mut self.store, keeps)
    }

    /// Wait until all written data survive a power failure of this machine. A power failure of the simulated device can
    /// still undo unflushed writes.
    ///
    /// # Errors
    /// Errors of the store.
    pub fn sync(&mut self) -> io::Result<()> {
        self.store.sync()
    }

    /// Return the store, which has all written data.
    #[must_use]
    pub fn into_store(self) -> S {
        self.store
    }

    fn take_number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// Return the range of `bytes` bytes from `offset` on, which must consist of whole sectors within the store.
    fn sectors(&self, offset: u64, bytes: u64) -> io::Result<Range<u64>> {
        if bytes == 0 || !offset.is_multiple_of(SECTOR_BYTES) || !bytes.is_multiple_of(SECTOR_BYTES) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "range of bytes: expected whole sectors of {SECTOR_BYTES} bytes, found {bytes} bytes from byte {offset} on"
                ),
            ));
        }
        within(offset, bytes, self.store.bytes())
    }
}
