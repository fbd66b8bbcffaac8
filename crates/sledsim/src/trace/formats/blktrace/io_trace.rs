//! A blktrace record: 48 bytes in the byte order of the traced machine, followed by a payload that is
//! skipped.

use super::super::super::columns::{flags, Op, TraceRow};
use super::super::super::completions::Event;
use super::super::super::fields::{quote, LBN_MAX};
use super::super::super::records::Decoded;
use super::super::super::source::DecodedSource;
use super::super::super::trace_info::ReaderOutput;
use crate::error::{ensure, Result};

const RECORD_BYTES: usize = 48;
/// The upper three bytes of a record's first word, which identify the format; the lowest byte is the
/// version.
const MAGIC: u32 = 0x6561_7400;
const VERSION: u32 = 7;
const SECTOR_BYTES: u32 = 512;
/// Number of bits of the minor device number; the whole device number is `major << 20 | minor`.
const MINOR_BITS: u32 = 20;

// The lower half of an action is the event.
const WHAT: u32 = 0xffff;
const ISSUE: u32 = 7;
const COMPLETE: u32 = 8;
const QUEUE: u32 = 1;
const REQUEUE: u32 = 6;
const NOTE_MESSAGE: u32 = 2;
/// Bit that is set if the payload begins with the name of a cgroup.
const CGROUP: u32 = 1 << 8;
// The upper half is the kind of the request.
const WRITE: u32 = 1 << 17;
const FLUSH: u32 = 1 << 18;
const SYNC: u32 = 1 << 19;
const PASSED_THROUGH: u32 = 1 << 25;
const NOTE: u32 = 1 << 26;
const READ_AHEAD: u32 = 1 << 27;
const METADATA: u32 = 1 << 28;
const DISCARD: u32 = 1 << 29;
const FUA: u32 = 1 << 31;

/// The byte order of the numbers in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// Detects the byte order from the first four bytes of a file; `None` if they are not the magic number.
    pub fn of(head: &[u8]) -> Option<Self> {
        [Self::Little, Self::Big]
            .into_iter()
            .find(|order| head.len() >= 4 && order.word(head, 0) & !0xff == MAGIC)
    }

    #[inline]
    fn word(self, bytes: &[u8], at: usize) -> u32 {
        let field = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        match self {
            Self::Little => u32::from_le_bytes(field),
            Self::Big => u32::from_be_bytes(field),
        }
    }

    #[inline]
    fn long(self, bytes: &[u8], at: usize) -> u64 {
        let (first, second) = (u64::from(self.word(bytes, at)), u64::from(self.word(bytes, at + 4)));
        match self {
            Self::Little => second << 32 | first,
            Self::Big => first << 32 | second,
        }
    }

    /// The length of a record's payload in bytes, which the last two bytes of the record state.
    fn payload_bytes(self, record: &[u8; RECORD_BYTES]) -> usize {
        let word = self.word(record, RECORD_BYTES - 4);
        (if self == Self::Little { word >> 16 } else { word & 0xffff }) as usize
    }
}

/// The decoded fields of a record, without those that sledsim does not need.
pub(super) struct Record {
    /// Position of the record in the decompressed file.
    pub offset: u64,
    /// Time of the event in ns, by the clock of the capture.
    pub time_ns: i64,
    sector: u64,
    bytes: u32,
    action: u32,
    device: u32,
    /// Number of the CPU on which the event happened.
    pub cpu: u32,
    /// Number of the event among those of its CPU.
    pub number: u32,
    /// True for a completion with an error.
    pub has_failed: bool,
}

impl Record {
    #[inline]
    fn of(raw: &[u8; RECORD_BYTES], offset: u64, order: ByteOrder) -> Self {
        Self {
            offset,
            time_ns: order.long(raw, 8) as i64,
            sector: order.long(raw, 16),
            bytes: order.word(raw, 24),
            action: order.word(raw, 28),
            device: order.word(raw, 36),
            cpu: order.word(raw, 40),
            number: order.word(raw, 4),
            has_failed: raw[44] != 0 || raw[45] != 0,
        }
    }

    /// True for events and messages; false for records that name a process or state the time of day.
    pub fn is_event(&self) -> bool {
        self.action & NOTE == 0 || self.what() == NOTE_MESSAGE
    }

    /// True if the record is a message, which may have no number of its own.
    pub fn is_message(&self) -> bool {
        self.action & NOTE != 0
    }

    /// The major and the minor number of the device.
    pub fn major_minor(&self) -> (u64, u64) {
        (u64::from(self.device >> MINOR_BITS), u64::from(self.device & ((1 << MINOR_BITS) - 1)))
    }

    /// The event at the device that the record describes; `None` if it describes something else.
    pub fn event(&self) -> Option<Event> {
        match self.what() {
            ISSUE => Some(Event::Dispatch),
            COMPLETE => Some(Event::Completion),
            REQUEUE => Some(Event::Requeue),
            _ => None,
        }
    }

    /// True if the record says that a request was queued above the device, before its dispatch.
    pub fn is_queued(&self) -> bool {
        self.what() == QUEUE
    }

