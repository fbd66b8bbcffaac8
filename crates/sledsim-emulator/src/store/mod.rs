//! The contents of the device, and what a loss of power leaves of them.
//!
//! A [`Store`] keeps bytes: in [memory](Memory) or in a sparse [file](ImageFile). [`Unflushed`] is around one, and
//! takes back what was not flushed when power is cut. [`Unreadable`] knows which sectors were torn then, and comes
//! back with the file.

mod error;
#[cfg(unix)]
mod file;
mod memory;
mod range;
mod unflushed;
mod unreadable;

use std::io;
use std::ops::Range;

pub use error::{ListError, OpenError};
#[cfg(unix)]
pub use file::ImageFile;
pub use memory::Memory;
pub(crate) use range::is_zero;
pub use unflushed::{Coin, Fate, Unflushed};
pub use unreadable::{list_beside, Unreadable};

/// The unit of durability and of loss, in bytes.
pub const SECTOR_BYTES: u64 = 512;

/// Bytes that stay. What was never written is zero.
pub trait Store {
    /// How many there are.
    fn bytes(&self) -> u64;

    /// Reads from this place on as many as there is room for.
    ///
    /// # Errors
    /// Those of the system, and a range that reaches past the end.
    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()>;

    /// Writes from this place on.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()>;

    /// Fills a range with zeros, and gives back what it took to keep it.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn zero(&mut self, offset: u64, bytes: u64) -> io::Result<()>;

    /// The first part of a range that may have other bytes than zeros, if there is one; it is never empty.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn next_data(&self, range: Range<u64>) -> io::Result<Option<Range<u64>>>;

    /// So many bytes will soon be written: does something for that in advance, which takes a moment; whether there is more
    /// to be done.
    fn make_ready(&mut self, _bytes: u64) -> bool {
        false
    }

    /// Returns when all that was written is where no loss of power of this machine undoes it.
    ///
    /// # Errors
    /// Those of the system.
    fn sync(&mut self) -> io::Result<()>;
}

impl<S: Store + ?Sized> Store for Box<S> {
    fn bytes(&self) -> u64 {
        (**self).bytes()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        (**self).read(offset, into)
    }

    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        (**self).write(offset, data)
    }

    fn zero(&mut self, offset: u64, bytes: u64) -> io::Result<()> {
        (**self).zero(offset, bytes)
    }

    fn next_data(&self, range: Range<u64>) -> io::Result<Option<Range<u64>>> {
        (**self).next_data(range)
    }

    fn make_ready(&mut self, bytes: u64) -> bool {
        (**self).make_ready(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}
