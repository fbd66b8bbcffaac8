//! Record the writes of clients and their answers, in order, in a file. The module `crash` builds from it the images
//! that a power failure could have left at any moment.
//!
//! The file is [`MAGIC`] followed by records. A record is one byte for its kind, four bytes for the length of its
//! payload, the payload, and a checksum of all that in eight bytes; numbers are little-endian. The kinds, in their
//! order:
//!
//! | kind | payload |
//! |---|---|
//! | `H`, one | description of the served device, as lines of a key, a space and a value: [`About`] |
//! | `S`, any number | contents at the start where they are not zeros: offset, then data |
//! | `B`, one | empty: the contents at the start are complete |
//! | `W` | submitted write: time, row in the record of requests, offset, 1 if through the cache, data |
//! | `Z` | submitted write of zeros: fields of `W`, with the number of bytes instead of the data |
//! | `C` | answered write: time, number among `W` and `Z` from 0 on, 1 if it succeeded |
//! | `F` | submitted and answered flush: time |
//! | `X` | last record: the file could not keep up with the server, later events are missing |
//! | `E` | last record: the server has ended |
//!
//! Times are nanoseconds of the server's clock; offsets and times have 8 bytes.
//!
//! A separate thread writes the file from a queue of at most [`MOST_QUEUED_BYTES`], so that the serving thread never
//! waits for a disk. If the queue is full, the history ends with `X` and serving continues; if the disk is full, it
//! ends without `X`. The file is named `NAME.part` and renamed when it is closed. The part remains if the machine or
//! the server dies; it is readable up to its last complete record.

mod frame;
mod hashing;
mod reader;
mod writer;

use thiserror::Error;

pub(crate) use hashing::hash;
pub use reader::{End, Event, History, HistoryError, Write};
pub use writer::{part_beside, Writer, MOST_QUEUED_BYTES};

/// First bytes of the file.
pub const MAGIC: &[u8; 16] = b"sledsim history\n";
/// Version of the format.
const VERSION: &str = "1";

/// Description of the served device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Size of the export in bytes.
    pub bytes: u64,
    /// Name of the durability: the writes that a power failure can take.
    pub cache: String,
    /// Capacity of the volatile cache in bytes.
    pub cache_bytes: u64,
    /// Name of the device.
    pub device: String,
}

/// The error of a header that cannot be used.
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
        if version != VERSION {
            return Err(BadAbout { key: "version", expected: VERSION, found: version.into() });
        }
        Ok(Self {
            bytes: number("bytes")?,
            cache: value("cache")?.into(),
            cache_bytes: number("cache_bytes")?,
            device: value("device")?.into(),
        })
    }
}
