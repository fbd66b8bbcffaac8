//! Events of Windows' event tracing as printed by `tracerpt trace.etl -o trace.csv -of CSV`, one per line:
//! `Event Name, Type, ..., Clock-Time, Kernel(ms), User(ms), User Data`. The time is a Windows file time.
//!
//! The data of a request (DiskIo_TypeGroup1) are `DiskNumber, IrpFlags, TransferSize, Reserved, ByteOffset,
//! FileObject, Irp, HighResResponseTime, IssuingThreadId`, those of a flush (DiskIo_TypeGroup3) are
//! `DiskNumber, IrpFlags, HighResResponseTime, ...`. A line is written when its request completes. Response
//! times are in ticks; the first event (EventTrace_Header, PerfFreq) gives the number of ticks per second.

use super::super::columns::{Op, TraceRow};
use super::super::evidence::Aspect;
use super::super::fields::{Commas, Parsed, I32_MAX, I64_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::quantities::{sectors, whole, OFFSET_MAX, SIZE_MAX};
use super::super::trace_info::ReaderOutput;
use super::msr::{FILETIME, FILETIMES_MAX, FILETIME_1970, FILETIME_NS};
use super::shape::first_line;
use super::{FormatKind, FormatRow};
use crate::error::ensure;

pub(super) const ROW: FormatRow = FormatRow::new(
    "tracerpt",
    "DiskIo events of Windows, as tracerpt -of CSV prints them",
    FormatKind::new(SAMPLE, matches, |source, _| Ok(Lines::reader(source, TraceRpt::default()))).with_clock(),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"Event Name, Type, Event ID, Version, Channel, Level, Opcode, Task, Keyword, PID, TID, Processor Number, Instance ID, \
         Parent Instance ID, Activity ID, Related Activity ID, Clock-Time, Kernel(ms), User(ms), User Data\n\
         DiskIo, Read, 0, 3, 0, 0, 10, 0, 0x0, 0x4D2, 0x63, 1, , , {0}, , 132000000000002500, 0, 0, 0, 0x60043, 0x1000, 0, \
         0x100000, 0xFFFF0, 0xFFFF8, 2500, 0x63\n";

const NS_PER_S: u64 = 1_000_000_000;
/// Number of ticks per second if the trace does not give it: the rate of Windows since 2018.
const USUAL_TICKS_PER_S: u64 = 10_000_000;
/// Names of two columns in the header. The positions of the time and of the data in all lines are
/// computed from the positions of these names.
const CLOCK: &[u8] = b"Clock-Time";
const DATA: &[u8] = b"User Data";

#[derive(Default)]
struct TraceRpt {
    /// Positions in a line of the time, and of the first field of the data.
    layout: Option<(usize, usize)>,
    ticks_per_s: Option<u64>,
    has_said_ticks: bool,
}

fn is_header(line: &[u8]) -> bool {
    let mut words = Commas::of(line);
    words.word() == b"Event Name" && words.word() == b"Type"
}

fn matches(head: &[u8]) -> bool {
    is_header(first_line(head))
}

impl LineFormat for TraceRpt {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        if is_header(line) {
            self.layout = layout(line);
            return Ok(());
        }
        let header =
            "the header of tracerpt (Event Name, Type, ..., Clock-Time, Kernel(ms), User(ms), User Data)";
        let (clock, data) = self.layout.ok_or_else(|| Commas::of(line).fault_here(header))?;
        let mut fields = Commas::of(line);
        let fault = fields.fault_here("an event: its name, its type, ..., its time");
        let (name, kind) = (fields.word(), fields.word());
        ensure!(!name.is_empty() && !kind.is_empty(), fault);
        if (name, kind) == (b"EventTrace", b"Header") {
            self.ticks_per_s = ticks_per_s(line, data);
            return Ok(());
        }
        let op = match kind {
            b"Read" => Op::Read,
            b"Write" => Op::Write,
            b"Flush" => Op::Flush,
            _ => Op::Discard,
        };
        if name != b"DiskIo" || op == Op::Discard {
            out.about.skipped.other += 1;
            return Ok(());
        }
        skip(&mut fields, clock - 2);
        let filetime =
            number(&mut fields, I64_MAX, FILETIME, |time| time.abs_diff(FILETIME_1970) <= FILETIMES_MAX)?;
        skip(&mut fields, data - clock - 1);
        let completed_ns = (filetime as i64 - FILETIME_1970 as i64) * FILETIME_NS as i64;
        self.note_ticks(out);
        if let Some(request) = self.request(op, completed_ns, &mut fields, out)? {
            out.rows.push(request);
        }
        Ok(())
    }
}

impl TraceRpt {
    /// Parses the request of an event, starting at its data.
    fn request(
        &self,
        op: Op,
        completed_ns: i64,
        fields: &mut Commas<'_>,
        out: &mut ReaderOutput,
    ) -> Parsed<Option<TraceRow>> {
        let any = |_| true;
        let device = number(fields, I32_MAX, "a disk number from 0 to 2147483647", any)? as i32;
        skip(fields, 1);
        let (mut place, mut size) = (0, 0);
        if op != Op::Flush {
            size = number(fields, SIZE_MAX, "a size in bytes from 0 to 1099511626752", any)?;
            skip(fields, 1);
            place = number(fields, OFFSET_MAX, "an offset in bytes from 0 to 9223372036854775807", any)?;
            skip(fields, 2);
        }
        let ticks = "a response time in ticks, of less than a year";
        let per_s = self.ticks_per_s.unwrap_or(USUAL_TICKS_PER_S);
        let before_response =
            fields.fault_here("a response time in ticks that began less than 146 years before 1970");
        let response = number(fields, I64_MAX, ticks, |ticks| ticks / per_s < 366 * 86_400)?;
        if size == 0 && op != Op::Flush {
            out.about.skipped.empty += 1;
            return Ok(None);
        }
        let response_ns = (u128::from(response) * u128::from(NS_PER_S) / u128::from(per_s)) as i64;
        let (lbn, blocks) = if op == Op::Flush { (0, 0) } else { sectors(place, size) };
        let arrival_ns = completed_ns - response_ns;
        ensure!(arrival_ns >= -(i64::MAX / 2), before_response);
        Ok(Some(TraceRow { arrival_ns, lbn, blocks, op, device, response_ns, ..TraceRow::default() }))
    }

    fn note_ticks(&mut self, out: &mut ReaderOutput) {
        if self.ticks_per_s.is_none() && !self.has_said_ticks {
            self.has_said_ticks = true;
            out.about.doubt(
                Aspect::Clock,
                "no event EventTrace, Header gives the number of ticks per second: assuming response times in units of 100 ns",
            );
        }
    }
}

/// Finds the positions of the time, and of the first field of the data, in the header line.
fn layout(line: &[u8]) -> Option<(usize, usize)> {
    let mut names = line.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    let clock = names.clone().position(|name| name == CLOCK)?;
    let data = names.position(|name| name == DATA)?;
    (clock >= 2 && data > clock).then_some((clock, data))
}

/// Finds the number of ticks per second in the event that gives it. The number stands between two
/// file times: the machine's last boot and the start of the trace.
fn ticks_per_s(line: &[u8], data: usize) -> Option<u64> {
    let words: Vec<Option<u64>> = line
        .split(|byte| *byte == b',')
        .skip(data)
        .map(|word| whole(word.trim_ascii(), I64_MAX, "").ok())
        .collect();
    let is_time = |word: Option<u64>| word.is_some_and(|time| time.abs_diff(FILETIME_1970) <= FILETIMES_MAX);
    let is_frequency = |ticks: &u64| (1_000..=100 * NS_PER_S).contains(ticks);
    words
        .windows(3)
        .find(|three| is_time(three[0]) && is_time(three[2]))
        .and_then(|three| three[1].filter(is_frequency))
}

fn skip(fields: &mut Commas<'_>, count: usize) {
    for _ in 0..count {
        fields.word();
    }
}

/// Parses the next field as a whole number up to `max` for which `is_right` is true: decimal, or
/// hexadecimal after `0x`.
fn number(
    fields: &mut Commas<'_>,
    max: u64,
    expected: &'static str,
    is_right: impl Fn(u64) -> bool,
) -> Parsed<u64> {
    let fault = fields.fault_here(expected);
    whole(fields.word(), max, expected).ok().filter(|value| is_right(*value)).ok_or(fault)
}
