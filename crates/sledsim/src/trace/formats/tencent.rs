//! The traces of Tencent's cloud block storage (SNIA IOTTA 27917): one request per line,
//! `Timestamp,Offset,Size,IOType,VolumeID`. Times are in seconds since 1970, offsets and sizes in sectors;
//! type 0 is a read, 1 a write.

use super::super::columns::{Op, TraceRow};
use super::super::fields::{Commas, Parsed};
use super::super::plausibility::Unit;
use super::super::trace_info::ReaderOutput;
use super::requests::{self, Entry, RequestFormat};
use super::shape::{comma_words, is_number, is_whole};
use super::FormatRow;

pub(super) const ROW: FormatRow = FormatRow::new(
    "tencent",
    "Tencent CBS CSV: seconds,sector,sectors,0=read|1=write,volume",
    requests::kind::<Tencent>(SAMPLE).with_clock(),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"1538323199,12910952128,128,0,1283\n1538323199,6265848,8,1,1360\n";

const SECOND_PLACES: usize = 9;

#[derive(Default)]
struct Tencent;

impl RequestFormat for Tencent {
    const UNITS: (Unit, Unit) = (Unit::Sectors, Unit::Sectors);
    const HEADER: Option<&str> = Some("Timestamp,Offset,Size,IOType,VolumeID");

    fn looks_like(head: &[u8]) -> bool {
        matches!(comma_words(head)[..], [time, lbn, blocks, b"0" | b"1", volume]
            if is_number(time) && [lbn, blocks, volume].into_iter().all(is_whole))
    }

    fn entry(&mut self, line: &[u8], _out: &mut ReaderOutput) -> Parsed<Option<Entry>> {
        let mut fields = Commas::of(line);
        let arrival_ns = fields.decimal(SECOND_PLACES, "a time in s since 1970 (a decimal number from 0)")?;
        let (place, size) = (fields.lbn()?, fields.blocks()?);
        let op = match fields.integer(0..=1, "0 (read) or 1 (write)")? {
            0 => Op::Read,
            _ => Op::Write,
        };
        let device = fields.device()?;
        fields.end()?;
        Ok(Some(Entry { place, size, request: TraceRow { arrival_ns, op, device, ..TraceRow::default() } }))
    }
}
