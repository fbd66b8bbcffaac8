//! What clients wrote, in the order in which it came and was answered: a file out of which the part `crash` builds
//! what a loss of power could have left at any moment.
//!
//! The file is [`MAGIC`] and records. Each is a byte that says its kind, the length of its payload in 4 bytes, the
//! payload, and a check of all of that in 8; numbers are little-endian. The kinds, in their order:
//!
//! | kind | payload |
//! |---|---|
//! | `H`, one | what was served, as lines of a key, a space and a value: [`About`] |
//! | `S`, any number | contents at the start where they are not zeros: place, then data |
//! | `B`, one | none: the state before is whole |
//! | `W` | a write was submitted: time, row in the record of requests, place, 1 if it is through the cache, data |
//! | `Z` | the same with zeros, given as their number in bytes |
//! | `C` | a write was answered: time, its number among `W` and `Z`, counted from 0 on, 1 if it was done |
//! | `F` | a flush was submitted and answered: time |
//! | `X` | the last: the file could not keep up with the server, so that what came afterwards is missing |
//! | `E` | the last: the server has ended |
//!
//! Times are nanoseconds of the server's clock; places and times have 8 bytes.
//!
//! It is written by a thread of its own, from a queue of at most [`MOST_QUEUED_BYTES`]: the thread that serves never
//! waits for a disk. Where the queue is full, the history ends there with `X`, and serving goes on; the same where the
//! disk is full, without `X`. It is written beside its place as `NAME.part`, and renamed when it is closed. If the
//! machine or the server dies, that file is there; what was cut off in mid-record ends with its last whole one.

mod frame;
mod hashing;
mod reader;
mod writer;

use thiserror::Error;

pub(crate) use hashing::hash;
pub use reader::{End, Event, History, HistoryError, Write};
pub use writer::{part_beside, Writer, MOST_QUEUED_BYTES};

/// The first bytes of the file.
pub const MAGIC: &[u8; 16] = b"sledsim history\n";
/// The version of the format.
const VERSION: &str = "1";

/// What was served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The size of the export, in bytes.
    pub bytes: u64,
    /// What a loss of power can take: the name of a durability.
    pub cache: String,
    /// How much of the newest a volatile cache holds, in bytes.
    pub cache_bytes: u64,
    /// The device by name.
    pub device: String,
}

/// Why a header cannot be used.
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
