//! A volatile cache: what was written and not flushed may be gone when power comes back.

mod coin;
mod log;

use std::io;
use std::ops::Range;

pub use coin::{Coin, Fate};
use log::Log;

use super::range::within;
use super::{Store, SECTOR_BYTES};

/// A store whose writes are lost or kept when power is cut, unless they were flushed.
///
/// Writes go into the store at once, so that reads find them there; what they replaced is remembered until it cannot
/// come back any more. They are numbered from 0 on in the order in which they are made. After a [cut](Self::cut) the
/// store is as if exactly the writes that were kept had been made since the flush, in the order of their numbers: a
/// sector has what the last one of them put there, or else what was there before.
///
/// A write *through* the cache (FUA) is durable when it returns, it alone: earlier writes of other sectors may still be
/// lost. Of its own sectors it is the last that was written, so that whether earlier ones were kept makes no
/// difference there.
///
/// It takes memory for the bytes that unflushed writes replaced, once for each write; not for zeros, and not for
/// writing zeros where nothing was. Cutting takes none.
#[derive(Clone, Debug)]
pub struct Unflushed<S> {
    store: S,
    /// The number of the next write.
    next: u64,
    log: Log,
}

impl<S: Store> Unflushed<S> {
    /// A cache in front of a store all of whose contents are durable.
    #[must_use]
    pub fn new(store: S) -> Self {
        Self { store, next: 0, log: Log::default() }
    }

    /// The store: what readers find now.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The number of the next write.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Whether a cut would change nothing.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.log.is_empty()
    }

    /// The memory for what was replaced, in bytes.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.log.held()
    }

    /// Writes whole sectors; returns the number of the write.
    ///
    /// # Errors
    /// Those of the store, and a range that is not of some whole sectors. After an error of the system the sectors may
    /// have either contents, and a cut may still take them back.
    pub fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<u64> {
        let range = self.sectors(offset, data.len() as u64)?;
        let number = self.take_number();
        self.log.remember(number, range, &self.store)?;
        self.store.write(offset, data)?;
        Ok(number)
    }

    /// Writes whole sectors through the cache; returns the number of the write.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn write_through(&mut self, offset: u64, data: &[u8]) -> io::Result<u64> {
        let range = self.sectors(offset, data.len() as u64)?;
        self.store.write(offset, data)?;
        self.log.forget(&range);
        Ok(self.take_number())
    }

    /// Fills whole sectors with zeros; returns the number of the write.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn zero(&mut self, offset: u64, bytes: u64) -> io::Result<u64> {
        let range = self.sectors(offset, bytes)?;
        let number = self.take_number();
        self.log.remember_zeroed(number, range, &self.store)?;
        self.store.zero(offset, bytes)?;
        Ok(number)
    }

    /// Fills whole sectors with zeros through the cache; returns the number of the write.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn zero_through(&mut self, offset: u64, bytes: u64) -> io::Result<u64> {
        let range = self.sectors(offset, bytes)?;
        self.store.zero(offset, bytes)?;
        self.log.forget(&range);
        Ok(self.take_number())
    }

    /// The next write goes on with the newest, and gets its number: in parts of which no two are in the same 64 KiB, from a
    /// multiple of that on.
    pub fn go_on(&mut self) {
        self.next = self.next.saturating_sub(1);
    }

    /// So many bytes will soon be written: what the store does in [advance](Store::make_ready).
    pub fn make_ready(&mut self, bytes: u64) -> bool {
        self.store.make_ready(bytes)
    }

    /// Makes all writes with numbers below this one durable: those of [`Self::next`] all that were made.
    pub fn flush(&mut self, below: u64) {
        self.log.flush(below);
    }

    /// Makes the oldest writes durable until a cut can take at most so many bytes of writes, as a cache of a limited size
    /// does by itself: whatever they replaced, but zeros over nothing, of which a cut takes none.
    pub fn settle(&mut self, most_bytes: u64) {
        self.log.settle(most_bytes);
    }

    /// Power is cut: a coin decides which unflushed writes reached the medium. Returns what became of each that could
    /// still be lost; all that is in the store is durable then.
    ///
    /// # Errors
    /// Those of the store; then its contents are neither these nor those.
    pub fn cut(&mut self, coin: &Coin) -> io::Result<Fate> {
        let fate = Fate::of(self.log.sectors(), coin);
        self.cut_by(|number, sector| coin.keeps(number, sector))?;
        Ok(fate)
    }

    /// Power is cut: of each unflushed write the sectors reached the medium for which the function, given number and
    /// sector, says so.
    ///
    /// # Errors
    /// As [`Self::cut`].
    pub fn cut_by(&mut self, keeps: impl Fn(u64, u64) -> bool) -> io::Result<()> {
        self.log.undo(&mut self.store, keeps)
    }

    /// Returns when all that was written is where no loss of power of this machine undoes it; what the device would
    /// lose, it would still.
    ///
    /// # Errors
    /// Those of the store.
    pub fn sync(&mut self) -> io::Result<()> {
        self.store.sync()
    }

    /// The store, with all that was written.
    #[must_use]
    pub fn into_store(self) -> S {
        self.store
    }

    fn take_number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// A range of whole sectors within the store, in bytes.
    fn sectors(&self, offset: u64, bytes: u64) -> io::Result<Range<u64>> {
        if bytes == 0 || !offset.is_multiple_of(SECTOR_BYTES) || !bytes.is_multiple_of(SECTOR_BYTES) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "expected some whole sectors of {SECTOR_BYTES} bytes, found {bytes} bytes from {offset} on"
                ),
            ));
        }
        within(offset, bytes, self.store.bytes())
    }
}
