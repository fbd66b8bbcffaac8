//! Events of Linux's block layer in text form, one per line, as printed by `/sys/kernel/tracing/trace`,
//! `trace-cmd report` and `perf script` (Documentation/trace/ftrace.rst, include/trace/events/block.h,
//! perf-script(1)).
//!
//! Each tool prints its own columns before the time. The rest of a line is common to all: `seconds:
//! block_rq_issue: major,minor RWBS bytes (command) sector + sectors [process]`; events of completion have
//! no `bytes`. Newer kernels print a priority before the square brackets, and `perf` calls events
//! `block:block_rq_issue`. The tracer `blk` prints events like `blkparse`, without the name of the event.

use memchr::memmem;

use super::super::completions::Event;
use super::super::evidence::Aspect;
use super::super::fields::{content_lines, Fields, Parsed, I32_MAX, LBN_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::trace_info::{ReaderOutput, Times};
use super::block_events::{event_of, extent, has_failed, BlockEvent, BlockEvents};
use super::shape::whole_lines;
use super::{FormatKind, FormatRow};
use crate::error::ensure;

pub(super) const ROW: FormatRow = FormatRow::new(
    "ftrace",
    "block events as text of ftrace, trace-cmd report or perf script: requests issued to the device (block_rq_issue)",
    FormatKind::new(SAMPLE, matches, |mut source, _| {
        let head = source.head()?;
        let (arrivals, overwritten) = (arrivals(head), overwritten(head));
        Ok(Lines::reader(source, Ftrace { arrivals, overwritten, ..Ftrace::default() }))
    }),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n          dd-4711    [001] ..... \
         812.034512: block_rq_issue: 8,0 R 4096 () 1048 + 8 none,0,0 [dd]\n";

const SECOND_PLACES: usize = 9;
const ISSUE: &[u8] = b"block_rq_issue";
const INSERT: &[u8] = b"block_rq_insert";
const START: &[u8] = b"block_io_start";
const ACCOUNTED: &str = "requests have only the start and the end of their accounting (block_io_start and block_io_done): a request starts before it comes to the device, and ends without its size; record block_rq_issue and block_rq_complete";
/// Number printed in place of the sector of a request without a sector, such as a flush.
const NO_SECTOR: &[u8] = b"18446744073709551615";
/// Words of the header before the number of entries in the buffer, a slash, and the number of all entries.
const ENTRIES: &[u8] = b"entries-in-buffer/entries-written:";
const EVENT: &str = "an event: a time in s, a colon and the name of the event";
/// Beginnings of lines that are not events: stack traces, and messages of the tools.
const REMARKS: [&[u8]; 6] = [b"CPU", b"cpus=", b"version", b"=>", b"<stack", b"trailer"];

/// Name of the event with which perf says that it lost events.
pub(super) const LOSS: &[u8] = b"PERF_RECORD_LOST";

#[derive(Default)]
struct Ftrace {
    events: BlockEvents,
    /// Name of the event whose time counts as the arrival of a request.
    arrivals: &'static [u8],
    /// Number of lines that say that the tracer lost events.
    losses: u64,
    /// Numbers of entries in the tracer's buffer and of entries written to it, if the buffer was too small for all.
    overwritten: Option<(u64, u64)>,
    is_behind_first: bool,
    /// Number of starts of the accounting of a request.
    starts: u64,
}

/// A line that holds an event.
struct Line<'a> {
    /// Position in the line of the time, without the colon behind it.
    time: std::ops::Range<usize>,
    /// Name of the event without its colon; empty for events of the tracer `blk`.
    name: &'a [u8],
    /// Fields of the line behind the name of the event.
    rest: Fields<'a>,
}

impl<'a> Line<'a> {
    /// Parses a line; an event of the tracer `blk` has no name.
    fn of(line: &'a [u8]) -> Option<Self> {
        let (time, mut rest) = time_of(line)?;
        let is_of_blk = rest.clone().pair("").is_ok();
        let name = if is_of_blk { b"".as_slice() } else { name_of(&mut rest, &[b"block:"]) };
        Some(Self { time, name, rest })
    }

    fn is_of_block_layer(&self) -> bool {
        self.name.is_empty() || self.name.starts_with(b"block_")
    }
}

fn matches(head: &[u8]) -> bool {
    let mut lines = content_lines(whole_lines(head)).filter_map(Line::of);
    lines.any(|line| line.is_of_block_layer() && line.rest.clone().pair("").is_ok())
}

/// Finds the numbers of entries in the buffer and of entries written to it, which the header states; `None` if all
/// entries are in the buffer.
fn overwritten(head: &[u8]) -> Option<(u64, u64)> {
    let at = memmem::find(head, ENTRIES)?;
    let text = std::str::from_utf8(
        head[at + ENTRIES.len()..].trim_ascii_start().split(u8::is_ascii_whitespace).next()?,
    );
    let (kept, written) = text.ok()?.split_once('/')?;
    let (kept, written) = (kept.parse().ok()?, written.parse().ok()?);
    (kept < written).then_some((kept, written))
}

/// Chooses the event that counts as arrival: the issue of a request if the first lines have one, or else
/// its insertion into the scheduler's queue.
fn arrivals(head: &[u8]) -> &'static [u8] {
    let has =
        |name: &[u8]| content_lines(whole_lines(head)).filter_map(Line::of).any(|line| line.name == name);
    if has(INSERT) && !has(ISSUE) {
        INSERT
    } else {
        ISSUE
    }
}

