//! Write a history file in a separate thread.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{channel, Receiver, Sender, TryRecvError};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use rustix::fs::{flock, FlockOperation};

use super::{frame, About, MAGIC};
use crate::store::{is_zero, Store};

/// Maximum size in bytes of the queue of unwritten records. This is the size of the two longest requests, or of
/// the writes of a fast device in a quarter of a second.
pub const MOST_QUEUED_BYTES: u64 = 64 << 20;
/// Approximate memory in bytes of a queued record without its data.
const RECORD_BYTES: u64 = 128;
/// Maximum number of bytes of the contents at the start that one record holds.
const PART_BYTES: u64 = 1 << 20;

/// A record in the queue: its kind, the bytes of its fields before the data, and the data.
struct Record {
    kind: u8,
    head: Vec<u8>,
    data: Vec<u8>,
}

impl Record {
    fn bytes(&self) -> u64 {
        RECORD_BYTES + self.data.len() as u64
    }
}

/// State that the writer shares with the thread that writes the file.
#[derive(Default)]
struct Shared {
    queued: AtomicU64,
    has_failed: AtomicBool,
}

/// Writer of a history file. If the writer is dropped before [`finish`](Self::finish) is called, the file stays
/// under its temporary name [`part_beside`].
pub struct Writer {
    path: PathBuf,
    /// Device and inode of the unfinished file; they show if another program has put a different file in its
    /// place.
    own: (u64, u64),
    /// Identity, at the start, of the file that the history will replace. If that file has changed by the end,
    /// the history does not replace it.
    replaces: Seen,
    queue: Sender<Record>,
    thread: JoinHandle<io::Result<()>>,
    shared: Arc<Shared>,
    /// True if recording stopped early because writing the history file was slower than the server.
    is_over: bool,
}

/// Return the path of the unfinished history file for `path`, which is `path` with the ending `.part`.
#[must_use]
pub fn part_beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

impl Writer {
    /// Create a history of the device `about`, and write the contents at the start, which are in the store `before`.
    ///
    /// # Errors
    /// I/O errors of the operating system. The temporary file exists already; the existing file is kept.
    pub fn create(path: &Path, about: &About, before: &dyn Store) -> io::Result<Self> {
        let part = part_beside(path);
        let replaces = seen(path)?;
        // A temporary file that a killed server left is the only copy of its history: keep it.
        if part.symlink_metadata().is_ok_and(|found| found.is_file()) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let file = File::create(&part)?;
        // Ignore errors: some file systems have no locks.
        let _ = flock(&file, FlockOperation::NonBlockingLockExclusive);
        let own = file.metadata()?;
        let mut file = BufWriter::with_capacity(1 << 20, file);
        file.write_all(MAGIC)?;
        frame::write(&mut file, frame::HEADER, about.to_text().as_bytes(), &[])?;
        let mut at = 0;
        while let Some(data) = before.next_data(at..about.bytes)? {
            for start in (data.start..data.end).step_by(PART_BYTES as usize) {
                let mut part = vec![0; PART_BYTES.min(data.end - start) as usize];
                before.read(start, &mut part)?;
                if !is_zero(&part) {
                    frame::write(&mut file, frame::STATE, &start.to_le_bytes(), &part)?;
                }
            }
            at = data.end;
        }
        frame::write(&mut file, frame::BEGIN, &[], &[])?;
        file.flush()?;
        let (queue, records) = channel();
        let shared = Arc::new(Shared::default());
        let seen = Arc::clone(&shared);
        let thread = thread::Builder::new().name("history".into()).spawn(move || {
            let written = write(file, &records, &seen);
            seen.has_failed.fetch_or(written.is_err(), Ordering::Relaxed);
            written
        })?;
        let own = (own.dev(), own.ino());
        Ok(Self { path: path.to_owned(), own, replaces, queue, thread, shared, is_over: false })
    }

    /// Record that a write was submitted at `now_ns`; `row` is its row in the record of requests.
    pub fn write(&mut self, now_ns: u64, row: u64, offset: u64, fua: bool, data: &[u8]) {
        let head = write_head(now_ns, row, offset, fua);
        if is_zero(data) {
            return self.put(zeroes(head, data.len() as u64));
        }
        // Do not copy the data if the history has ended.
        if !self.is_over {
            self.put(Record { kind: frame::WRITE, head, data: data.to_vec() });
        }
    }

    /// Record that a write of zeros was submitted at `now_ns`; `row` is its row in the record of requests.
    pub fn zero(&mut self, now_ns: u64, row: u64, offset: u64, fua: bool, bytes: u64) {
        self.put(zeroes(write_head(now_ns, row, offset, fua), bytes));
    }

