//! DiskSim's ASCII format (DiskSim 4.0 manual, section 4.1.1): one request per line, `arrival_ms device
//! block blocks flags`. The flags are hexadecimal; a batch number may follow.

use super::super::columns::{flags, Op, TraceRow};
use super::super::fields::{Fields, Parsed, I32_MAX, LBN_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::plausibility::{Extents, Unit};
use super::super::trace_info::{ReaderOutput, TraceInfo};
use super::super::writer::{push_decimal, push_whole, Writer};
use super::shape::blank_words;
use super::{FormatKind, FormatRow};
use crate::error::Result;

pub(super) const ROW: FormatRow = FormatRow::new(
    "disksim",
    "DiskSim ASCII: arrival_ms device block blocks flags(hex, bit 0 = read)",
    FormatKind::new(SAMPLE, matches, |source, _| Ok(Lines::reader(source, DiskSim::default())))
        .writer(|| Box::new(DiskSim::default())),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"13.191135\t30\t0\t5\t1\n17.829285\t20\t576560\t6\t1\n24.314779\t17\t0\t24\t1\n";

struct DiskSim {
    extents: Extents,
}

impl Default for DiskSim {
    fn default() -> Self {
        Self { extents: Extents::new(Unit::Sectors, Unit::Sectors) }
    }
}

/// Number of decimal places of an arrival time in ms that are kept; 6 places reach down to ns.
const MS_PLACES: usize = 6;
const READ: u32 = 1;
const TIME_CRITICAL: u32 = 2;
const SYNC: u32 = 0x80;
const ASYNC: u32 = 0x100;

/// True if the first line has the form of a request, even with invalid values; `read` reports these
/// in a clearer message.
fn matches(head: &[u8]) -> bool {
    let words = blank_words(head);
    let is_number = |word: &[u8]| std::str::from_utf8(word).is_ok_and(|text| text.parse::<f64>().is_ok());
    let is_integer = |word: &&[u8]| word.iter().all(|byte| byte.is_ascii_hexdigit() || b"-x".contains(byte));
    (5..=6).contains(&words.len()) && is_number(words[0]) && words[1..].iter().all(is_integer)
}

impl LineFormat for DiskSim {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let request = parse(line)?;
        if self.extents.add(request.lbn as u64, request.blocks as u64, &mut out.about) {
            out.rows.push(request);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.extents.add_notes(&mut out.about);
    }
}

fn parse(line: &[u8]) -> Parsed<TraceRow> {
    let mut fields = Fields::new(line);
    let arrival_ns = fields.decimal(MS_PLACES, "an arrival time in ms (a decimal number from 0)")?;
    let device = fields.integer(0..=I32_MAX, "a device number from 0 to 2147483647")?;
    let lbn = fields.integer(0..=LBN_MAX, "a block number from 0 to 9223372034707292160")?;
    let blocks = fields.blocks()?;
    let bits = fields.hexadecimal("hexadecimal flags")?;
    if fields.end().is_err() {
        fields.integer(0..=I32_MAX, "a batch number or the end of the line")?;
        fields.end()?;
    }
    let flag = |bit, flag| if bits & bit == 0 { 0 } else { flag };
    Ok(TraceRow {
        arrival_ns,
        lbn: lbn as i64,
        blocks: blocks as i32,
        op: if bits & READ == 0 { Op::Write } else { Op::Read },
        device: device as i32,
        flags: flag(TIME_CRITICAL | SYNC, flags::SYNC) | flag(ASYNC, flags::ASYNC),
        ..TraceRow::default()
    })
}

impl Writer for DiskSim {
    fn request(&mut self, request: &TraceRow, _about: &TraceInfo, bytes: &mut Vec<u8>) -> Result<bool> {
        if !request.op.moves_data() {
            return Ok(false);
        }
        push_decimal(request.arrival_ns, MS_PLACES, bytes);
        for field in [i64::from(request.device), request.lbn, i64::from(request.blocks)] {
            bytes.push(b' ');
            push_whole(field.unsigned_abs(), bytes);
        }
        let bit = |flag, bit| if request.flags & flag == 0 { 0 } else { bit };
        let read = if request.op == Op::Read { READ } else { 0 };
        let bits = read | bit(flags::SYNC, TIME_CRITICAL) | bit(flags::ASYNC, ASYNC);
        bytes.extend_from_slice(format!(" {bits:x}\n").as_bytes());
        Ok(true)
    }
}
