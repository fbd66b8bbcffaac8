//! Keep the contents of a device in a sparse file.

use std::fs::{File, OpenOptions};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::fs::{flock, FlockOperation};

use super::error::OpenError;
use super::range::within;
use super::Store;

/// Zeros to write where the file system does not support holes.
static ZEROS: [u8; 64 << 10] = [0; 64 << 10];

/// An image of the device: a file that is as large as the device, with holes if the file system supports them.
/// An open image is locked, so that no other server can write it. Several servers can open the same image
/// read-only.
#[derive(Debug)]
pub struct ImageFile {
    file: File,
    bytes: u64,
}

impl ImageFile {
    /// Open the image at `path`, which has `bytes` bytes. If the file is missing or empty, create an image of zeros.
    ///
    /// # Errors
    /// I/O errors of the operating system. The file has another size, or is not a regular file, or another
    /// server has it open.
    pub fn open(path: &Path, bytes: u64) -> Result<Self, OpenError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        Self::opened(path, bytes, &options, FlockOperation::NonBlockingLockExclusive, true)
    }

    /// Open the existing image at `path`, which has `bytes` bytes, read-only.
    ///
    /// # Errors
    /// The errors of [`Self::open`]. The file does not exist.
    pub fn open_read_only(path: &Path, bytes: u64) -> Result<Self, OpenError> {
        let mut options = OpenOptions::new();
        options.read(true);
        Self::opened(path, bytes, &options, FlockOperation::NonBlockingLockShared, false)
    }

    fn opened(
        path: &Path,
        bytes: u64,
        options: &OpenOptions,
        lock: FlockOperation,
        may_grow: bool,
    ) -> Result<Self, OpenError> {
        let path_buf = || PathBuf::from(path);
        let system = |source| OpenError::Io { path: path_buf(), source };
        // Opening a pipe would wait for its other end.
        match std::fs::metadata(path) {
            Ok(about) if !about.is_file() => return Err(OpenError::NoFile { path: path_buf() }),
            _ => {}
        }
        let file = options.open(path).map_err(system)?;
        flock(&file, lock).map_err(|errno| match errno {
            rustix::io::Errno::WOULDBLOCK => OpenError::Locked { path: path_buf() },
            _ => system(errno.into()),
        })?;
        let found = file.metadata().map_err(system)?.len();
        if found == 0 && may_grow {
            file.set_len(bytes).map_err(system)?;
        } else if found != bytes {
            return Err(OpenError::Size { path: path_buf(), expected: bytes, found });
        }
        Ok(Self { file, bytes })
    }
}

impl Store for ImageFile {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        within(offset, into.len() as u64, self.bytes)?;
        self.file.read_exact_at(into, offset)
    }

    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        within(offset, data.len() as u64, self.bytes)?;
        self.file.write_all_at(data, offset)
    }

    fn zero(&mut self, offset: u64, bytes: u64) -> io::Result<()> {
        let range = within(offset, bytes, self.bytes)?;
        if range.is_empty() || punch(&self.file, &range)? {
            return Ok(());
        }
        let mut at = range.start;
        while at < range.end {
            let now = (range.end - at).min(ZEROS.len() as u64);
            self.file.write_all_at(&ZEROS[..now as usize], at)?;
            at += now;
        }
        Ok(())
    }

    fn next_data(&self, range: Range<u64>) -> io::Result<Option<Range<u64>>> {
        let range = within(range.start, range.end.saturating_sub(range.start), self.bytes)?;
        Ok(data(&self.file, &range)?.filter(|data| !data.is_empty()))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Punch a hole into `file`. Return true if it was punched, false if the file system does not support holes.
#[cfg(target_os = "linux")]
fn punch(file: &File, range: &Range<u64>) -> io::Result<bool> {
    use rustix::fs::{fallocate, FallocateFlags};
    use rustix::io::{retry_on_intr, Errno};

    let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    match retry_on_intr(|| fallocate(file, flags, range.start, range.end - range.start)) {
        Ok(()) => Ok(true),
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

/// Return false: holes are punched on Linux only.
#[cfg(not(target_os = "linux"))]
fn punch(_: &File, _: &Range<u64>) -> io::Result<bool> {
    Ok(false)
}

/// Return the first part of `range` that contains data according to the file system, that is, that is not a
/// hole. The part may be empty.
#[cfg(target_os = "linux")]
fn data(file: &File, range: &Range<u64>) -> io::Result<Option<Range<u64>>> {
    use rustix::fs::{seek, SeekFrom};
    use rustix::io::Errno;

    if range.is_empty() {
        return Ok(None);
    }
    let start = match seek(file, SeekFrom::Data(range.start)) {
        Ok(start) if start < range.end => start,
        Ok(_) | Err(Errno::NXIO) => return Ok(None),
        // A file system that does not report holes is treated as having none.
        Err(Errno::INVAL) => return Ok(Some(range.clone())),
        Err(errno) => return Err(errno.into()),
    };
    let end = seek(file, SeekFrom::Hole(start))?;
    Ok(Some(start..end.min(range.end)))
}

/// Return `range` unchanged, because holes can be found only on Linux.
#[cfg(not(target_os = "linux"))]
fn data(_: &File, range: &Range<u64>) -> io::Result<Option<Range<u64>>> {
    Ok(Some(range.clone()))
}
