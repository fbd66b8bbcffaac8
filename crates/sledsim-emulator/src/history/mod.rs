//! Record the writes of clients, and the answers to these writes, in a file in the order in which they happen. The
//! module `crash` builds from this file the images that a power failure could have left at any moment.
//!
//! The file begins with [`MAGIC`]; records follow. A record has one byte for its kind, four bytes for the length of its
//! payload, the payload, and a checksum of eight bytes over all of this. Numbers are little-endian. The kinds of
//! records, in the order in which they stand in the file:
//!
//! | kind | payload |
//! |---|---|
//! | `H`, one | description of the served device, as lines of a key, a space and a value: [`About`] |
//! | `S`, any number | a range of the contents at the start that is not all zeros: offset, then data |
//! | `B`, one | empty; marks the end of the contents at the start |
//! | `W` | submitted write: time, row in the record of requests, offset, 1 if FUA and 0 if not, data |
//! | `Z` | submitted write of zeros: the fields of `W`, but the number of bytes instead of the data |
//! | `C` | answered write: time, number of the write (counts `W` and `Z` from 0), 1 for success and 0 for an error |
//! | `F` | answered flush: time, number of writes answered before its submission, which it covers |
//! | `X` | last record if the file could not keep up with the server: later events are missing |
//! | `E` | last record of a complete history: the server has ended |
//!
//! Times are nanoseconds of the server's clock; offsets and times have 8 bytes.
//!
//! A separate thread writes the file from a queue of at most [`MOST_QUEUED_BYTES`], so that the serving thread never
//! waits for a disk. If the queue is full, the history ends with `X` and the server continues without a history. If
//! the disk is full, the history ends without `X`. Until it is closed, the file has the name `NAME.part`; then it is
//! renamed to `NAME`. If the machine or the server dies, `NAME.part` remains, readable up to its last complete record.

mod frame;
mod hashing;
mod reader;
mod writer;

use thiserror::Error;

pub(crate) use hashing::hash;
pub use reader::{End, Event, History, HistoryError, Write};
pub use writer::{part_beside, Writer, MOST_QUEUED_BYTES};

/// First bytes of a history file.
pub const MAGIC: &[u8; 16] = b"sledsim history\n";
/// Version of the format of history files.
const VERSION: &str = "2";
/// Versions of the format that can be read. In version 1 a flush was answered when it was submitted.
const READABLE: [&str; 2] = ["1", VERSION];

/// Description of the served device at the start of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Size of the export in bytes.
    pub bytes: u64,
    /// Name of the kind of cache, which determines the answered writes that a power failure can lose.
    pub cache: String,
    /// Capacity of the device's volatile cache in bytes.
    pub cache_bytes: u64,
    /// Name of the device.
    pub device: String,
}

/// The error for a header with a missing or invalid value.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{key}: expected {expected}, found {found:?}")]
pub struct BadAbout {
    key: &'static str,
    expected: &'static str,
    found: String,
}

impl About {
    fn to_text(&self) -> String {
        let Self { bytes, cache, cache_bytes, device } = self;
        let device = device.replace('\n', " ");
        format!(
            "version {VERSION}\nbytes {bytes}\ncache {cache}\ncache_bytes {cache_bytes}\ndevice {device}\n"
        )
    }

    fn from_text(text: &str) -> Result<Self, BadAbout> {
        let value = |key: &'static str| {
            let lines = text.lines().filter_map(|line| line.split_once(' '));
            lines.filter(|(found, _)| *found == key).map(|(_, value)| value).next().ok_or(BadAbout {
                key,
                expected: "a value",
                found: String::new(),
            })
        };
        let number = |key| {
            let found = value(key)?;
            found.parse().map_err(|_| BadAbout { key, expected: "a number", found: found.into() })
        };
        let version = value("version")?;
        if !READABLE.contains(&version) {
            return Err(BadAbout { key: "version", expected: "1 or 2", found: version.into() });
        }
        Ok(Self {
            bytes: number("bytes")?,
            cache: value("cache")?.into(),
            cache_bytes: number("cache_bytes")?,
            device: value("device")?.into(),
        })
    }
}
