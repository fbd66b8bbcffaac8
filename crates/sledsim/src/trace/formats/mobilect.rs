//! The smartphone traces of ASTL at Xiamen University (MobileCT, a Nexus 5): one request per line, `seconds
//! R|W block blocks process_number process digest`, in blocks of 512 bytes.

use super::super::columns::TraceRow;
use super::super::fields::{Fields, Parsed, I32_MAX};
use super::super::plausibility::Unit;
use super::super::trace_info::ReaderOutput;
use super::requests::{self, Entry, RequestFormat};
use super::shape::{blank_words, is_number, is_read_or_write, is_whole};
use super::FormatRow;

pub(super) const ROW: FormatRow = FormatRow::new(
    "mobilect",
    "ASTL-XMU MobileCT: seconds R|W sector sectors pid process digest",
    requests::kind::<MobileCt>(SAMPLE),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"0.000012 W 2097152 8 1234 app_process d41d8cd98f00b204e9800998ecf8427e\n";

const SECOND_PLACES: usize = 9;

#[derive(Default)]
struct MobileCt;

impl RequestFormat for MobileCt {
    const UNITS: (Unit, Unit) = (Unit::Sectors, Unit::Sectors);

    fn looks_like(head: &[u8]) -> bool {
        matches!(blank_words(head)[..], [time, op, lbn, blocks, pid, ..]
            if is_number(time) && is_read_or_write(op) && [lbn, blocks, pid].into_iter().all(is_whole))
    }

    fn entry(&mut self, line: &[u8], _out: &mut ReaderOutput) -> Parsed<Option<Entry>> {
        let mut fields = Fields::new(line);
        let arrival_ns = fields.decimal(SECOND_PLACES, "a time in s (a decimal number from 0)")?;
        let (op, place, size) = (fields.read_or_write()?, fields.lbn()?, fields.blocks()?);
        fields.integer(0..=I32_MAX, "a process number")?;
        Ok(Some(Entry { place, size, request: TraceRow { arrival_ns, op, ..TraceRow::default() } }))
    }
}
