//! Image files of the medium after a power failure.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::fs::ioctl_ficlone;

use super::{Choice, CrashError, Medium, Picked};
use crate::history::{History, Write};
use crate::store::{is_zero, list_beside, ImageFile, OpenError, Store, Unreadable, SECTOR_BYTES};

/// Bytes that an image file contains at each sector that was unreadable on the medium.
pub const TORN: &[u8; SECTOR_BYTES as usize] = &{
    let text = b"torn: sledsim cannot read this sector\n";
    let mut sector = [b'#'; SECTOR_BYTES as usize];
    let mut at = 0;
    while at < text.len() {
        sector[at] = text[at];
        at += 1;
    }
    sector
};
/// Number of bytes that are copied to or from an image file in one step.
const PART_BYTES: u64 = 1 << 20;

/// Contents of a range of the image before a write changed the range: zeros everywhere, except for the data at
/// the offsets in `data`.
struct Before {
    offset: u64,
    bytes: u64,
    data: Vec<(u64, Vec<u8>)>,
}

/// An image file. [`show`](Self::show) changes its contents to those of the medium at any cut.
pub struct Image {
    path: PathBuf,
    store: ImageFile,
    medium: Medium,
    /// Contents that the open writes of the image have replaced, in the order of the writes.
    undo: Vec<Before>,
    unreadable: Unreadable,
}

impl Image {
    /// Create the file `path` with the contents at the start of the history.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn new(history: &History, path: &Path) -> Result<Self, CrashError> {
        let mut store = ImageFile::open(path, history.about.bytes).map_err(opening)?;
        let medium = Medium::new(history)?;
        begin(history, &mut store)?;
        Ok(Self { path: path.into(), store, medium, undo: Vec::new(), unreadable: Unreadable::default() })
    }

    /// Change the image to the contents of the medium at the cut `cut`, with those open writes that `choice`
    /// keeps. Going back to an earlier cut takes long, because the image is built again from the start of the
    /// history.
    ///
    /// # Errors
    /// I/O errors of the operating system. The history has no such cut, or `choice` does not fit the writes
    /// that are open at the cut.
    pub fn show(&mut self, history: &History, cut: usize, choice: &Choice) -> Result<(), CrashError> {
        self.take_back()?;
        if cut < self.medium.cut() {
            self.store.zero(0, history.about.bytes)?;
            self.medium = Medium::new(history)?;
            begin(history, &mut self.store)?;
        }
        let Self { store, medium, .. } = self;
        medium.advance(history, cut, &mut |number, sectors| {
            let write = &history.writes[number];
            sectors.iter().try_for_each(|range| put(history, store, write, range.start..range.end))
        })?;
        let Picked { kept, torn } = choice.pick(history, &self.medium)?;
        for (number, sectors) in kept {
            let write = &history.writes[number];
            for range in sectors {
                self.remember(write, &range)?;
                put(history, &mut self.store, write, range)?;
            }
        }
        for (number, sectors) in torn {
            let write = &history.writes[number];
            for range in sectors {
                self.remember(write, &range)?;
                let first = write.offset / SECTOR_BYTES;
                let range = first + range.start..first + range.end;
                for sector in range.clone() {
                    self.store.write(sector * SECTOR_BYTES, TORN)?;
                }
                self.unreadable.insert(range);
            }
        }
        Ok(())
    }

    /// Save the present contents of the sectors of a write before the write replaces them.
    fn remember(&mut self, write: &Write, sectors: &std::ops::Range<u64>) -> io::Result<()> {
        let start = write.offset + sectors.start * SECTOR_BYTES;
        let end = write.offset + sectors.end * SECTOR_BYTES;
        let (mut at, mut data) = (start, Vec::new());
        while let Some(found) = self.store.next_data(at..end)? {
            let mut bytes = vec![0; (found.end - found.start) as usize];
            self.store.read(found.start, &mut bytes)?;
            at = found.end;
            if !is_zero(&bytes) {
                data.push((found.start, bytes));
            }
        }
        self.undo.push(Before { offset: start, bytes: end - start, data });
        Ok(())
    }

    /// Restore the contents that the open writes of the image have replaced.
    fn take_back(&mut self) -> io::Result<()> {
        while let Some(Before { offset, bytes, data }) = self.undo.pop() {
            let is_whole = matches!(&data[..], [(_, only)] if only.len() as u64 == bytes);
            if !is_whole {
                self.store.zero(offset, bytes)?;
            }
            data.iter().try_for_each(|(offset, data)| self.store.write(*offset, data))?;
        }
        self.unreadable = Unreadable::default();
        Ok(())
    }

    /// Copy the image into a new sparse file at `path`. The two files share disk blocks if the file system
    /// supports this. If the image has unreadable sectors, a file beside the copy lists them.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn copy_to(&self, path: &Path) -> Result<(), CrashError> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        let copy = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        let clones = || ioctl_ficlone(&copy, &fs::File::open(&self.path)?).map_err(io::Error::from);
        if clones().is_err() {
            copy.set_len(self.store.bytes())?;
            let (mut at, mut part) = (0, Vec::new());
            while let Some(found) = self.store.next_data(at..self.store.bytes())? {
                let count = PART_BYTES.min(found.end - found.start);
                part.resize(count as usize, 0);
                self.store.read(found.start, &mut part)?;
                copy.write_all_at(&part, found.start)?;
                at = found.start + count;
            }
        }
        let saved = self.unreadable.save(&list_beside(path));
        saved.map_err(|error| io::Error::other(error.to_string()).into())
    }
}

/// Write the contents at the start of the history into an image file that has only zeros.
fn begin(history: &History, store: &mut ImageFile) -> io::Result<()> {
    for extent in history.state() {
        let (offset, data) = extent?;
        store.write(offset, &data)?;
    }
    Ok(())
}

/// Write the data of a write to the image, in the sectors `sectors` of the write.
fn put(
    history: &History,
    store: &mut ImageFile,
    write: &Write,
    sectors: std::ops::Range<u64>,
) -> io::Result<()> {
    let (from, to) = (sectors.start * SECTOR_BYTES, sectors.end * SECTOR_BYTES);
    if write.is_zeros() {
        return store.zero(write.offset + from, to - from);
    }
    let mut part = Vec::new();
    for start in (from..to).step_by(PART_BYTES as usize) {
        part.resize(PART_BYTES.min(to - start) as usize, 0);
        history.read(write, start, &mut part)?;
        store.write(write.offset + start, &part)?;
    }
    Ok(())
}

fn opening(error: OpenError) -> io::Error {
    match error {
        OpenError::Io { source, .. } => source,
        other => io::Error::other(other.to_string()),
    }
}
