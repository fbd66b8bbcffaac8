//! The trace file format of the Storage Performance Council (SPC, revision 1.0.1), as in the traces of
//! UMass: one request per line, `unit,block,bytes,R|W,seconds`, optionally followed by further fields.

use super::super::columns::{Op, TraceRow};
use super::super::fields::{Commas, Parsed};
use super::super::plausibility::Unit;
use super::super::quantities::SECTOR_BYTES;
use super::super::trace_info::{ReaderOutput, TraceInfo};
use super::super::writer::{push_decimal, push_whole, Writer};
use super::requests::{self, Entry, RequestFormat};
use super::shape::{comma_words, is_number, is_read_or_write, is_whole};
use super::FormatRow;
use crate::error::Result;

pub(super) const ROW: FormatRow = FormatRow::new(
    "spc",
    "SPC: unit,block,bytes,R|W,seconds (blocks of 512 bytes; more fields are ignored)",
    requests::kind::<Spc>(SAMPLE).writer(|| Box::new(Spc)),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"0,20941264,8192,W,0.551706,Alpha/NT\n0,20939840,8192,W,0.554041\n";

/// Number of decimal places of an arrival time in s that are kept; 9 places reach down to ns.
const SECOND_PLACES: usize = 9;

#[derive(Default)]
struct Spc;

impl RequestFormat for Spc {
    const UNITS: (Unit, Unit) = (Unit::Sectors, Unit::Bytes);

    fn looks_like(head: &[u8]) -> bool {
        matches!(comma_words(head)[..], [unit, lbn, size, op, time, ..]
            if [unit, lbn, size].into_iter().all(is_whole) && is_read_or_write(op) && is_number(time))
    }

    #[inline]
    fn entry(&mut self, line: &[u8], _out: &mut ReaderOutput) -> Parsed<Option<Entry>> {
        let mut fields = Commas::of(line);
        let (device, place, size, op) =
            (fields.device()?, fields.lbn()?, fields.size()?, fields.read_or_write()?);
        let arrival_ns = fields.decimal(SECOND_PLACES, "an arrival time in s (a decimal number from 0)")?;
        Ok(Some(Entry { place, size, request: TraceRow { arrival_ns, op, device, ..TraceRow::default() } }))
    }
}

impl Writer for Spc {
    fn request(&mut self, request: &TraceRow, _about: &TraceInfo, bytes: &mut Vec<u8>) -> Result<bool> {
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
            // The format needs a decimal point.
            bytes.extend_from_slice(b".0");
        }
        bytes.push(b'\n');
        Ok(true)
    }
}
