//! The SPC trace file format (Storage Performance Council, revision 1.0.1), as the traces of UMass have it:
//! a request a line, `unit,block,bytes,R|W,seconds`, with more fields behind or not.

use super::super::columns::{Op, Request};
use super::super::fields::{Commas, Parsed};
use super::super::lines::{LineFormat, Lines};
use super::super::plausibility::{Extents, Unit};
use super::super::quantities::SECTOR_BYTES;
use super::super::trace_info::{ReaderOutput, TraceInfo};
use super::super::writer::{push_decimal, push_whole, Writer};
use super::shape::{comma_words, is_number, is_read_or_write, is_whole};
use super::{FormatKind, FormatRow};
use crate::error::Result;

pub(super) const ROW: FormatRow = FormatRow::new(
    "spc",
    "SPC: unit,block,bytes,R|W,seconds (blocks of 512 bytes; more fields are ignored)",
    FormatKind {
        has_clock: false,
        matches,
        open: |source, _| {
            Ok(Lines::reader(source, Spc { extents: Extents::new(Unit::Sectors, Unit::Bytes) }))
        },
        writer: Some(|| Box::new(SpcWriter)),
    },
);

/// An arrival in s has this many decimal places of ns.
const SECOND_PLACES: usize = 9;

struct Spc {
    extents: Extents,
}

fn matches(head: &[u8]) -> bool {
    match comma_words(head)[..] {
        [unit, lbn, size, op, time, ..] => {
            is_whole(unit) && is_whole(lbn) && is_whole(size) && is_read_or_write(op) && is_number(time)
        }
        _ => false,
    }
}

impl LineFormat for Spc {
    #[inline]
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let mut fields = Commas::of(line);
        let (device, lbn, size, op) =
            (fields.device()?, fields.lbn()?, fields.size()?, fields.read_or_write()?);
        let arrival_ns = fields.decimal(SECOND_PLACES, "an arrival time in s (a decimal number from 0)")?;
        if !self.extents.add(lbn, size, &mut out.about) {
            return Ok(());
        }
        let blocks = size.div_ceil(SECTOR_BYTES) as i32;
        out.rows.push(Request { arrival_ns, lbn: lbn as i64, blocks, op, device, ..Request::default() });
        Ok(())
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.extents.add_notes(&mut out.about);
    }
}

struct SpcWriter;

impl Writer for SpcWriter {
    fn request(&mut self, request: &Request, _about: &TraceInfo, bytes: &mut Vec<u8>) -> Result<bool> {
        let letter: &[u8] = match request.op {
            Op::Read => b"R,",
            Op::Write => b"W,",
            Op::Discard | Op::Flush => return Ok(false),
        };
        let size = i64::from(request.blocks) * SECTOR_BYTES as i64;
        for field in [i64::from(request.device), request.lbn, size] {
            push_whole(field.unsigned_abs(), bytes);
            bytes.push(b',');
        }
        bytes.extend_from_slice(letter);
        let start = bytes.len();
        push_decimal(request.arrival_ns, SECOND_PLACES, bytes);
        if !bytes[start..].contains(&b'.') {
            // The format asks for a decimal point.
            bytes.extend_from_slice(b".0");
        }
        bytes.push(b'\n');
        Ok(true)
    }
}
