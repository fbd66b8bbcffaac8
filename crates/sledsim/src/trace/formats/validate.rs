//! The traces with which DiskSim's disk models were validated (`disksim_iodriver.c`): one request per line,
//! `R|W Hit|Miss|... block blocks service_us gap_us`. Requests never overlap: the next one arrives `gap_us`
//! after the completion of this one.

use super::super::columns::TraceRow;
use super::super::fields::{Fault, Fields, Parsed};
use super::super::lines::{LineFormat, Lines};
use super::super::trace_info::ReaderOutput;
use super::shape::{blank_words, is_number, is_read_or_write, is_whole};
use super::{FormatKind, FormatRow};
use crate::error::ensure;

pub(super) const ROW: FormatRow = FormatRow::new(
    "validate",
    "DiskSim validate: R|W Hit|Miss block blocks service_us gap_us (closed loop, measured times)",
    FormatKind::new(SAMPLE, matches, |source, _| Ok(Lines::reader(source, Validate { arrival_ns: 0 }))),
);

/// A small file in this format.
const SAMPLE: &[u8] =
    b"W Hit    4583176   4    663.00000  45422.00000\nR Hit    3962268  12   6657.00000  64047.00000\n";

const US_PLACES: usize = 3;

struct Validate {
    /// Arrival time in ns of the next request.
    arrival_ns: i64,
}

fn matches(head: &[u8]) -> bool {
    match blank_words(head)[..] {
        [op, hit, lbn, blocks, service, gap] => {
            let numbers = is_whole(lbn) && is_whole(blocks) && is_number(service) && is_number(gap);
            is_read_or_write(op) && !is_number(hit) && numbers
        }
        _ => false,
    }
}

impl LineFormat for Validate {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let mut fields = Fields::new(line);
        let op = fields.read_or_write()?;
        let hit = fields.fault_here("the outcome in the drive's buffer, such as Hit or Miss");
        ensure!(!fields.word().is_empty(), hit);
        let (lbn, blocks) = (fields.lbn()? as i64, fields.blocks()? as i32);
        let service_ns =
            fields.decimal(US_PLACES, "a measured service time in us (a decimal number from 0)")?;
        let before_gap: Fault = fields.fault_here("times that add up to less than 292 years since the start");
        let gap_ns = fields.decimal(US_PLACES, "the time in us until the next request")?;
        fields.end()?;
        let arrival_ns = self.arrival_ns;
        let next_ns = arrival_ns.checked_add(service_ns).and_then(|end_ns| end_ns.checked_add(gap_ns));
        self.arrival_ns = next_ns.ok_or(before_gap)?;
        if blocks == 0 {
            out.about.skipped.empty += 1;
            return Ok(());
        }
        let measured = TraceRow { response_ns: service_ns, service_ns, ..TraceRow::default() };
        out.rows.push(TraceRow { arrival_ns, lbn, blocks, op, ..measured });
        Ok(())
    }
}
