//! Requests: how they are written, and which of them can be served at all.

use super::error::Broken;
use super::export::{Export, SECTOR_BYTES};
use super::protocol::{command, command_flag, REQUEST_MAGIC, SIMPLE_REPLY_MAGIC};

/// The most data that a request reads or writes, in bytes.
pub const MOST_PAYLOAD_BYTES: u32 = 32 << 20;

/// Data that are moved in one go, in bytes, before others have their turn.
pub const PART_BYTES: usize = 128 << 10;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The data of a range.
    Read,
    /// Data are put into a range.
    Write,
    /// All writes that were answered before are made durable.
    Flush,
    /// The data of a range are not needed any more.
    Trim,
    /// A range is filled with zeros.
    WriteZeroes,
}

/// A request that can be served: it lies within the export and on whole sectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The number by which it is answered: those of a connection are counted from 0 on.
    pub number: u64,
    /// What the client calls it; clients are to call no two the same that wait at once, but may.
    pub cookie: u64,
    /// What it asks for.
    pub kind: Kind,
    /// Where its range begins, in bytes; 0 of a flush.
    pub offset: u64,
    /// The length of its range; 0 of a flush. Reads and writes have at most [`MOST_PAYLOAD_BYTES`].
    pub bytes: u32,
    /// Whether it is to be durable before it is answered; of a read or a flush it means nothing.
    pub fua: bool,
    /// What is to be written; empty but of a write.
    pub data: Vec<u8>,
}

/// Why a request failed, by the numbers of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Errno {
    /// `NBD_EPERM`: the export cannot be written.
    NotPermitted = 1,
    /// `NBD_EIO`: the medium failed.
    Io = 5,
    /// `NBD_ENOMEM`.
    NoMemory = 12,
    /// `NBD_EINVAL`: no request that can be served.
    Invalid = 22,
    /// `NBD_ENOSPC`: a write past the end, or no place for it.
    NoSpace = 28,
    /// `NBD_ESHUTDOWN`: the server is about to end.
    Shutdown = 108,
}

/// The beginning of a request, which is all of it but for the data of a write.
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

    /// The data that follow, whether it can be served or not.
    pub(super) fn payload_bytes(&self) -> u32 {
        if self.command == command::WRITE {
            self.bytes
        } else {
            0
        }
    }

    /// As how many requests it counts. To fill a long range with zeros takes as much as to write it: several.
    pub(super) fn requests(&self) -> usize {
        match self.command {
            command::WRITE_ZEROES => self.bytes.div_ceil(MOST_PAYLOAD_BYTES).max(1) as usize,
            _ => 1,
        }
    }

    /// What it asks for, or why it cannot be served.
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
        // Every request may have it, even those that have nothing to make durable.
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

    /// Whether its range is some whole sectors, and not too many where it has data.
    fn is_whole(&self, has_data: bool) -> bool {
        let sector = u64::from(SECTOR_BYTES);
        self.bytes != 0
            && u64::from(self.bytes).is_multiple_of(sector)
            && self.offset.is_multiple_of(sector)
            && !(has_data && self.bytes > MOST_PAYLOAD_BYTES)
    }
}

/// The beginning of a simple reply, which is all of it but for the data of a read.
pub(super) fn reply_head(cookie: u64, errno: Option<Errno>) -> [u8; 16] {
    let mut head = [0; 16];
    head[..4].copy_from_slice(&SIMPLE_REPLY_MAGIC.to_be_bytes());
    head[4..8].copy_from_slice(&errno.map_or(0, |errno| errno as u32).to_be_bytes());
    head[8..].copy_from_slice(&cookie.to_be_bytes());
    head
}
