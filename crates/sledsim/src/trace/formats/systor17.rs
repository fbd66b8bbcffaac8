//! The traces of SYSTOR '17 (SNIA IOTTA 4964, a virtual desktop infrastructure): one request per line,
//! `Timestamp,Response,IOType,LUN,Offset,Size`, in seconds and bytes. The lines are sorted by time of
//! completion.

use super::super::columns::TraceRow;
use super::super::fields::{Commas, Parsed};
use super::super::plausibility::Unit;
use super::super::trace_info::ReaderOutput;
use super::requests::{self, Entry, RequestFormat};
use super::shape::{comma_words, is_number, is_read_or_write, is_whole};
use super::FormatRow;

pub(super) const ROW: FormatRow = FormatRow::new(
    "systor17",
    "SYSTOR '17 CSV: seconds,response,R|W,lun,offset,bytes",
    requests::kind::<Systor>(SAMPLE).with_clock(),
);

/// A small file in this format.
const SAMPLE: &[u8] =
    b"Timestamp,Response,IOType,LUN,Offset,Size\n1456135200.013118000,0.000806000,R,0,899056122368,131072\n";

const SECOND_PLACES: usize = 9;

#[derive(Default)]
struct Systor;

impl RequestFormat for Systor {
    const UNITS: (Unit, Unit) = (Unit::Bytes, Unit::Bytes);
    const HEADER: Option<&str> = Some("Timestamp,Response,IOType,LUN,Offset,Size");

    fn looks_like(head: &[u8]) -> bool {
        matches!(comma_words(head)[..], [time, response, op, lun, offset, size]
            if is_number(time)
                && (is_number(response) || response.is_empty())
                && (is_read_or_write(op) || op.is_empty())
                && [lun, offset, size].into_iter().all(is_whole))
    }

    fn entry(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<Option<Entry>> {
        let mut fields = Commas::of(line);
        let arrival_ns = fields.decimal(SECOND_PLACES, "a time in s since 1970 (a decimal number from 0)")?;
        let response_ns = if fields.next_is(b',') {
            fields.word();
            0
        } else {
            fields.decimal(SECOND_PLACES, "a response time in s (a decimal number from 0)")?
        };
        if fields.next_is(b',') {
            // The capture missed the answer, and with it the operation.
            out.about.skipped.unknown += 1;
            return Ok(None);
        }
        let op = fields.read_or_write()?;
        let (device, place, size) = (fields.device()?, fields.offset()?, fields.size()?);
        fields.end()?;
        let request = TraceRow { arrival_ns, op, device, response_ns, ..TraceRow::default() };
        Ok(Some(Entry { place, size, request }))
    }
}