impl LineFormat for Ftrace {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let event = Line::of(line);
        if event.as_ref().is_none_or(|event| event.name == LOSS) {
            ensure!(event.is_some() || is_remark(line), Fields::new(line).fault_here(EVENT));
            if says_loss(line) {
                self.losses += 1;
                self.events.lost(out);
            }
            return Ok(());
        }
        let Some(Line { time, name, mut rest }) = event else { return Ok(()) };
        self.begin(out);
        if name.is_empty() {
            return self.of_tracer(line, time, rest, out);
        }
        let event = match name {
            _ if name == self.arrivals => Event::Dispatch,
            b"block_rq_complete" => Event::Completion,
            b"block_rq_requeue" => Event::Requeue,
            b"block_bio_queue" => {
                out.about.queued += 1;
                return Ok(());
            }
            _ => {
                self.starts += u64::from(name == START);
                return Ok(());
            }
        };
        let time_ns = seconds(line, time)?;
        let device = device(&mut rest)?;
        let fault = rest.fault_here("RWBS flags with R, W, D, F or N");
        let rwbs = rest.word();
        let is_dispatch = event == Event::Dispatch;
        let bytes = if is_dispatch { rest.integer(0..=u64::MAX, "a number of bytes")? } else { 0 };
        rest.parenthesis("a command in parentheses, mostly ()")?;
        let extent = sectors(&mut rest)?;
        // A flush moves no data, nor does a passed-through command or one for zones.
        let is_command = extent.1 == 0 && !rwbs.contains(&b'F') && (bytes > 0 || !is_dispatch);
        if is_command || matches!(rwbs.first(), Some(b'N' | b'Z')) {
            out.about.skipped.commands += u64::from(is_dispatch);
            return Ok(());
        }
        let (extent, has_failed) = (Some(extent), has_failed(event, &mut rest));
        self.events.add(BlockEvent { event, device, time_ns, rwbs, extent, has_failed, fault }, out)
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        if self.starts > 0 {
            out.instead = format!("{} {ACCOUNTED}", self.starts);
        }
        self.events.finish(out);
        if let Some((kept, written)) = self.overwritten {
            let text = format!("events are missing: the tracer's buffer kept {kept} of {written} entries");
            out.about.doubt(Aspect::Completeness, text);
        }
        if self.losses > 0 {
            let note = format!(
                "requests are missing: the tracer lost events (number of its reports: {})",
                self.losses
            );
            out.about.doubt(Aspect::Completeness, note);
        }
    }
}

impl Ftrace {
    fn begin(&mut self, out: &mut ReaderOutput) {
        out.times = Times::FromAnywhere;
        if !self.is_behind_first && self.arrivals == INSERT {
            out.about.remark(
                Aspect::Pairing,
                "no block_rq_issue at the start of the trace: arrivals and measured times count from the insertion of a request into the queue (block_rq_insert)",
            );
        }
        self.is_behind_first = true;
    }

