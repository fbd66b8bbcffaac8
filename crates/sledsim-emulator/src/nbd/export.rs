//! What is served: one export.

use thiserror::Error;

use super::protocol::transmission_flag as flag;

/// The smallest block of requests, in bytes: offsets and lengths are multiples of it.
pub const SECTOR_BYTES: u32 = 512;
/// The longest name and the longest description that the protocol allows, in bytes.
pub const MOST_NAME_BYTES: usize = 4096;
/// Clients keep sizes in 64 bits with a sign.
const MOST_EXPORT_BYTES: u64 = i64::MAX as u64 + 1 - SECTOR_BYTES as u64;

/// What is advertised to clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    name: String,
    description: String,
    bytes: u64,
    read_only: bool,
    rotational: bool,
    multi_conn: bool,
}

/// An export that clients could not use.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BadExport {
    /// The name or the description is longer than the protocol allows.
    #[error("the {what} of an export: expected at most {MOST_NAME_BYTES} bytes, found {found}")]
    Long {
        /// Which of them.
        what: &'static str,
        /// Its length in bytes.
        found: usize,
    },
    /// The size is no number of sectors, or clients could not hold it.
    #[error(
        "the size of an export: expected a multiple of 512 from 512 to {MOST_EXPORT_BYTES}, found {0} bytes"
    )]
    Size(u64),
}

impl Export {
    /// An export of so many bytes that can be written, is not rotational and takes one connection at a time. Clients
    /// get it by its name, and by the empty one.
    ///
    /// # Errors
    /// A name or description that is too long, or a size that is no number of sectors.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        bytes: u64,
    ) -> Result<Self, BadExport> {
        let (name, description) = (name.into(), description.into());
        for (what, text) in [("name", &name), ("description", &description)] {
            if text.len() > MOST_NAME_BYTES {
                return Err(BadExport::Long { what, found: text.len() });
            }
        }
        if !(1..=MOST_EXPORT_BYTES).contains(&bytes) || !bytes.is_multiple_of(u64::from(SECTOR_BYTES)) {
            return Err(BadExport::Size(bytes));
        }
        Ok(Self { name, description, bytes, read_only: false, rotational: false, multi_conn: false })
    }

    /// Whether what would change data is refused.
    #[must_use]
    pub fn read_only(self, read_only: bool) -> Self {
        Self { read_only, ..self }
    }

    /// Whether clients are to order requests as for a rotating medium.
    #[must_use]
    pub fn rotational(self, rotational: bool) -> Self {
        Self { rotational, ..self }
    }

    /// Whether clients may open several connections: what one of them flushes is then durable for all.
    #[must_use]
    pub fn multi_conn(self, multi_conn: bool) -> Self {
        Self { multi_conn, ..self }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a user reads about it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Its size in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether what would change data is refused.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Whether a client that asks for this name gets it.
    pub(super) fn is_called(&self, name: &[u8]) -> bool {
        name.is_empty() || name == self.name.as_bytes()
    }

    /// The transmission flags.
    pub(super) fn flags(&self) -> u16 {
        let writing = flag::SEND_TRIM | flag::SEND_WRITE_ZEROES;
        let either = if self.read_only { flag::READ_ONLY } else { writing };
        let rotational = if self.rotational { flag::ROTATIONAL } else { 0 };
        let multi_conn = if self.multi_conn { flag::CAN_MULTI_CONN } else { 0 };
        flag::HAS_FLAGS | flag::SEND_FLUSH | flag::SEND_FUA | either | rotational | multi_conn
    }
}
