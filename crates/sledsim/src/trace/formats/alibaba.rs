//! The block traces of Alibaba Cloud (2020): a request a line, `device_id,opcode,offset,length,timestamp`,
//! in bytes and microseconds since 1970.

use super::super::columns::Request;
use super::super::fields::{Commas, Parsed};
use super::super::lines::{LineFormat, Lines};
use super::super::plausibility::{Extents, Unit};
use super::super::quantities::sectors;
use super::super::trace_info::ReaderOutput;
use super::shape::{comma_words, first_line, is_header, is_number, is_read_or_write, is_whole};
use super::{FormatKind, FormatRow};

pub(super) const ROW: FormatRow = FormatRow::new(
    "alibaba",
    "Alibaba block trace CSV: device,R|W,offset,bytes,microseconds",
    FormatKind {
        has_clock: true,
        matches,
        open: |source, _| {
            Ok(Lines::reader(source, Alibaba { extents: Extents::new(Unit::Bytes, Unit::Bytes) }))
        },
        writer: None,
    },
);

const HEADER: &str = "device_id,opcode,offset,length,timestamp";
const US_PLACES: usize = 3;

struct Alibaba {
    extents: Extents,
}

fn matches(head: &[u8]) -> bool {
    match comma_words(head)[..] {
        [device, op, offset, size, time] => {
            let numbers = is_whole(device) && is_whole(offset) && is_whole(size) && is_number(time);
            numbers && is_read_or_write(op) || is_header(first_line(head), HEADER)
        }
        _ => false,
    }
}

impl LineFormat for Alibaba {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let mut fields = Commas::of(line);
        let (device, op) = (fields.device()?, fields.read_or_write()?);
        let (offset, size) = (fields.offset()?, fields.size()?);
        let arrival_ns = fields.decimal(US_PLACES, "a time in us since 1970 (a decimal number from 0)")?;
        fields.end()?;
        if !self.extents.add(offset, size, &mut out.about) {
            return Ok(());
        }
        let (lbn, blocks) = sectors(offset, size);
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