    /// Processes an event of the tracer `blk`: `major,minor action RWBS sector + sectors [process]`.
    fn of_tracer(
        &mut self,
        line: &[u8],
        time: std::ops::Range<usize>,
        mut rest: Fields<'_>,
        out: &mut ReaderOutput,
    ) -> Parsed<()> {
        let time_ns = seconds(line, time)?;
        let device = device(&mut rest)?;
        let Some(event) = event_of(rest.word(), b"D", out) else { return Ok(()) };
        let fault = rest.fault_here("RWBS flags with R, W, D or N");
        let rwbs = rest.word();
        let extent = extent(&mut rest)?;
        let has_failed = has_failed(event, &mut rest);
        self.events.add(BlockEvent { event, device, time_ns, rwbs, extent, has_failed, fault }, out)
    }
}

/// Parses the time of a line; returns ns.
fn seconds(line: &[u8], time: std::ops::Range<usize>) -> Parsed<i64> {
    Fields::from(&line[..time.end], time.start)
        .decimal(SECOND_PLACES, "a time in s (a decimal number from 0)")
}

/// Parses the name of a device, `major,minor`.
fn device<'a>(fields: &mut Fields<'a>) -> Parsed<&'a [u8]> {
    let name = fields.clone().word();
    fields.pair("a device as major,minor").map(|_| name)
}

/// Parses the first sector and the number of sectors, and skips the rest up to the square brackets.
fn sectors(fields: &mut Fields<'_>) -> Parsed<(i64, i32)> {
    let lbn = if fields.clone().word() == NO_SECTOR {
        fields.word();
        0
    } else {
        fields.integer(0..=LBN_MAX, "a sector from 0 to 9223372034707292160")? as i64
    };
    let before_length = fields.fault_here("+ and a number of sectors");
    ensure!(fields.word() == b"+", before_length);
    let blocks = fields.integer(0..=I32_MAX, "a number of sectors from 0 to 2147483647")? as i32;
    if !fields.next_is(b'[') {
        // The priority.
        fields.word();
    }
    // Otherwise a number cut short by the end of the file would pass for a smaller one.
    ensure!(fields.next_is(b'['), fields.fault_here("a process or an error in square brackets"));
    Ok((lbn, blocks))
}

/// Finds the position of the time in a line, and the fields behind it. The time is found by a search, because a
/// process name before it may contain any characters.
pub(super) fn time_of(line: &[u8]) -> Option<(std::ops::Range<usize>, Fields<'_>)> {
    let mut fields = Fields::new(line);
    loop {
        let word = fields.word();
        if word.is_empty() {
            return None;
        }
        if let Some(time) = word.strip_suffix(b":").filter(|time| is_decimal(time)) {
            let end = fields.place() - 1;
            return Some((end - time.len()..end, fields));
        }
    }
}

/// Takes the name of the event from the fields behind the time, without the colon, and without the name of a
/// group of events in front.
pub(super) fn name_of<'a>(fields: &mut Fields<'a>, groups: &[&[u8]]) -> &'a [u8] {
    let mut name = fields.word();
    if !name.is_empty() && name.iter().all(u8::is_ascii_digit) {
        // A number of events per sample.
        name = fields.word();
    }
    let name = name.strip_suffix(b":").unwrap_or(name);
    groups.iter().find_map(|group| name.strip_prefix(*group)).unwrap_or(name)
}

fn is_decimal(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| *byte == b'.');
    let is_number = |part: Option<&[u8]>| {
        part.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
    };
    is_number(parts.next()) && is_number(parts.next()) && parts.next().is_none()
}

/// True if a line that is not an event may be skipped: it belongs to a stack trace, or is a message
/// of a tool.
pub(super) fn is_remark(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let first = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_hexadecimal = !first.is_empty() && first.iter().all(u8::is_ascii_hexdigit);
    // A frame of perf ends with the file of its function in parentheses.
    let is_frame = is_hexadecimal && (first.len() >= 8 || line.trim_ascii_end().ends_with(b")"));
    is_frame || REMARKS.iter().any(|remark| line.starts_with(remark))
}

/// True if a line says that the tracer lost events.
pub(super) fn says_loss(line: &[u8]) -> bool {
    [b"LOST".as_slice(), b"DROPPED"].iter().any(|word| line.windows(word.len()).any(|part| part == *word))
}
