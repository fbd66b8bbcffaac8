//! An SRT record: its size, its version and type, and then fields of 32 bits.

use std::collections::BTreeSet;

use super::super::super::columns::{flags, Op, TraceRow};
use super::super::super::quantities::{sectors, OFFSET_MAX};
use super::super::super::records::Decoded;

/// Number of bytes at the start of every record that hold its size, version and type.
pub(super) const START_BYTES: usize = 8;
/// The first bytes of a short I/O record of version 4, as in most files.
pub(super) const COMMON_START: [u8; START_BYTES] = [0, 0, 0, 56, 0, 4, 0, 1];
/// Largest size of a record in bytes.
const RECORD_BYTES_MAX: u32 = 4096;

const SHORT_IO: u32 = 1;
const TEXT_IO: u32 = 3;
/// Type of an I/O record whose times are doubtful and which has an additional field; DiskSim skips such
/// records, too.
const SUSPECT_IO: u32 = 4;
/// Largest version and largest type that a valid record may have; records of unknown versions and
/// types are skipped.
const VERSION_MAX: u32 = 15;
const TYPE_MAX: u32 = 255;

/// Number of microseconds in a second.
const MICROS: u32 = 1_000_000;
const NS_PER_S: i64 = 1_000_000_000;
const NS_PER_US: i64 = 1_000;

// Bits of the flags of an I/O.
const READ: u32 = 1;
const ASYNC: u32 = 1 << 8;
const SYNC: u32 = 1 << 24;
// The upper half of `info` holds the class of the blocks, and a bit for writes by the update daemon.
const CLASS: u32 = 0x1f;
const DAEMON: u32 = 0x20;
const INODE: u8 = 2;
const CYLINDER_GROUP: u8 = 6;

/// Version and type of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordKind {
    version: u32,
    record_type: u32,
}

/// Decodes the first bytes of a record: its version and type, and the number of bytes that follow; or a
/// message on what is wrong.
pub(super) fn kind(start: [u8; START_BYTES]) -> Decoded<(RecordKind, usize)> {
    let (size, id) = (word(&start, 0), word(&start, 4));
    let kind = RecordKind { version: id >> 16, record_type: id & 0xffff };
    if !(1..=VERSION_MAX).contains(&kind.version) || !(1..=TYPE_MAX).contains(&kind.record_type) {
        return Err(format!("expected the version and type of an SRT record, found 0x{id:08x}"));
    }
    let least = kind.size_of_io().unwrap_or(START_BYTES as u32);
    if !(least..=RECORD_BYTES_MAX).contains(&size) {
        return Err(format!(
            "expected an SRT record of version {} and type {} to have {least} to {RECORD_BYTES_MAX} bytes, found {size}",
            kind.version, kind.record_type
        ));
    }
    Ok((kind, size as usize - START_BYTES))
}

impl RecordKind {
    /// The size in bytes of a record that is a request, for known versions.
    fn size_of_io(self) -> Option<u32> {
        if !(SHORT_IO..=TEXT_IO).contains(&self.record_type) {
            return None;
        }
        match self.version {
            1..=3 => Some(52),
            4 => Some(56),
            7 => Some(88),
            _ => None,
        }
    }

    /// True if the record's times are times of day.
    pub fn has_clock(self) -> bool {
        self.version >= 7
    }

