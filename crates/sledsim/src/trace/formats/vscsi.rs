//! VMware's vscsi traces: little-endian records of 32 bytes (version 1) or 40 bytes (version 2), without a
//! header.

use super::super::columns::{Op, TraceRow};
use super::super::fields::LBN_MAX;
use super::super::quantities::sectors;
use super::super::records::{u16_le, u32_le, u64_le, Decoded, RecordFormat, Records};
use super::super::scsi::operation;
use super::super::trace_info::{ReaderOutput, Times};
use super::{FormatKind, FormatRow};

pub(super) const ROW: FormatRow = FormatRow::new(
    "vscsi",
    "VMware vscsi binary, versions 1 and 2 (2 with response times)",
    FormatKind::new(
        SAMPLE,
        |head| recognise(head).is_some(),
        |mut source, _| {
            Ok(match version(source.head()?) {
                1 => Records::reader(source, Vscsi::<FIRST_BYTES>),
                _ => Records::reader(source, Vscsi::<SECOND_BYTES>),
            })
        },
    ),
);

/// A small file in this format.
const SAMPLE: &[u8] =
    b"t\0\0\x80\0\x02\0\0\x01\0\0\0*\0\0\x01\t\x1a\x8f\x02\0\0\0\0\"\xcf\x82\xbe\x1f\x05\0\0";

const FIRST_BYTES: usize = 32;
const SECOND_BYTES: usize = 40;
const NS_PER_US: u64 = 1_000;
/// The largest time in us that can be expressed in ns.
const TIME_US_MAX: u64 = i64::MAX as u64 / NS_PER_US;
/// Number of records examined to recognise a file; at least one of them must be a read or write.
const LOOKED_AT: usize = 64;
/// Number of records at the start of a file that must be plausible for the file to be recognised.
const PLAUSIBLE_RECORDS: usize = 4;
/// Largest plausible request, in bytes.
const PLAUSIBLE_BYTES: u32 = 1 << 28;
/// Largest plausible disk, in sectors.
const PLAUSIBLE_LBN: u64 = 1 << 48;

/// A reader of the version whose records have `SIZE` bytes. Records of 32 bytes are `sn u32, bytes u32,
/// segments u32, command u16, version u16, sector u64, time_us u64`; records of 40 bytes are `command u16,
/// version u16, sn u32, bytes u32, segments u32, sector u64, time_us u64, response_us u64`.
struct Vscsi<const SIZE: usize>;

/// The fields of a record that sledsim uses, for both versions.
#[derive(Clone, Copy)]
struct Fields {
    command: u16,
    version: u16,
    bytes: u32,
    lbn: u64,
    time_us: u64,
    response_us: u64,
}

impl<const SIZE: usize> Vscsi<SIZE> {
    const VERSION: u16 = if SIZE == FIRST_BYTES { 1 } else { 2 };

    #[inline]
    fn fields(record: &[u8; SIZE]) -> Fields {
        let (command, bytes) = if Self::VERSION == 1 { (12, 4) } else { (0, 8) };
        Fields {
            command: u16_le(record, command),
            version: u16_le(record, command + 2) >> 8,
            bytes: u32_le(record, bytes),
            lbn: u64_le(record, 16),
            time_us: u64_le(record, 24),
            response_us: if Self::VERSION == 1 { 0 } else { u64_le(record, 32) },
        }
    }

    /// Detects the version from the first records of a file; `None` if they are not plausible records of
    /// this format.
    fn recognise(head: &[u8]) -> Option<u16> {
        let records: Vec<Fields> = head.as_chunks().0.iter().take(LOOKED_AT).map(Self::fields).collect();
        let mut begin = records.iter().take(PLAUSIBLE_RECORDS);
        let moves_data = |fields: &Fields| operation(fields.command).is_some_and(Op::moves_data);
        let is_such =
            begin.all(|fields| fields.is_plausible(Self::VERSION)) && records.iter().any(moves_data);
        is_such.then_some(Self::VERSION)
    }
}

impl<const SIZE: usize> RecordFormat<SIZE> for Vscsi<SIZE> {
    #[inline]
    fn record(&mut self, record: &[u8; SIZE], out: &mut ReaderOutput) -> Decoded<Option<TraceRow>> {
        Self::fields(record).request(Self::VERSION, out)
    }
}

impl Fields {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn request(self, version: u16, out: &mut ReaderOutput) -> Decoded<Option<TraceRow>> {
        let Self { bytes, lbn, time_us, response_us, .. } = self;
        if self.version != version || lbn > LBN_MAX || time_us.max(response_us) > TIME_US_MAX {
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
        Ok(Some(TraceRow {
            arrival_ns: (time_us * NS_PER_US) as i64,
            lbn: if is_flush { 0 } else { lbn as i64 },
            blocks: if is_flush { 0 } else { blocks },
            op,
            response_ns: (response_us * NS_PER_US) as i64,
            ..TraceRow::default()
        }))
    }

    #[cold]
    fn fault(self, version: u16) -> String {
        let (expected, found) = match self {
            Self { version: its, .. } if its != version => {
                return format!("expected a vscsi record of version {version}, found version {its}");
            }
            Self { lbn, .. } if lbn > LBN_MAX => (format!("a sector from 0 to {LBN_MAX}"), lbn),
            Self { time_us, response_us, .. } => {
                (format!("a time from 0 to {TIME_US_MAX} us"), time_us.max(response_us))
            }
        };
        format!("expected {expected}, found {found}")
    }

    fn is_plausible(self, version: u16) -> bool {
        self.version == version
            && self.command <= 0xff
            && self.bytes <= PLAUSIBLE_BYTES
            && self.lbn <= PLAUSIBLE_LBN
            && self.time_us.max(self.response_us) <= TIME_US_MAX
    }
}

/// Detects the version from the first records of a file; `None` if they are not plausible records of this
/// format.
fn recognise(head: &[u8]) -> Option<u16> {
    Vscsi::<SECOND_BYTES>::recognise(head).or_else(|| Vscsi::<FIRST_BYTES>::recognise(head))
}

/// Detects the version of a file in this format: 2 if the file begins with a record of version 2,
/// otherwise 1.
fn version(head: &[u8]) -> u16 {
    let first = head.first_chunk().map(Vscsi::<SECOND_BYTES>::fields);
    recognise(head).unwrap_or(if first.is_some_and(|fields| fields.version == 2) { 2 } else { 1 })
}
