//! The bytes of the device, as requests find and leave them.

use std::io;

use crate::nbd::{Errno, Kind, Request};
use crate::store::{Store, Unflushed, Unreadable, SECTOR_BYTES};

/// What a volatile cache holds, in bytes: what was written before is on the medium, flushed or not.
const CACHE_BYTES: u64 = 16 << 20;
/// Zeros that are put into it together, in bytes.
const PART_BYTES: u64 = 1 << 20;

/// What a loss of power can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// What was answered stays: the device has no volatile cache.
    WriteThrough,
    /// What was answered stays once it was flushed.
    Volatile,
    /// As with a volatile cache, and the device says that it has flushed what it has not.
    Lying,
}

impl Durability {
    /// By its name on the command line, each with what it means.
    pub const ALL: [(&'static str, Self, &'static str); 3] = [
        ("none", Self::WriteThrough, "no volatile cache: what was answered stays"),
        ("volatile", Self::Volatile, "a loss of power takes what was not flushed"),
        ("lying", Self::Lying, "flushes are answered and ignored"),
    ];
}

/// The contents of the device.
pub struct Contents {
    store: Unflushed<Box<dyn Store + Send>>,
    unreadable: Unreadable,
    durability: Durability,
}

impl Contents {
    /// What a store holds, with sectors of it that cannot be read.
    #[must_use]
    pub fn new(store: Box<dyn Store + Send>, unreadable: Unreadable, durability: Durability) -> Self {
        Self { store: Unflushed::new(store), unreadable, durability }
    }

    /// Does what a request asks for; the data of a read.
    pub(super) fn perform(&mut self, request: &Request) -> Result<Vec<u8>, Errno> {
        let done = match request.kind {
            Kind::Read => return self.read(request.offset, request.bytes),
            Kind::Write | Kind::WriteZeroes => self.write(request),
            Kind::Flush => self.flush(),
            // What is not needed any more may stay.
            Kind::Trim => Ok(()),
        };
        done.map(|()| Vec::new()).map_err(errno)
    }

    fn read(&self, offset: u64, bytes: u32) -> Result<Vec<u8>, Errno> {
        let sectors = offset / SECTOR_BYTES..(offset + u64::from(bytes)) / SECTOR_BYTES;
        if self.unreadable.first_of(sectors).is_some() {
            return Err(Errno::Io);
        }
        let mut data = vec![0; bytes as usize];
        self.store.store().read(offset, &mut data).map_err(errno)?;
        Ok(data)
    }

    fn write(&mut self, request: &Request) -> io::Result<()> {
        let Request { offset, kind, ref data, .. } = *request;
        let bytes = u64::from(request.bytes);
        let stays = match self.durability {
            Durability::WriteThrough => true,
            Durability::Volatile => request.fua,
            Durability::Lying => false,
        };
        match (kind, stays) {
            (Kind::WriteZeroes, true) => {
                self.store.zero_through(offset, bytes)?;
            }
            (Kind::WriteZeroes, false) => self.zero_in_parts(offset, bytes)?,
            (_, true) => {
                self.store.write_through(offset, data)?;
            }
            (_, false) => {
                self.store.write(offset, data)?;
            }
        };
        self.store.settle(CACHE_BYTES);
        self.unreadable.remove(offset / SECTOR_BYTES..(offset + bytes) / SECTOR_BYTES);
        Ok(())
    }

    /// The cache never holds more than one part above its size.
    fn zero_in_parts(&mut self, offset: u64, bytes: u64) -> io::Result<()> {
        for start in (offset..offset + bytes).step_by(PART_BYTES as usize) {
            self.store.zero(start, PART_BYTES.min(offset + bytes - start))?;
            self.store.settle(CACHE_BYTES);
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.durability != Durability::Lying {
            self.store.flush(self.store.next());
        }
        Ok(())
    }

    /// Makes the file itself durable on this machine.
    ///
    /// # Errors
    /// Those of the system.
    pub fn sync(&mut self) -> io::Result<()> {
        self.store.sync()
    }
}

fn errno(error: io::Error) -> Errno {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Errno::NoSpace,
        io::ErrorKind::OutOfMemory => Errno::NoMemory,
        _ => Errno::Io,
    }
}