    /// Decodes a request from `rest`, the bytes behind the start of its record; `None` if the record is not
    /// a request.
    pub fn io(self, rest: &[u8]) -> Option<Io> {
        self.size_of_io()?;
        let field = |at: usize| word(rest, at - START_BYTES);
        let (drive, sector, offset_bytes) = if self.has_clock() {
            (Drive::late(field(32)), None, u64::from(field(64)) << 32 | u64::from(field(68)))
        } else {
            (Drive::early(field(32)), Some(field(28)), 0)
        };
        let (start_us, stop_us, bytes) = (field(16), field(20), field(24));
        let (bits, info) = (field(44), field(48) >> 16);
        let class = (info & CLASS) as u8;
        let flag = |word: u32, bit, flag| if word & bit == 0 { 0 } else { flag };
        let request = TraceRow {
            arrival_ns: i64::from(field(8)) * NS_PER_S + i64::from(field(12)) * NS_PER_US,
            op: if bits & READ == 0 { Op::Write } else { Op::Read },
            metadata: (INODE..=CYLINDER_GROUP).contains(&class),
            device: drive.number,
            class,
            flags: flag(bits, SYNC, flags::SYNC)
                | flag(bits, ASYNC, flags::ASYNC)
                | flag(info, DAEMON, flags::DAEMON),
            response_ns: i64::from(stop_us) * NS_PER_US,
            service_ns: i64::from(stop_us.saturating_sub(start_us)) * NS_PER_US,
            ..TraceRow::default()
        };
        Some(Io { drive, sector, offset_bytes, bytes, request })
    }
}

/// A drive, and the section (partition) of the drive that a request accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Drive {
    pub number: i32,
    pub section: u8,
    is_late: bool,
}

impl Drive {
    /// Splits a device number of HP-UX 8: major (8 bits), unit (16), section, which is a partition
    /// (8). Like DiskSim, uses the lower 8 bits of the unit.
    fn early(device: u32) -> Self {
        Self { number: (device >> 8 & 0xff) as i32, section: device as u8, is_late: false }
    }

    /// Splits a device number of HP-UX 11: major (8 bits), bus (8), target (4), unit (4), section,
    /// which is a partition (8).
    fn late(device: u32) -> Self {
        Self { number: (device >> 8 & 0xffff) as i32, section: device as u8, is_late: true }
    }

    /// The name of a drive; for HP-UX 8 it includes the numbers of the sections (partitions) that
    /// were accessed.
    pub fn name(self, sections: &BTreeSet<u8>) -> String {
        let number = self.number;
        let listed: Vec<String> = sections.iter().map(u8::to_string).collect();
        match (self.is_late, sections.len()) {
            (true, _) => format!("c{}t{}d{}", number >> 8, number >> 4 & 0xf, number & 0xf),
            (false, 1) => format!("disc unit {number} section {}", listed[0]),
            (false, _) => format!("disc unit {number} sections {}", listed.join(", ")),
        }
    }
}

/// A request in the units of its record. To convert its position to sectors of 512 bytes, the
/// sector size of the drive is needed, which the header gives.
#[derive(Debug)]
pub(super) struct Io {
    pub drive: Drive,
    /// First sector in sectors of the drive; `None` for versions from 7 on, which give an offset in bytes
    /// instead.
    pub sector: Option<u32>,
    offset_bytes: u64,
    bytes: u32,
    request: TraceRow,
}

impl Io {
    /// Converts the record to a request; `None` if it has no data, or a message on what is wrong.
    pub fn request(self, sector_bytes: u64) -> Decoded<Option<TraceRow>> {
        let offset = self.sector.map_or(self.offset_bytes, |sector| u64::from(sector) * sector_bytes);
        if offset > OFFSET_MAX {
            return Err(format!("expected an offset from 0 to {OFFSET_MAX} bytes, found {offset}"));
        }
        let (lbn, blocks) = sectors(offset, u64::from(self.bytes));
        Ok((self.bytes > 0).then_some(TraceRow { lbn, blocks, ..self.request }))
    }
}

/// True if a file without a header begins with the record of a request that has exactly the size of its
/// version.
pub(super) fn look_plausible(head: &[u8]) -> bool {
    let Some(start) = head.first_chunk::<16>() else { return false };
    let (size, id, micros) = (word(start, 0), word(start, 4), word(start, 12));
    let (record_type, extra) = match id & 0xffff {
        SUSPECT_IO => (SHORT_IO, 4),
        record_type => (record_type, 0),
    };
    let kind = RecordKind { version: id >> 16, record_type };
    micros < MICROS && kind.size_of_io().is_some_and(|bytes| bytes + extra == size)
}

/// The big-endian number of 32 bits at position `at`.
fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
