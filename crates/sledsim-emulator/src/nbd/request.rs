//! Decode requests, check them, and encode replies.

use super::error::Broken;
use super::export::{Export, SECTOR_BYTES};
use super::protocol::{command, command_flag, REQUEST_MAGIC, SIMPLE_REPLY_MAGIC};

/// Maximum length in bytes of the data of a read or write.
pub const MOST_PAYLOAD_BYTES: u32 = 32 << 20;

/// Maximum number of bytes of data that are copied or sent for one client before it is another client's turn.
pub const PART_BYTES: usize = 128 << 10;

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Read the data of a range.
    Read,
    /// Write data to a range.
    Write,
    /// Make all previously answered writes durable.
    Flush,
    /// Discard the data of a range.
    Trim,
    /// Fill a range with zeros.
    WriteZeroes,
}

/// A valid request. Its range lies within the export and consists of whole sectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Number by which the owner answers the request. The numbers of a connection begin with 0.
    pub number: u64,
    /// Number that the client has chosen for the request and that the reply repeats. Several requests may have
    /// the same number.
    pub cookie: u64,
    /// Kind of the request.
    pub kind: Kind,
    /// Offset of the range on the export in bytes; 0 for a flush.
    pub offset: u64,
    /// Length of the range in bytes; 0 for a flush. Reads and writes have at most [`MOST_PAYLOAD_BYTES`].
    pub bytes: u32,
    /// True if the write must be durable before it is answered (FUA). The flag has no effect on reads and
    /// flushes.
    pub fua: bool,
    /// Data of a write; empty for other requests.
    pub data: Vec<u8>,
}

/// Errors in replies to requests, with the numbers of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Errno {
    /// `NBD_EPERM`: the export is read-only.
    NotPermitted = 1,
    /// `NBD_EIO`: the medium failed.
    Io = 5,
    /// `NBD_ENOMEM`: the machine has no memory left.
    NoMemory = 12,
    /// `NBD_EINVAL`: the request is invalid.
    Invalid = 22,
    /// `NBD_ENOSPC`: the write exceeds the end of the export, or no disk space is left.
    NoSpace = 28,
    /// `NBD_ESHUTDOWN`: the server is shutting down.
    Shutdown = 108,
}

/// The head of a request: all fields except the data of a write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    flags: u16,
    command: u16,
    pub(super) cookie: u64,
    pub(super) offset: u64,
    pub(super) bytes: u32,
}

impl Header {
    pub(super) const BYTES: usize = 28;

    pub(super) fn parse(bytes: [u8; Self::BYTES]) -> Result<Self, Broken> {
        let number = |from: usize, to: usize| {
            bytes[from..to].iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
        };
        let magic = number(0, 4) as u32;
        if magic != REQUEST_MAGIC {
            return Err(Broken::RequestMagic(magic));
        }
        Ok(Self {
            flags: number(4, 6) as u16,
            command: number(6, 8) as u16,
            cookie: number(8, 16),
            offset: number(16, 24),
            bytes: number(24, 28) as u32,
        })
    }

    pub(super) fn is_disconnect(&self) -> bool {
        self.command == command::DISC
    }

    pub(super) fn fua(&self) -> bool {
        self.flags & command_flag::FUA != 0
    }

    /// Number of bytes of data that follow the head of the request, whether the request is valid or not.
    pub(super) fn payload_bytes(&self) -> u32 {
        if self.command == command::WRITE {
            self.bytes
        } else {
            0
        }
    }

    /// Number of requests as which this request counts in the limit of outstanding requests. A long write of
    /// zeros counts as several writes of maximum length.
    pub(super) fn requests(&self) -> usize {
        match self.command {
            command::WRITE_ZEROES => self.bytes.div_ceil(MOST_PAYLOAD_BYTES).max(1) as usize,
            _ => 1,
        }
    }

    /// Check the request. Return its kind, or the error with which it is refused.
    pub(super) fn check(&self, export: &Export) -> Result<Kind, Errno> {
        let kind = match self.command {
            command::READ => Kind::Read,
            command::WRITE => Kind::Write,
            command::FLUSH => Kind::Flush,
            command::TRIM => Kind::Trim,
            command::WRITE_ZEROES => Kind::WriteZeroes,
            _ => return Err(Errno::Invalid),
        };
        let changes = matches!(kind, Kind::Write | Kind::Trim | Kind::WriteZeroes);
        if changes && export.is_read_only() {
            return Err(Errno::NotPermitted);
        }
        // FUA is allowed on every request, even where it has no effect.
        let known = command_flag::FUA
            | match kind {
                Kind::WriteZeroes => command_flag::NO_HOLE,
                _ => 0,
            };
        let is_whole = match kind {
            Kind::Flush => self.offset == 0 && self.bytes == 0,
            _ => self.is_whole(matches!(kind, Kind::Read | Kind::Write)),
        };
        if self.flags & !known != 0 || !is_whole {
            return Err(Errno::Invalid);
        }
        let fits = self.offset.checked_add(u64::from(self.bytes)).is_some_and(|end| end <= export.bytes());
        match kind {
            _ if fits => Ok(kind),
            Kind::Write | Kind::WriteZeroes => Err(Errno::NoSpace),
            _ => Err(Errno::Invalid),
        }
    }

    /// Return true if the range consists of at least one whole sector. If `has_data` is true, the range must
    /// also not exceed the largest size of data in a request.
    fn is_whole(&self, has_data: bool) -> bool {
        let sector = u64::from(SECTOR_BYTES);
        self.bytes != 0
            && u64::from(self.bytes).is_multiple_of(sector)
            && self.offset.is_multiple_of(sector)
            && !(has_data && self.bytes > MOST_PAYLOAD_BYTES)
    }
}

/// Encode a simple reply to the request with this cookie, without the data of a read. `errno` is `None` for success.
pub(super) fn reply_head(cookie: u64, errno: Option<Errno>) -> [u8; 16] {
    let mut head = [0; 16];
    head[..4].copy_from_slice(&SIMPLE_REPLY_MAGIC.to_be_bytes());
    head[4..8].copy_from_slice(&errno.map_or(0, |errno| errno as u32).to_be_bytes());
    head[8..].copy_from_slice(&cookie.to_be_bytes());
    head
}
