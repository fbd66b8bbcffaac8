//! The traces of Fujitsu's K5 cloud (SNIA IOTTA 26930, README at
//! http://iotta.snia.org/traces/parallel/26930): one request per line, `ID,Timestamp,Type,Offset,Length`, in
//! seconds from the first request of all volumes and in bytes.

use super::super::columns::TraceRow;
use super::super::fields::{Commas, Parsed};
use super::super::plausibility::Unit;
use super::super::trace_info::ReaderOutput;
use super::requests::{self, Entry, RequestFormat};
use super::shape::{comma_words, is_number, is_read_or_write, is_whole};
use super::FormatRow;

pub(super) const ROW: FormatRow = FormatRow::new(
    "k5cloud",
    "Fujitsu K5 cloud CSV: volume,seconds,R|W,offset,bytes",
    requests::kind::<K5Cloud>(SAMPLE),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"1008,0.000000,R,94702133248,8192\n1008,0.004211,W,1835008,4096\n";

const SECOND_PLACES: usize = 9;

#[derive(Default)]
struct K5Cloud;

impl RequestFormat for K5Cloud {
    const UNITS: (Unit, Unit) = (Unit::Bytes, Unit::Bytes);
    const HEADER: Option<&str> = Some("ID,Timestamp,Type,Offset,Length");

    fn looks_like(head: &[u8]) -> bool {
        matches!(comma_words(head)[..], [volume, time, op, offset, size]
            if is_number(time) && [volume, offset, size].into_iter().all(is_whole) && is_read_or_write(op))
    }

    fn entry(&mut self, line: &[u8], _out: &mut ReaderOutput) -> Parsed<Option<Entry>> {
        let mut fields = Commas::of(line);
        let device = fields.device()?;
        let arrival_ns =
            fields.decimal(SECOND_PLACES, "a time in s from the first request (a decimal number from 0)")?;
        let op = fields.read_or_write()?;
        let (place, size) = (fields.offset()?, fields.size()?);
        fields.end()?;
        Ok(Some(Entry { place, size, request: TraceRow { arrival_ns, op, device, ..TraceRow::default() } }))
    }
}
