//! The traces of Tencent's cloud block storage (SNIA IOTTA 27917): a request a line,
//! `Timestamp,Offset,Size,IOType,VolumeID`, in seconds since 1970 and sectors; type 0 is a read, 1 a write.

use super::super::columns::{Op, Request};
use super::super::fields::{Commas, Parsed};
use super::super::lines::{LineFormat, Lines};
use super::super::plausibility::{Extents, Unit};
use super::super::trace_info::ReaderOutput;
use super::shape::{comma_words, first_line, is_header, is_number, is_whole};
use super::{FormatKind, FormatRow};

pub(super) const ROW: FormatRow = FormatRow::new(
    "tencent",
    "Tencent CBS CSV: seconds,sector,sectors,0=read|1=write,volume",
    FormatKind {
        has_clock: true,
        matches,
        open: |source, _| {
            Ok(Lines::reader(source, Tencent { extents: Extents::new(Unit::Sectors, Unit::Sectors) }))
        },
        writer: None,
    },
);

const HEADER: &str = "Timestamp,Offset,Size,IOType,VolumeID";
const SECOND_PLACES: usize = 9;

struct Tencent {
    extents: Extents,
}

fn matches(head: &[u8]) -> bool {
    match comma_words(head)[..] {
        [time, lbn, blocks, op, volume] => {
            let numbers = is_number(time) && [lbn, blocks, volume].into_iter().all(is_whole);
            numbers && matches!(op, b"0" | b"1") || is_header(first_line(head), HEADER)
        }
        _ => false,
    }
}

impl LineFormat for Tencent {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let mut fields = Commas::of(line);
        let arrival_ns = fields.decimal(SECOND_PLACES, "a time in s since 1970 (a decimal number from 0)")?;
        let (lbn, blocks) = (fields.lbn()?, fields.blocks()?);
        let op = match fields.integer(0..=1, "0 (read) or 1 (write)")? {
            0 => Op::Read,
            _ => Op::Write,
        };
        let device = fields.device()?;
        fields.end()?;
        if !self.extents.add(lbn, blocks, &mut out.about) {
            return Ok(());
        }
        let (lbn, blocks) = (lbn as i64, blocks as i32);
        out.rows.push(Request { arrival_ns, lbn, blocks, op, device, ..Request::default() });
        Ok(())
    }

    fn is_header(&self, line: &[u8]) -> bool {
        is_header(line, HEADER)
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.extents.add_notes(&mut out.about);
    }
}
