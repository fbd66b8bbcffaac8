//! The smartphone traces of ASTL at Xiamen University (MobileCT, a Nexus 5): a request a line,
//! `seconds R|W block blocks process_number process digest`, in blocks of 512 bytes.

use super::super::columns::Request;
use super::super::fields::{Fields, Parsed, I32_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::plausibility::{Extents, Unit};
use super::super::trace_info::ReaderOutput;
use super::shape::{blank_words, is_number, is_read_or_write, is_whole};
use super::{FormatKind, FormatRow};

pub(super) const ROW: FormatRow = FormatRow::new(
    "mobilect",
    "ASTL-XMU MobileCT: seconds R|W sector sectors pid process digest",
    FormatKind {
        has_clock: false,
        matches,
        open: |source, _| {
            Ok(Lines::reader(source, MobileCt { extents: Extents::new(Unit::Sectors, Unit::Sectors) }))
        },
        writer: None,
    },
);

const SECOND_PLACES: usize = 9;

struct MobileCt {
    extents: Extents,
}

fn matches(head: &[u8]) -> bool {
    match blank_words(head)[..] {
        [time, op, lbn, blocks, pid, ..] => {
            is_number(time) && is_read_or_write(op) && [lbn, blocks, pid].into_iter().all(is_whole)
        }
        _ => false,
    }
}

impl LineFormat for MobileCt {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let mut fields = Fields::new(line);
        let arrival_ns = fields.decimal(SECOND_PLACES, "a time in s (a decimal number from 0)")?;
        let (op, lbn, blocks) = (fields.read_or_write()?, fields.lbn()?, fields.blocks()?);
        fields.integer(0..=I32_MAX, "a process number")?;
        if !self.extents.add(lbn, blocks, &mut out.about) {
            return Ok(());
        }
        let (lbn, blocks) = (lbn as i64, blocks as i32);
        out.rows.push(Request { arrival_ns, lbn, blocks, op, ..Request::default() });
        Ok(())
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.extents.add_notes(&mut out.about);
    }
}
