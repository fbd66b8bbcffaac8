//! The text that `blkparse` prints by default, one event per line: `major,minor cpu sequence seconds pid
//! action RWBS sector + sectors [command]`.

use super::super::evidence::Aspect;
use super::super::fields::{content_lines, Fields, Parsed, I32_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::sequence_numbers::Sequences;
use super::super::trace_info::ReaderOutput;
use super::block_events::{event_of, extent, has_failed, BlockEvent, BlockEvents};
use super::shape::whole_lines;
use super::{FormatKind, FormatRow};
use crate::error::ensure;

pub(super) const ROW: FormatRow = FormatRow::new(
    "blkparse",
    "Linux blkparse text: requests dispatched to the device (action D)",
    FormatKind::new(SAMPLE, matches, |mut source, _| {
        let head = source.head()?;
        let (arrivals, is_filtered) = (arrivals(head), sequences_of(head).are_filtered());
        let sequences = Sequences::new(EVENTS_A_JUMP);
        Ok(Lines::reader(source, BlkParse { arrivals, is_filtered, sequences, ..BlkParse::default() }))
    }),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"  8,16   1        1     0.000000000 18286  D  RM 2 + 2 [mount]\n";

const SECOND_PLACES: usize = 9;
/// Number of words before the action in the line of an event.
const ACTION_AT: usize = 5;
/// The words with which `blkparse` announces each file that it opens; such lines are skipped.
const PREAMBLE: &[u8] = b"Input file ";
/// The words with which lines of the final summary begin.
const SUMMARY: [&[u8]; 5] = [b"CPU", b"Total", b"Throughput", b"Events", b"Skips"];

/// The action of a message, which may have no sequence number of its own.
const MESSAGE: &[u8] = b"m";
/// Smallest number of events in sequence for each jump of the numbers; a text that was filtered has fewer.
const EVENTS_A_JUMP: u64 = 3;

/// The word before the number of events that `blkparse` could not find in the files.
const SKIPS: &[u8] = b"Skips:";

const INSERTED: &str = "no dispatch (D) at the start of the trace: arrivals and measured times count from the insertion of a request into the queue (I)";

/// True if a number of skips is zero.
fn is_zero(skips: &[u8]) -> bool {
    skips.split(u8::is_ascii_whitespace).next() == Some(b"0")
}

#[derive(Default)]
struct BlkParse {
    events: BlockEvents,
    /// The action that counts as the arrival of a request.
    arrivals: &'static [u8],
    /// True once a summary has begun; an event after the summary begins the output of another run
    /// of `blkparse`.
    is_over: bool,
    sequences: Sequences,
    /// True if the first lines are those of a text that was filtered, in which jumps of the numbers are usual.
    is_filtered: bool,
}

fn matches(head: &[u8]) -> bool {
    content_lines(head)
        .find(|line| !line.starts_with(PREAMBLE))
        .is_some_and(|line| Fields::new(line).pair("").is_ok())
}

/// Chooses the action that counts as arrival: the dispatch (D) of a request if the first lines have one, or else its
/// insertion (I) into the scheduler's queue.
fn arrivals(head: &[u8]) -> &'static [u8] {
    let has = |action: &[u8]| content_lines(whole_lines(head)).any(|line| action_of(line) == Some(action));
    if has(b"I") && !has(b"D") {
        b"I"
    } else {
        b"D"
    }
}

fn action_of(line: &[u8]) -> Option<&[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(ACTION_AT)
}

/// The sequence numbers of the events in the first lines, without messages.
fn sequences_of(head: &[u8]) -> Sequences {
    let mut sequences = Sequences::new(EVENTS_A_JUMP);
    for line in content_lines(whole_lines(head)).filter(|line| action_of(line) != Some(MESSAGE)) {
        let mut fields = Fields::new(line);
        let numbers = fields.pair("").ok().zip(fields.integer(0..=I32_MAX, "").ok());
        if let (Some((device, cpu)), Ok(number)) = (numbers, fields.integer(0..=u64::MAX, "")) {
            sequences.add(device, cpu as usize, number);
        }
    }
    sequences
}

impl LineFormat for BlkParse {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        self.is_over |= SUMMARY.iter().any(|word| line.starts_with(word));
        if self.is_over && Fields::new(line).pair("").is_err() || line.starts_with(PREAMBLE) {
            if let Some(skips) =
                line.strip_prefix(SKIPS).map(<[u8]>::trim_ascii).filter(|skips| !is_zero(skips))
            {
                let skips = String::from_utf8_lossy(skips);
                let text = format!("events are missing: blkparse reports skips: {skips}");
                out.about.doubt(Aspect::Completeness, text);
            }
            return Ok(());
        }
        self.is_over = false;
        let mut fields = Fields::new(line);
        let numbers = fields.pair("an event (a device as major,minor first) or the summary of blkparse")?;
        let device = line.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default();
        let cpu = fields.integer(0..=I32_MAX, "a CPU number")?;
        let number = fields.integer(0..=u64::MAX, "a sequence number")?;
        let time_ns = fields.decimal(SECOND_PLACES, "a time in s (a decimal number from 0)")?;
        fields.integer(0..=I32_MAX, "a process number")?;
        let action = fields.word();
        ensure!(!action.is_empty(), fields.fault_here("an action"));
        if action == MESSAGE {
            self.sequences.add_message(numbers, cpu as usize, number);
        } else if self.sequences.add(numbers, cpu as usize, number) && !self.is_filtered {
            self.events.lost(out);
        }
        let Some(event) = event_of(action, self.arrivals, out) else { return Ok(()) };
        let fault = fields.fault_here("RWBS flags with R, W, D or N");
        let rwbs = fields.word();
        let extent = extent(&mut fields)?;
        let has_failed = has_failed(event, &mut fields);
        self.events.add(BlockEvent { event, device, time_ns, rwbs, extent, has_failed, fault }, out)
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.events.finish(out);
        if let Some(text) = self.sequences.text() {
            out.about.doubt(Aspect::Completeness, format!("{text}, unless the text was filtered"));
        }
        if self.arrivals != b"D" {
            out.about.remark(Aspect::Pairing, INSERTED);
        }
    }
}
