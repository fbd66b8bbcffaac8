//! The traces with which DiskSim's disk models were validated (`disksim_iodriver.c`): one request per line,
//! `R|W Hit|Miss|... block blocks service_us gap_us`. Requests never overlap: the next one arrives `gap_us`
//! after the completion of this one.

use super::super::columns::TraceRow;
use super::super::fields::{Fault, Fields, Parsed};
use super::super::lines::{LineFormat, Lines};
use super::super::plausibility::{Extents, Unit};
use super::super::trace_info::ReaderOutput;
use super::shape::{blank_words, is_number, is_read_or_write, is_whole};
use super::{FormatKind, FormatRow};
use crate::error::ensure;

pub(super) const ROW: FormatRow = FormatRow::new(
    "validate",
    "DiskSim validate: R|W Hit|Miss block blocks service_us gap_us (closed loop, measured times)",
    FormatKind::new(SAMPLE, matches, |source, _| Ok(Lines::reader(source, Validate::default()))),
);

/// A small file in this format.
const SAMPLE: &[u8] =
    b"W Hit    4583176   4    663.00000  45422.00000\nR Hit    3962268  12   6657.00000  64047.00000\n";

const US_PLACES: usize = 3;

struct Validate {
    /// Arrival time in ns of the next request.
    arrival_ns: i64,
    extents: Extents,
}

impl Default for Validate {
    fn default() -> Self {
        Self { arrival_ns: 0, extents: Extents::new(Unit::Sectors, Unit::Sectors) }
    }
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
        let (lbn, blocks) = (fields.lbn()?, fields.blocks()?);
        let service_ns =
            fields.decimal(US_PLACES, "a measured service time in us (a decimal number from 0)")?;
        let before_gap: Fault = fields.fault_here("times that add up to less than 292 years since the start");
        let gap_ns = fields.decimal(US_PLACES, "the time in us until the next request")?;
        fields.end()?;
        let arrival_ns = self.arrival_ns;
        let next_ns = arrival_ns.checked_add(service_ns).and_then(|end_ns| end_ns.checked_add(gap_ns));
        self.arrival_ns = next_ns.ok_or(before_gap)?;
        if self.extents.add(lbn, blocks, &mut out.about) {
            let measured = TraceRow { response_ns: service_ns, service_ns, ..TraceRow::default() };
            out.rows.push(TraceRow { arrival_ns, lbn: lbn as i64, blocks: blocks as i32, op, ..measured });
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.extents.add_notes(&mut out.about);
    }
}
