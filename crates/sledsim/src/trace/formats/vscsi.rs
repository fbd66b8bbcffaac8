//! VMware's vscsi traces: records of 32 bytes (version 1) or 40 (version 2), little-endian, without a header.

use super::super::columns::{Op, Request};
use super::super::fields::LBN_MAX;
use super::super::quantities::sectors;
use super::super::records::{u16_le, u32_le, u64_le, Decoded, RecordFormat, Records};
use super::super::trace_info::{ReaderOutput, Times};
use super::{FormatKind, FormatRow};

pub(super) const ROW: FormatRow = FormatRow::new(
    "vscsi",
    "VMware vscsi binary, versions 1 and 2 (2 with response times)",
    FormatKind {
        has_clock: false,
        matches: |head| recognise(head).is_some(),
        open: |mut source, _| {
            Ok(match version(source.head()?) {
                Version::First => Records::reader(source, First),
                Version::Second => Records::reader(source, Second),
            })
        },
        writer: None,
    },
);

const FIRST_BYTES: usize = 32;
const SECOND_BYTES: usize = 40;
const NS_PER_US: u64 = 1_000;
/// The latest time in us that is a time in ns.
const TIME_US_MAX: u64 = i64::MAX as u64 / NS_PER_US;
/// One of so many records has to be a read or write for a file to be recognised,
const LOOKED_AT: usize = 64;
/// and the first of them have to be plausible.
const PLAUSIBLE_RECORDS: usize = 4;
/// No request is longer, in bytes.
const PLAUSIBLE_BYTES: u32 = 1 << 28;
/// No disk is larger, in sectors.
const PLAUSIBLE_LBN: u64 = 1 << 48;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    First = 1,
    Second = 2,
}

/// `sn u32, bytes u32, segments u32, command u16, version u16, sector u64, time_us u64`.
struct First;

/// `command u16, version u16, sn u32, bytes u32, segments u32, sector u64, time_us u64, response_us u64`.
struct Second;

/// The fields of either that matter here.
#[derive(Clone, Copy)]
struct Fields {
    command: u16,
    version: u16,
    bytes: u32,
    lbn: u64,
    time_us: u64,
    response_us: u64,
}

impl First {
    #[inline]
    fn fields(record: &[u8; FIRST_BYTES]) -> Fields {
        Fields {
            command: u16_le(record, 12),
            version: u16_le(record, 14),
            bytes: u32_le(record, 4),
            lbn: u64_le(record, 16),
            time_us: u64_le(record, 24),
            response_us: 0,
        }
    }
}

impl Second {
    #[inline]
    fn fields(record: &[u8; SECOND_BYTES]) -> Fields {
        Fields {
            command: u16_le(record, 0),
            version: u16_le(record, 2),
            bytes: u32_le(record, 8),
            lbn: u64_le(record, 16),
            time_us: u64_le(record, 24),
            response_us: u64_le(record, 32),
        }
    }
}

impl RecordFormat<FIRST_BYTES> for First {
    #[inline]
    fn record(&mut self, record: &[u8; FIRST_BYTES], out: &mut ReaderOutput) -> Decoded<Option<Request>> {
        Self::fields(record).request(Version::First, out)
    }
}

impl RecordFormat<SECOND_BYTES> for Second {
    #[inline]
    fn record(&mut self, record: &[u8; SECOND_BYTES], out: &mut ReaderOutput) -> Decoded<Option<Request>> {
        Self::fields(record).request(Version::Second, out)
    }
}

impl Fields {
    #[inline]
    fn request(self, version: Version, out: &mut ReaderOutput) -> Decoded<Option<Request>> {
        let Self { bytes, lbn, time_us, response_us, .. } = self;
        if self.version >> 8 != version as u16 || lbn > LBN_MAX || time_us.max(response_us) > TIME_US_MAX {
            return Err(self.fault(version));
        }
        out.times = Times::FromAnywhere;
        let Some(op) = operation(self.command) else {
            out.about.skipped.commands += 1;
            return Ok(None);
        };
        let is_flush = op == Op::Flush;
        if bytes == 0 && !is_flush {
            out.about.skipped.empty += 1;
            return Ok(None);
        }
        let (_, blocks) = sectors(0, u64::from(bytes));
        Ok(Some(Request {
            arrival_ns: (time_us * NS_PER_US) as i64,
            lbn: if is_flush { 0 } else { lbn as i64 },
            blocks: if is_flush { 0 } else { blocks },
            op,
            response_ns: (response_us * NS_PER_US) as i64,
            ..Request::default()
        }))
    }

    #[cold]
    fn fault(self, version: Version) -> String {
        let (expected, found) = match self {
            Self { version: its, .. } if its >> 8 != version as u16 => {
                return format!(
                    "expected a vscsi record of version {}, found version {}",
                    version as u16,
                    its >> 8
                );
            }
            Self { lbn, .. } if lbn > LBN_MAX => (format!("a sector up to {LBN_MAX}"), lbn),
            Self { time_us, response_us, .. } => {
                (format!("a time up to {TIME_US_MAX} us"), time_us.max(response_us))
            }
        };
        format!("expected {expected}, found {found}")
    }

    fn is_plausible(self, version: Version) -> bool {
        self.version >> 8 == version as u16
            && self.command <= 0xff
            && self.bytes <= PLAUSIBLE_BYTES
            && self.lbn <= PLAUSIBLE_LBN
            && self.time_us.max(self.response_us) <= TIME_US_MAX
    }
}

/// What a SCSI command does to the blocks that it names; none of the others moves data to or from blocks.
#[inline]
fn operation(command: u16) -> Option<Op> {
    match command {
        0x08 | 0x28 | 0x88 | 0xa8 => Some(Op::Read),
        0x0a | 0x2a | 0x8a | 0xaa | 0x2e | 0x8e | 0xae => Some(Op::Write),
        0x35 | 0x91 => Some(Op::Flush),
        _ => None,
    }
}

/// The version that the first records look like.
fn recognise(head: &[u8]) -> Option<Version> {
    let seconds: Vec<Fields> = head.as_chunks().0.iter().take(LOOKED_AT).map(Second::fields).collect();
    let firsts: Vec<Fields> = head.as_chunks().0.iter().take(LOOKED_AT).map(First::fields).collect();
    [(Version::Second, seconds), (Version::First, firsts)].into_iter().find_map(|(version, records)| {
        let begin = &records[..records.len().min(PLAUSIBLE_RECORDS)];
        let is_plausible = begin.iter().all(|fields| fields.is_plausible(version));
        let moves_data = |fields: &Fields| operation(fields.command).is_some_and(Op::moves_data);
        (is_plausible && records.iter().any(moves_data)).then_some(version)
    })
}

/// The version of a file that is known to be of this format: the second, if a record of it begins the file.
fn version(head: &[u8]) -> Version {
    let is_second = head.first_chunk().is_some_and(|record| Second::fields(record).version >> 8 == 2);
    recognise(head).unwrap_or(if is_second { Version::Second } else { Version::First })
}
