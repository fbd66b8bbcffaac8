//! The export: the disk that the server offers to clients.

use thiserror::Error;

use super::protocol::transmission_flag as flag;

/// Size of a sector in bytes; offsets and lengths of requests are multiples of it.
pub const SECTOR_BYTES: u32 = 512;
/// Maximum length in bytes of a name or description, from the specification of NBD.
pub const MOST_NAME_BYTES: usize = 4096;
/// Maximum size of an export in bytes. The limit exists because clients keep sizes as signed 64-bit numbers.
const MOST_EXPORT_BYTES: u64 = i64::MAX as u64 + 1 - SECTOR_BYTES as u64;

/// The properties of the export that the server announces to clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    name: String,
    description: String,
    bytes: u64,
    read_only: bool,
    rotational: bool,
    multi_conn: bool,
}

/// The error for an export that clients could not use.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BadExport {
    /// The name or the description is longer than the protocol allows.
    #[error("the {what} of an export: expected at most {MOST_NAME_BYTES} bytes, found {found}")]
    Long {
        /// Name of the text that is too long.
        what: &'static str,
        /// Length of the text in bytes.
        found: usize,
    },
    /// The size is 0, not a multiple of the sector size, or too large for clients.
    #[error(
        "the size of an export: expected a multiple of 512 from 512 to {MOST_EXPORT_BYTES}, found {0} bytes"
    )]
    Size(u64),
}

impl Export {
    /// Create a writable, non-rotational export of `bytes` bytes for one connection at a time. Clients open the export
    /// by its name or by the empty name.
    ///
    /// # Errors
    /// The name or the description is too long. The size is 0, not a multiple of the sector size, or too large.
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

    /// Set the property `read_only`: if true, the export refuses requests that change data.
    #[must_use]
    pub fn read_only(self, read_only: bool) -> Self {
        Self { read_only, ..self }
    }

    /// Set the property `rotational`: if true, clients should order requests as for a rotating medium.
    #[must_use]
    pub fn rotational(self, rotational: bool) -> Self {
        Self { rotational, ..self }
    }

    /// Set the property `multi_conn`: if true, clients may open several connections, and a flush on one
    /// connection covers the writes of all connections.
    #[must_use]
    pub fn multi_conn(self, multi_conn: bool) -> Self {
        Self { multi_conn, ..self }
    }

    /// Name of the export.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Description of the export, which clients can show to users.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Size of the export in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Return true if the export refuses requests that change data.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Return true if `name` is a name by which clients can open this export.
    pub(super) fn is_called(&self, name: &[u8]) -> bool {
        name.is_empty() || name == self.name.as_bytes()
    }

    /// The transmission flags that announce the properties of the export.
    pub(super) fn flags(&self) -> u16 {
        let writing = flag::SEND_TRIM | flag::SEND_WRITE_ZEROES;
        let either = if self.read_only { flag::READ_ONLY } else { writing };
        let rotational = if self.rotational { flag::ROTATIONAL } else { 0 };
        let multi_conn = if self.multi_conn { flag::CAN_MULTI_CONN } else { 0 };
        flag::HAS_FLAGS | flag::SEND_FLUSH | flag::SEND_FUA | either | rotational | multi_conn
    }
}
