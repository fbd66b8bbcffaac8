//! The text that `blkparse` prints by default, one event per line: `major,minor cpu sequence seconds pid
//! action RWBS sector + sectors [command]`.

use super::super::fields::{content_lines, Fields, Parsed, I32_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::trace_info::ReaderOutput;
use super::block_events::{event_of, extent, BlockEvent, BlockEvents};
use super::{FormatKind, FormatRow};
use crate::error::ensure;

pub(super) const ROW: FormatRow = FormatRow::new(
    "blkparse",
    "Linux blkparse text: requests dispatched to the device (action D)",
    FormatKind::new(SAMPLE, matches, |source, _| Ok(Lines::reader(source, BlkParse::default()))),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"  8,16   1        1     0.000000000 18286  D  RM 2 + 2 [mount]\n";

const SECOND_PLACES: usize = 9;
/// The words with which `blkparse` announces each file that it opens; such lines are skipped.
const PREAMBLE: &[u8] = b"Input file ";
/// The words with which lines of the final summary begin.
const SUMMARY: [&[u8]; 5] = [b"CPU", b"Total", b"Throughput", b"Events", b"Skips"];

#[derive(Default)]
struct BlkParse {
    events: BlockEvents,
    /// True once a summary has begun; an event after the summary begins the output of another run
    /// of `blkparse`.
    is_over: bool,
}

fn matches(head: &[u8]) -> bool {
    content_lines(head)
        .find(|line| !line.starts_with(PREAMBLE))
        .is_some_and(|line| Fields::new(line).pair("").is_ok())
}

impl LineFormat for BlkParse {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        self.is_over |= SUMMARY.iter().any(|word| line.starts_with(word));
        if self.is_over && Fields::new(line).pair("").is_err() || line.starts_with(PREAMBLE) {
            return Ok(());
        }
        self.is_over = false;
        let mut fields = Fields::new(line);
        fields.pair("an event (a device as major,minor first) or the summary of blkparse")?;
        let device = line.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default();
        fields.integer(0..=I32_MAX, "a CPU number")?;
        fields.integer(0..=u64::MAX, "a sequence number")?;
        let time_ns = fields.decimal(SECOND_PLACES, "a time in s (a decimal number from 0)")?;
        fields.integer(0..=I32_MAX, "a process number")?;
        let action = fields.word();
        ensure!(!action.is_empty(), fields.fault_here("an action"));
        let Some(event) = event_of(action, out) else { return Ok(()) };
        let fault = fields.fault_here("RWBS flags with R, W, D or N");
        let rwbs = fields.word();
        let extent = extent(&mut fields)?;
        self.events.add(BlockEvent { event, device, time_ns, rwbs, extent, fault }, out)
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.events.finish(out);
    }
}
