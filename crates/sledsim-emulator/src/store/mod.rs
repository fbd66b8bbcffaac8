//! Keep the contents of the device, and undo unflushed writes at a power failure.
//!
//! A [`Store`] keeps bytes in [memory](Memory) or in a sparse [file](ImageFile). [`Unflushed`] wraps a store and undoes
//! unflushed writes at a power failure. [`Unreadable`] is the set of sectors that the power failure made unreadable; a
//! list of these sectors is saved beside the file.

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

/// Size of a sector in bytes, the unit in which data are kept or lost.
pub const SECTOR_BYTES: u64 = 512;

/// Storage of bytes. Bytes that were never written are zero.
pub trait Store {
    /// Size of the stored contents in bytes.
    fn bytes(&self) -> u64;

    /// Fill `into` with the bytes from `offset` on.
    ///
    /// # Errors
    /// I/O errors of the operating system. The range exceeds the end of the store.
    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()>;

    /// Write `data` from `offset` on.
    ///
    /// # Errors
    /// The errors of [`Self::read`].
    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()>;

    /// Fill `bytes` bytes from `offset` on with zeros, and free the memory or disk space of this range if possible.
    ///
    /// # Errors
    /// The errors of [`Self::read`].
    fn zero(&mut self, offset: u64, bytes: u64) -> io::Result<()>;

    /// Return the first non-empty part of `range` that may contain bytes other than zero; `None` if the whole
    /// range is zeros.
    ///
    /// # Errors
    /// The errors of [`Self::read`].
    fn next_data(&self, range: Range<u64>) -> io::Result<Option<Range<u64>>>;

    /// Do one short step of preparing memory for a write of `_bytes` bytes. Return true if another step would
    /// speed up the write.
    fn make_ready(&mut self, _bytes: u64) -> bool {
        false
    }

    /// Wait until all written data survive a power failure of the machine on which the emulator runs.
    ///
    /// # Errors
    /// I/O errors of the operating system.
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
