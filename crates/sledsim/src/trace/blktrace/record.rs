//! One record: 48 bytes in the byte order of the traced machine, and a payload to pass over.

use super::super::columns::{Request, Trace};
use super::super::fields::{quote, LBN_MAX};
use super::super::source::Source;
use crate::error::Result;

const RECORD_BYTES: usize = 48;
/// The upper three bytes of the first word; the lowest is the version.
const MAGIC: u32 = 0x6561_7400;
const VERSION: u32 = 7;
const SECTOR_BYTES: u32 = 512;
/// A device is `major << 20 | minor`.
const MINOR_BITS: u32 = 20;

// The lower half of an action says what happened.
const WHAT: u32 = 0xffff;
const ISSUE: u32 = 7;
const NOTE_MESSAGE: u32 = 2;
/// This bit there only says that the payload begins with a cgroup.
const CGROUP: u32 = 1 << 8;
// The upper half says of what kind the request is.
const WRITE: u32 = 1 << 17;
const PASSED_THROUGH: u32 = 1 << 25;
const NOTE: u32 = 1 << 26;
const METADATA: u32 = 1 << 28;
const DISCARD: u32 = 1 << 29;

/// A value, or what is wrong with the record.
type Decoded<T> = std::result::Result<T, String>;

/// The byte order of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// The order in which the first bytes are the magic number, of whatever version.
    pub fn of(head: &[u8]) -> Option<Self> {
        [Self::Little, Self::Big]
            .into_iter()
            .find(|order| head.len() >= 4 && order.number(head, 0, 4) & !0xff == u64::from(MAGIC))
    }

    /// The unsigned integer of `width` bytes at a place.
    fn number(self, bytes: &[u8], at: usize, width: usize) -> u64 {
        let join = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        let field = &bytes[at..at + width];
        match self {
            Self::Little => field.iter().rev().fold(0, join),
            Self::Big => field.iter().fold(0, join),
        }
    }
}

/// The fields of a record that matter here.
pub(super) struct Record {
    /// Where it begins in the decompressed file.
    pub offset: u64,
    /// Time on the clock of the capture.
    pub time_ns: i64,
    sector: u64,
    bytes: u32,
    action: u32,
    device: u32,
}

impl Record {
    /// Process names and wall clocks are notes about a capture, not events in it; messages are.
    pub fn is_event(&self) -> bool {
        self.action & NOTE == 0 || self.what() == NOTE_MESSAGE
    }

    /// A request goes to the device.
    pub fn is_dispatch(&self) -> bool {
        self.action & NOTE == 0 && self.what() == ISSUE
    }

    fn what(&self) -> u32 {
        self.action & WHAT & !CGROUP
    }

    /// Appends the dispatched request, or counts it as skipped; the error says what is wrong with it.
    pub fn append_to(&self, trace: &mut Trace) -> Decoded<()> {
        let blocks = self.bytes / SECTOR_BYTES;
        if self.action & DISCARD != 0 {
            trace.skipped.discards += 1;
        } else if self.action & PASSED_THROUGH != 0 {
            trace.skipped.commands += 1;
        } else if blocks == 0 {
            trace.skipped.flushes += 1;
        } else if self.sector > LBN_MAX {
            return Err(format!("expected a sector up to {LBN_MAX}, found {}", self.sector));
        } else {
            trace.push(Request {
                arrival_ns: self.time_ns,
                lbn: self.sector as i64,
                blocks: blocks as i32,
                write: self.action & WRITE != 0,
                metadata: self.action & METADATA != 0,
                device: self.device as i32,
            });
        }
        Ok(())
    }
}

/// The two halves of a device number as it stands in a record.
pub(super) fn major_minor(device: i32) -> (u32, u32) {
    let device = device as u32;
    (device >> MINOR_BITS, device & ((1 << MINOR_BITS) - 1))
}

/// The next record of the file, none at its end; the first one settles the byte order.
pub(super) fn next(source: &mut Source<'_>, order: &mut Option<ByteOrder>) -> Result<Option<Record>> {
    let offset = source.offset();
    let raw = source.next_bytes(RECORD_BYTES)?;
    let decoded = match raw.len() {
        0 => return Ok(None),
        RECORD_BYTES => decode(raw, offset, order),
        found => Err(cut_short(RECORD_BYTES, "a record", found)),
    };
    let (record, payload_bytes) = decoded.map_err(|message| source.byte_error(offset, &message))?;
    let found = source.next_bytes(payload_bytes)?.len();
    if found < payload_bytes {
        let message = cut_short(payload_bytes, "the payload of a record", found);
        return Err(source.byte_error(offset + RECORD_BYTES as u64, &message));
    }
    Ok(Some(record))
}

/// A record and the size of its payload, or what is wrong with it.
fn decode(raw: &[u8], offset: u64, order: &mut Option<ByteOrder>) -> Decoded<(Record, usize)> {
    let its_order = ByteOrder::of(raw).filter(|its| *order.get_or_insert(*its) == *its).ok_or_else(|| {
        format!("expected the magic number of a blktrace record, found {}", quote(&raw[..4]))
    })?;
    let word = |at| its_order.number(raw, at, 4) as u32;
    let version = word(0) & 0xff;
    if version != VERSION {
        return Err(format!("expected a blktrace record of version {VERSION}, found version {version}"));
    }
    let time_ns = its_order.number(raw, 8, 8);
    let record = Record {
        offset,
        time_ns: i64::try_from(time_ns)
            .map_err(|_| format!("expected a time up to {} ns, found {time_ns}", i64::MAX))?,
        sector: its_order.number(raw, 16, 8),
        bytes: word(24),
        action: word(28),
        device: word(36),
    };
    Ok((record, its_order.number(raw, 46, 2) as usize))
}

fn cut_short(expected: usize, what: &str, found: usize) -> String {
    format!("expected {expected} bytes of {what}, found {found} (the file is cut short)")
}
