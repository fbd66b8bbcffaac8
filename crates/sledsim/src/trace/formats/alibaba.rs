//! The block traces of Alibaba Cloud (2020): one request per line,
//! `device_id,opcode,offset,length,timestamp`, in bytes and microseconds since 1970.

use super::super::columns::TraceRow;
use super::super::fields::{Commas, Parsed};
use super::super::plausibility::Unit;
use super::super::trace_info::ReaderOutput;
use super::requests::{self, Entry, RequestFormat};
use super::shape::{comma_words, is_number, is_read_or_write, is_whole};
use super::FormatRow;

pub(super) const ROW: FormatRow = FormatRow::new(
    "alibaba",
    "Alibaba block trace CSV: device,R|W,offset,bytes,microseconds",
    requests::kind::<Alibaba>(SAMPLE).with_clock(),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"419,W,8792731648,16384,1577808144360767\n725,R,59110326272,360448,1577808144360813\n";

const US_PLACES: usize = 3;

#[derive(Default)]
struct Alibaba;

impl RequestFormat for Alibaba {
    const UNITS: (Unit, Unit) = (Unit::Bytes, Unit::Bytes);
    const HEADER: Option<&str> = Some("device_id,opcode,offset,length,timestamp");

    fn looks_like(head: &[u8]) -> bool {
        matches!(comma_words(head)[..], [device, op, offset, size, time]
            if [device, offset, size].into_iter().all(is_whole) && is_number(time) && is_read_or_write(op))
    }

    fn entry(&mut self, line: &[u8], _out: &mut ReaderOutput) -> Parsed<Option<Entry>> {
        let mut fields = Commas::of(line);
        let (device, op) = (fields.device()?, fields.read_or_write()?);
        let (place, size) = (fields.offset()?, fields.size()?);
        let arrival_ns = fields.decimal(US_PLACES, "a time in us since 1970 (a decimal number from 0)")?;
        fields.end()?;
        Ok(Some(Entry { place, size, request: TraceRow { arrival_ns, op, device, ..TraceRow::default() } }))
    }
}
