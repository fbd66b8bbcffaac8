//! HP's SRT traces of HP-UX: the traces of Ruemmler and Wilkes (versions 1 to 4) and the later traces of
//! cello (version 7). Records are big-endian and contain their own size; a text header may precede them.
//!
//! A device of the trace is a whole drive: sectors are counted from the start of the drive, not of
//! the section (partition).

mod header;
mod io_record;

use std::collections::{BTreeMap, BTreeSet};

use super::super::evidence::Aspect;
use super::super::reader::Reader;
use super::super::records::Decoded;
use super::super::source::DecodedSource;
use super::super::trace_info::{ReaderOutput, Times};
use super::{FormatKind, FormatRow};
use crate::error::Result;
use header::Header;
use io_record::{Drive, Io, RecordKind, START_BYTES};

pub(super) const ROW: FormatRow = FormatRow::new(
    "srt",
    "HP SRT binary, v1-v4 and v7, with block classes and measured times; each drive is a device",
    FormatKind::new(
        SAMPLE,
        |head| header::begins(head) || io_record::look_plausible(head),
        |source, _| Ok(Box::new(Srt::open(source)?)),
    ),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"\0\0\08\0\x04\0\x01\0\0\0\x01\0\0\0\0\0\0\0L\0\0'6\0\0 \0\0\0\0\x03\x08\0\x01\x07\0\0\0\x04\0\0\0\t\x01\0\0\0\0\"\0\0\0\0\0\x01";

const NO_SECTOR_SIZE: &str =
    "the trace has no header with the sector size of the drives: assuming 512 bytes, although some old HP drives have 256 bytes";

struct Srt {
    source: DecodedSource,
    header: Header,
    /// The first bytes of the last valid record. After damaged data, the next valid record is found
    /// by searching for these bytes.
    start: [u8; START_BYTES],
    /// Sections (partitions) of each drive that requests have accessed.
    sections: BTreeMap<i32, BTreeSet<u8>>,
    last: Option<Drive>,
    has_noted: bool,
}

impl Srt {
    fn open(mut source: DecodedSource) -> Result<Self> {
        let header = header::read(&mut source)?;
        let start = io_record::COMMON_START;
        Ok(Self { source, header, start, sections: BTreeMap::new(), last: None, has_noted: false })
    }

    fn io(&mut self, io: Io, kind: RecordKind, out: &mut ReaderOutput) -> Decoded<()> {
        if kind.has_clock() {
            out.times = Times::OfDay;
        }
        if self.last != Some(io.drive) {
            self.last = Some(io.drive);
            let sections = self.sections.entry(io.drive.number).or_default();
            if sections.insert(io.drive.section) {
                out.about.device_names.insert(io.drive.number, io.drive.name(sections));
            }
        }
        let sector_bytes = self.header.sector_bytes(io.drive.number);
        if sector_bytes.is_none() && io.sector.is_some() && !self.has_noted {
            self.has_noted = true;
            out.about.doubt(Aspect::Plausibility, NO_SECTOR_SIZE);
        }
        match io.request(sector_bytes.unwrap_or(header::SECTOR_BYTES))? {
            Some(request) => out.rows.push(request),
            None => out.about.skipped.empty += 1,
        }
        Ok(())
    }
}

impl Reader for Srt {
    fn take_in(&mut self, _most: usize, out: &mut ReaderOutput) -> Result<usize> {
        let offset = self.source.offset();
        let Some(start) = self.source.next_record::<START_BYTES>()?.copied() else { return Ok(0) };
        let (kind, rest_bytes) = match io_record::kind(start) {
            Ok(kind) => kind,
            Err(message) => {
                out.about.bad.pass(self.source.byte_error(offset, &message))?;
                self.source.give_back(START_BYTES - 1);
                self.source.skip_to(&self.start)?;
                return Ok(1);
            }
        };
        let rest = self.source.next_bytes(rest_bytes)?;
        if rest.len() < rest_bytes {
            let found = START_BYTES + rest.len();
            return Err(self.source.cut_short(offset, START_BYTES + rest_bytes, "a record", found));
        }
        if let Some(io) = kind.io(rest) {
            self.start = start;
            self.io(io, kind, out).map_err(|message| self.source.byte_error(offset, &message))?;
        } else {
            out.about.skipped.other += 1;
        }
        Ok(1)
    }

    fn consumed_bytes(&self) -> u64 {
        self.source.consumed_bytes()
    }
}