    /// True if the request is a command that moves no blocks, such as a SCSI packet command.
    pub fn is_passed_through(&self) -> bool {
        self.action & PASSED_THROUGH != 0
    }

    fn what(&self) -> u32 {
        self.action & WHAT & !CGROUP
    }

    /// The operation of a request with sectors.
    pub fn op(&self) -> Op {
        match self.action {
            action if action & DISCARD != 0 => Op::Discard,
            action if action & WRITE != 0 => Op::Write,
            _ => Op::Read,
        }
    }

    fn blocks(&self) -> i32 {
        (self.bytes / SECTOR_BYTES) as i32
    }

    /// The first sector and the number of sectors of the request.
    pub fn sectors(&self) -> (i64, i32) {
        (self.sector as i64, self.blocks())
    }

    /// Converts a dispatch to a request of the device `device` with the given arrival time; returns `None` for a
    /// request without data that is no flush, and a message if a value is invalid.
    pub fn request(&self, device: i32, arrival_ns: i64) -> Decoded<Option<TraceRow>> {
        if self.blocks() == 0 {
            let flush = TraceRow { arrival_ns, device, op: Op::Flush, ..TraceRow::default() };
            return Ok((self.action & FLUSH != 0).then_some(flush));
        }
        ensure!(
            self.sector <= LBN_MAX,
            format!("expected a sector from 0 to {LBN_MAX}, found {}", self.sector)
        );
        let has = |bit| self.action & bit != 0;
        let flag = |bit, flag| if has(bit) { flag } else { 0 };
        Ok(Some(TraceRow {
            arrival_ns,
            lbn: self.sector as i64,
            blocks: self.blocks(),
            op: self.op(),
            metadata: has(METADATA),
            device,
            flags: flag(SYNC, flags::SYNC) | flag(READ_AHEAD, flags::READ_AHEAD) | flag(FUA, flags::FUA),
            ..TraceRow::default()
        }))
    }
}

/// Decodes the record at the start of `bytes`, and returns it with its length; `None` if it is invalid or
/// incomplete.
#[inline]
pub(super) fn whole(bytes: &[u8], offset: u64, order: ByteOrder) -> Option<(Record, usize)> {
    let raw = bytes.first_chunk::<RECORD_BYTES>()?;
    let size = RECORD_BYTES + order.payload_bytes(raw);
    let record = Record::of(raw, offset, order);
    let is_good = order.word(raw, 0) == MAGIC | VERSION && record.time_ns >= 0 && size <= bytes.len();
    is_good.then_some((record, size))
}

/// Reads the next record of the file; `None` at the end. The first record determines the byte
/// order. If `out` allows that bad records are skipped, invalid bytes up to the next valid record
/// are skipped.
pub(super) fn next(
    source: &mut DecodedSource,
    order: &mut Option<ByteOrder>,
    out: &mut ReaderOutput,
) -> Result<Option<Record>> {
    loop {
        let offset = source.offset();
        let Some(raw) = source.next_record()? else { return Ok(None) };
        match decode(raw, offset, order) {
            Ok((record, payload_bytes)) => {
                let found = source.next_bytes(payload_bytes)?.len();
                if found < payload_bytes {
                    let at = offset + RECORD_BYTES as u64;
                    let what = "the payload of a record";
                    out.about.bad.pass(source.cut_short(at, payload_bytes, what, found))?;
                }
                return Ok(Some(record));
            }
            Err(message) => {
                out.about.bad.pass(source.byte_error(offset, &message))?;
                let magic = MAGIC | VERSION;
                source.give_back(RECORD_BYTES - 1);
                match order {
                    Some(ByteOrder::Big) => source.skip_to(&magic.to_be_bytes())?,
                    _ => source.skip_to(&magic.to_le_bytes())?,
                }
            }
        }
    }
}

/// Decodes a record, and returns it with the size of its payload, or a message on what is wrong.
fn decode(raw: &[u8; RECORD_BYTES], offset: u64, order: &mut Option<ByteOrder>) -> Decoded<(Record, usize)> {
    let its_order = order_of_valid(raw, order)?;
    let record = Record::of(raw, offset, its_order);
    if record.time_ns < 0 {
        let found = record.time_ns as u64;
        return Err(format!("expected a time from 0 to {} ns, found {found}", i64::MAX));
    }
    Ok((record, its_order.payload_bytes(raw)))
}

/// Determines the byte order from a record, or checks that the record has the known byte order; returns a
/// message if the record is not valid.
fn order_of_valid(raw: &[u8; RECORD_BYTES], order: &mut Option<ByteOrder>) -> Decoded<ByteOrder> {
    let its_order = ByteOrder::of(raw).filter(|its| *order.get_or_insert(*its) == *its).ok_or_else(|| {
        format!("expected the magic number of a blktrace record, found {}", quote(&raw[..4]))
    })?;
    match its_order.word(raw, 0) & 0xff {
        VERSION => Ok(its_order),
        version => Err(format!("expected a blktrace record of version {VERSION}, found version {version}")),
    }
}
