//! Disk events of Windows' event tracing as printed by `xperf -i trace.etl -o trace.csv -a dumper`, and as
//! in the traces of Microsoft's production servers (SNIA IOTTA 158). Each line is an event with times in
//! us: `DiskRead, TimeStamp, Process Name ( PID), ThreadID, CPU, IrpPtr, ByteOffset, IOSize, ElapsedTime,
//! DiskNum, IrpFlags, DiskSvcTime, ...`; older traces have no column CPU. A line is written when its
//! request completes.

use super::super::columns::{Op, TraceRow};
use super::super::fields::{content_lines, Commas, Fault, Parsed, I32_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::quantities::{sectors, whole, LATENCY_NS_MAX, OFFSET_MAX, SIZE_MAX};
use super::super::trace_info::{ReaderOutput, Times};
use super::shape::is_whole;
use super::{FormatKind, FormatRow};
use crate::error::ensure;

pub(super) const ROW: FormatRow = FormatRow::new(
    "xperf",
    "DiskRead and DiskWrite events of Windows, as xperf -a dumper prints them, and Microsoft's server traces",
    FormatKind::new(SAMPLE, matches, |source, _| Ok(Lines::reader(source, Xperf::default()))),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"BeginHeader\n  DiskRead,  TimeStamp,  Process Name ( PID),  ThreadID,  CPU,  IrpPtr,  ByteOffset,  IOSize,  ElapsedTime,  DiskNum\n\
         EndHeader\n  DiskRead,  8000,  app.exe (1234),  99,  1,  0xffffe28800000010,  0x0000100000,  0x00001000,  250,  0,  0x060043,  240,  3\n";

const NS_PER_US: u64 = 1_000;
/// The largest accepted time in us: the difference of two such times still fits ns.
const TIME_US_MAX: u64 = i64::MAX as u64 / NS_PER_US / 2;
const LATENCY_US_MAX: u64 = LATENCY_NS_MAX as u64 / NS_PER_US;
/// Names of the events that are read; names with the suffix `Init` mark starts of requests and are skipped.
const EVENTS: [(&[u8], Op); 3] =
    [(b"DiskRead", Op::Read), (b"DiskWrite", Op::Write), (b"DiskFlush", Op::Flush)];

#[derive(Default)]
struct Xperf {
    /// True between the lines `BeginHeader` and `EndHeader`, which enclose the column names of each event.
    is_in_header: bool,
}

fn operation(name: &[u8]) -> Option<Op> {
    EVENTS.iter().find(|(its, _)| *its == name).map(|(_, op)| *op)
}

/// True if a line gives the column names of an event.
fn names_columns(line: &[u8]) -> bool {
    let mut words = Commas::of(line);
    words.word();
    words.word() == b"TimeStamp"
}

fn matches(head: &[u8]) -> bool {
    content_lines(head).next().is_some_and(|line| {
        let name = Commas::of(line).word();
        let is_event = operation(name.strip_suffix(b"Init").unwrap_or(name)).is_some();
        line == b"BeginHeader" || is_event && line.contains(&b',')
    })
}

impl LineFormat for Xperf {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let bare = line.trim_ascii();
        if bare == b"BeginHeader" || bare == b"EndHeader" {
            self.is_in_header = bare == b"BeginHeader";
            return Ok(());
        }
        if self.is_in_header || names_columns(line) || bare.starts_with(b"OS Version") {
            return Ok(());
        }
        let mut fields = Commas::of(line);
        let fault = fields.fault_here("an event of xperf: its name and a time in us");
        let name = fields.word();
        let Some(op) = operation(name) else {
            ensure!(!name.is_empty() && is_whole(fields.word()), fault);
            out.about.skipped.other += 1;
            return Ok(());
        };
        out.times = Times::FromAnywhere;
        if let Some(request) = request(op, &mut fields, out)? {
            out.rows.push(request);
        }
        Ok(())
    }
}

/// Parses the request of an event, starting at its time.
fn request(op: Op, fields: &mut Commas<'_>, out: &mut ReaderOutput) -> Parsed<Option<TraceRow>> {
    let completed_us = number(fields, TIME_US_MAX, "a time in us")?;
    // The name of a process may have commas; the address of the request is the first number in hexadecimal.
    let before_address = fields.fault_here("the address of the request packet (in hexadecimal)");
    loop {
        let word = fields.word();
        ensure!(!word.is_empty() || fields.clone().end().is_err(), before_address);
        if word.starts_with(b"0x") {
            break;
        }
    }
    let (mut place, mut size) = (0, 0);
    if op != Op::Flush {
        place = number(fields, OFFSET_MAX, "an offset in bytes from 0 to 9223372036854775807")?;
        size = number(fields, SIZE_MAX, "a size in bytes from 0 to 1099511626752")?;
    }
    let elapsed_us = number(fields, LATENCY_US_MAX, "an elapsed time in us, of at most a century")?;
    let device = number(fields, I32_MAX, "a disk number from 0 to 2147483647")? as i32;
    number(fields, u64::MAX, "flags of the request packet")?;
    let service_us = number(fields, TIME_US_MAX, "a service time of the disk in us")?;
    if size == 0 && op != Op::Flush {
        out.about.skipped.empty += 1;
        return Ok(None);
    }
    let (lbn, blocks) = if op == Op::Flush { (0, 0) } else { sectors(place, size) };
    let ns = |us: u64| (us * NS_PER_US) as i64;
    Ok(Some(TraceRow {
        arrival_ns: ns(completed_us) - ns(elapsed_us),
        lbn,
        blocks,
        op,
        device,
        response_ns: ns(elapsed_us),
        service_ns: ns(service_us),
        ..TraceRow::default()
    }))
}

/// Parses the next field as a whole number up to `max`: decimal, or hexadecimal after `0x`.
fn number(fields: &mut Commas<'_>, max: u64, expected: &'static str) -> Parsed<u64> {
    let fault: Fault = fields.fault_here(expected);
    whole(fields.word(), max, expected).map_err(|_| fault)
}