    /// Record that the write with this number was answered at `now_ns`; `is_done` is true if the write succeeded.
    pub fn completed(&mut self, now_ns: u64, number: u64, is_done: bool) {
        let head = [&now_ns.to_le_bytes()[..], &number.to_le_bytes(), &[u8::from(is_done)]].concat();
        self.put(Record { kind: frame::COMPLETED, head, data: Vec::new() });
    }

    /// Record that a flush was answered at `now_ns`. It covers the first `covers` writes that were answered.
    pub fn flushed(&mut self, now_ns: u64, covers: u64) {
        let head = [now_ns, covers].map(u64::to_le_bytes).concat();
        self.put(Record { kind: frame::FLUSHED, head, data: Vec::new() });
    }

    fn put(&mut self, record: Record) {
        if self.is_over || self.shared.has_failed.load(Ordering::Relaxed) {
            return;
        }
        let bytes = record.bytes();
        if self.shared.queued.load(Ordering::Relaxed) + bytes > MOST_QUEUED_BYTES {
            self.is_over = true;
            return self.send(Record { kind: frame::OVERRUN, head: Vec::new(), data: Vec::new() });
        }
        self.send(record);
    }

    fn send(&self, record: Record) {
        self.shared.queued.fetch_add(record.bytes(), Ordering::Relaxed);
        // If the queue is closed, the thread has failed; `finish` reports the error.
        let _ = self.queue.send(record);
    }

    /// Close the history file and give it its final name. Return true if the history is complete, false if
    /// recording stopped early because writing the file was slower than the server.
    ///
    /// # Errors
    /// I/O errors of the operating system. After an error, the records already written stay in the file with
    /// the temporary name.
    pub fn finish(self) -> io::Result<bool> {
        if !self.is_over {
            self.send(Record { kind: frame::END, head: Vec::new(), data: Vec::new() });
        }
        drop(self.queue);
        self.thread
            .join()
            .map_err(|_| io::Error::other("the thread that writes the history file panicked"))??;
        let part = part_beside(&self.path);
        let found = fs::metadata(&part)?;
        if (found.dev(), found.ino()) != self.own {
            return Err(io::Error::other(
                "another program has replaced the unfinished history file: the history is lost",
            ));
        }
        if seen(&self.path)? != self.replaces {
            let name = self.path.display();
            let text = format!(
                "another program has written {name} meanwhile: the history stays in its unfinished file"
            );
            return Err(io::Error::other(text));
        }
        fs::rename(part, &self.path)?;
        Ok(!self.is_over)
    }
}

/// Identity of a file, by which a change of the file is detected: device, inode, size in bytes, and time of the
/// last change in seconds and nanoseconds.
type Seen = Option<(u64, u64, u64, i64, i64)>;

fn seen(path: &Path) -> io::Result<Seen> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some((found.dev(), found.ino(), found.len(), found.mtime(), found.mtime_nsec()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn write_head(now_ns: u64, row: u64, offset: u64, fua: bool) -> Vec<u8> {
    [&now_ns.to_le_bytes()[..], &row.to_le_bytes(), &offset.to_le_bytes(), &[u8::from(fua)]].concat()
}

fn zeroes(mut head: Vec<u8>, bytes: u64) -> Record {
    head.extend(bytes.to_le_bytes());
    Record { kind: frame::ZEROES, head, data: Vec::new() }
}

/// Write records until the queue is closed and empty.
fn write(mut file: BufWriter<File>, records: &Receiver<Record>, shared: &Shared) -> io::Result<()> {
    loop {
        let record = match records.try_recv() {
            Ok(record) => record,
            Err(TryRecvError::Empty) => {
                // The next record may come late: flush everything received so far.
                file.flush()?;
                let Ok(record) = records.recv() else { break };
                record
            }
            Err(TryRecvError::Disconnected) => break,
        };
        frame::write(&mut file, record.kind, &record.head, &record.data)?;
        shared.queued.fetch_sub(record.bytes(), Ordering::Relaxed);
    }
    file.flush()?;
    file.get_ref().sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a queue of records with and without data.
    #[test]
    fn what_is_written_leaves_its_room_in_the_queue() {
        let (queue, records) = channel();
        let shared = Shared::default();
        for bytes in [0, 1, 4096] {
            let record =
                Record { kind: frame::WRITE, head: write_head(0, 0, 0, false), data: vec![1; bytes] };
            shared.queued.fetch_add(record.bytes(), Ordering::Relaxed);
            queue.send(record).unwrap();
        }
        drop(queue);
        write(BufWriter::new(tempfile::tempfile().unwrap()), &records, &shared).unwrap();
        assert_eq!(shared.queued.load(Ordering::Relaxed), 0);
    }
}
