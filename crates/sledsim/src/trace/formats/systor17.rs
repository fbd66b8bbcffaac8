//! The traces of SYSTOR '17 (SNIA IOTTA 4964, a virtual desktop infrastructure): a request a line,
//! `Timestamp,Response,IOType,LUN,Offset,Size`, in seconds and bytes. The lines are in order of completion.

use super::super::columns::Request;
use super::super::fields::{Commas, Parsed};
use super::super::lines::{LineFormat, Lines};
use super::super::plausibility::{Extents, Unit};
use super::super::quantities::sectors;
use super::super::trace_info::ReaderOutput;
use super::shape::{comma_words, first_line, is_header, is_number, is_read_or_write, is_whole};
use super::{FormatKind, FormatRow};

pub(super) const ROW: FormatRow = FormatRow::new(
    "systor17",
    "SYSTOR '17 CSV: seconds,response,R|W,lun,offset,bytes",
    FormatKind {
        has_clock: true,
        matches,
        open: |source, _| {
            Ok(Lines::reader(source, Systor { extents: Extents::new(Unit::Bytes, Unit::Bytes) }))
        },
        writer: None,
    },
);

const HEADER: &str = "Timestamp,Response,IOType,LUN,Offset,Size";
const SECOND_PLACES: usize = 9;

struct Systor {
    extents: Extents,
}

fn matches(head: &[u8]) -> bool {
    match comma_words(head)[..] {
        [time, response, op, lun, offset, size] => {
            let is_request = is_number(time)
                && (is_number(response) || response.is_empty())
                && (is_read_or_write(op) || op.is_empty())
                && [lun, offset, size].into_iter().all(is_whole);
            is_request || is_header(first_line(head), HEADER)
        }
        _ => false,
    }
}

impl LineFormat for Systor {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let mut fields = Commas::of(line);
        let arrival_ns = fields.decimal(SECOND_PLACES, "a time in s since 1970 (a decimal number from 0)")?;
        let response_ns = if fields.next_is(b',') {
            fields.word();
            0
        } else {
            fields.decimal(SECOND_PLACES, "a response time in s (a decimal number from 0)")?
        };
        if fields.next_is(b',') {
            // The capture missed the answer, and with it what was asked for.
            out.about.skipped.unknown += 1;
            return Ok(());
        }
        let op = fields.read_or_write()?;
        let (device, offset, size) = (fields.device()?, fields.offset()?, fields.size()?);
        fields.end()?;
        if !self.extents.add(offset, size, &mut out.about) {
            return Ok(());
        }
        let (lbn, blocks) = sectors(offset, size);
        out.rows.push(Request { arrival_ns, lbn, blocks, op, device, response_ns, ..Request::default() });
        Ok(())
    }

    fn is_header(&self, line: &[u8]) -> bool {
        is_header(line, HEADER)
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.extents.add_notes(&mut out.about);
    }
}
