//! Output of biosnoop of bcc (tools/biosnoop_example.txt) and of bcc's libbpf-tools, one request per line.
//! The columns are `TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)`, and some versions add further columns.
//! Each line states the time of completion of a request, and the latency since the request was issued to
//! the device.
//!
//! The biosnoop of bpftrace prints neither sectors nor sizes, so its output cannot be read; the error
//! message says so.

use super::super::columns::{Op, TraceRow};
use super::super::device_numbers::Devices;
use super::super::fields::{content_lines, Fault, Fields, Parsed, LBN_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::quantities::{self, SECTOR_BYTES, SIZE_MAX};
use super::super::trace_info::{ReaderOutput, Times};
use super::block_events::decode_or_flush;
use super::shape::is_whole;
use super::{FormatKind, FormatRow};
use crate::error::ensure;

pub(super) const ROW: FormatRow = FormatRow::new(
    "biosnoop",
    "biosnoop of bcc or libbpf-tools: time of completion, process, disk, R|W, sector, bytes, latency",
    FormatKind::new(SAMPLE, matches, |source, _| Ok(Lines::reader(source, BioSnoop::default()))),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  LAT(ms)\n0.000000    dd             4711    sda       R 1048       4096      0.42\n";

const SECOND_PLACES: usize = 9;
const MS_PLACES: usize = 6;
const NS_PER_S: i64 = 1_000_000_000;
const DAY_NS: i64 = 86_400 * NS_PER_S;
const HEADER: &str =
    "the header of biosnoop with TIME(s), COMM, DISK, T, SECTOR, BYTES and LAT(ms), as biosnoop-bpfcc \
                      and libbpf-tools print it (biosnoop.bt of bpftrace prints no sectors)";
/// Beginnings of lines that are not requests: messages of bpftrace and bcc.
const REMARKS: [&[u8]; 3] = [b"Attach", b"Tracing", b"lost "];

#[derive(Default)]
struct BioSnoop {
    layout: Option<Layout>,
    devices: Devices,
    /// Number of days that have ended since the first request, in ns; added to times of day.
    days_ns: i64,
    last_ns: i64,
}

/// Positions of the columns in a line. Columns before the name of the process are counted from the
/// left, and columns behind it from the right, because a process name may contain blanks and the
/// disk may be missing.
#[derive(Clone, Copy)]
struct Layout {
    time: usize,
    is_time_of_day: bool,
    disk: usize,
    op: usize,
    sector: usize,
    bytes: usize,
    latency: usize,
}

impl Layout {
    /// Reads the positions of the columns from the header line.
    fn of(line: &[u8]) -> Option<Self> {
        let names: Vec<&[u8]> = words(line).iter().map(|word| word.0).collect();
        let at = |name: &[u8]| names.iter().position(|its| *its == name);
        let from_right = |name: &[u8]| at(name).map(|at| names.len() - at);
        let process = at(b"COMM")?;
        let time = at(b"TIME(s)").or_else(|| at(b"TIMESTAMP")).filter(|time| *time < process)?;
        Some(Self {
            time,
            is_time_of_day: names[time] == b"TIMESTAMP",
            disk: from_right(b"DISK")?,
            op: from_right(b"T")?,
            sector: from_right(b"SECTOR")?,
            bytes: from_right(b"BYTES")?,
            latency: from_right(b"LAT(ms)")?,
        })
    }
}

/// A word of a line with its position.
pub(super) type Word<'a> = (&'a [u8], usize);

/// The words of a line, each with its position.
pub(super) fn words(line: &[u8]) -> Vec<Word<'_>> {
    let mut fields = Fields::new(line);
    let mut found = Vec::new();
    loop {
        let word = fields.word();
        if word.is_empty() {
            return found;
        }
        found.push((word, fields.place() - word.len()));
    }
}

fn is_header(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let has = |name: &[u8]| words(line).iter().any(|word| word.0 == name);
    line.starts_with(b"TIME") && has(b"COMM") && has(b"LAT(ms)")
}

fn is_remark(line: &[u8]) -> bool {
    REMARKS.iter().any(|remark| line.starts_with(remark))
}

fn matches(head: &[u8]) -> bool {
    content_lines(head).find(|line| !is_remark(line)).is_some_and(is_header)
}

impl LineFormat for BioSnoop {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        if is_remark(line) {
            return Ok(());
        }
        if is_header(line) || self.layout.is_none() {
            self.layout = Some(Layout::of(line).ok_or_else(|| Fields::new(line).fault_here(HEADER))?);
            return Ok(());
        }
        let Some(layout) = self.layout else { return Ok(()) };
        out.times = Times::FromAnywhere;
        if let Some(request) = self.request(line, layout, out)? {
            out.rows.push(request);
        }
        Ok(())
    }
}

impl BioSnoop {
    fn request(&mut self, line: &[u8], layout: Layout, out: &mut ReaderOutput) -> Parsed<Option<TraceRow>> {
        let words = words(line);
        let end = Fault {
            expected: "a line with the columns that the header names",
            at: line.len(),
            separator: b' ',
        };
        let at = |from_right: usize| words.len().checked_sub(from_right).map(|at| words[at]).ok_or(end);
        let (op, sector, bytes) = (at(layout.op)?, at(layout.sector)?, at(layout.bytes)?);
        ensure!(words.len() - layout.op > layout.time, end);
        let (_, start) = at(layout.latency)?;
        let mut latency = Fields::from(line, start);
        let before_latency = latency.fault_here("");
        let service_ns = latency.decimal(MS_PLACES, "a latency in ms (a decimal number from 0)")?;
        let completed_ns = self.completion(line, words[layout.time], layout.is_time_of_day)?;
        let arrival_ns = quantities::arrival_ns(completed_ns, service_ns, before_latency)?;
        let disk = at(layout.disk)?;
        Snooped { arrival_ns, service_ns, op, disk, sector, bytes }.request(line, &mut self.devices, out)
    }

    /// Parses the time of completion in ns from the field `word` of `line`; a time of day that is earlier
    /// than the previous one belongs to the next day.
    fn completion(&mut self, line: &[u8], word: (&[u8], usize), is_time_of_day: bool) -> Parsed<i64> {
        let (text, start) = word;
        let expected = "a time in s (a decimal number from 0)";
        if !is_time_of_day {
            return Fields::from(line, start).decimal(SECOND_PLACES, expected);
        }
        let fault = Fault { expected: "a time of day such as 12:34:56.789", at: start, separator: b' ' };
        let time_ns = of_day(text).ok_or(fault)?.saturating_add(self.days_ns);
        let is_next_day = time_ns < self.last_ns - DAY_NS / 2;
        self.days_ns = self.days_ns.saturating_add(if is_next_day { DAY_NS } else { 0 });
        self.last_ns = time_ns.saturating_add(if is_next_day { DAY_NS } else { 0 });
        Ok(self.last_ns)
    }
}

/// A request as a line states it, apart from its parsed times.
pub(super) struct Snooped<'a> {
    pub arrival_ns: i64,
    pub service_ns: i64,
    pub op: Word<'a>,
    pub disk: Word<'a>,
    pub sector: Word<'a>,
    pub bytes: Word<'a>,
}

impl Snooped<'_> {
    /// Parses the request; `None` for an entry that is no request, which is counted in `out`.
    pub fn request(
        self,
        line: &[u8],
        devices: &mut Devices,
        out: &mut ReaderOutput,
    ) -> Parsed<Option<TraceRow>> {
        let Self { arrival_ns, service_ns, op, disk: (disk, _), sector, bytes } = self;
        if op.0.starts_with(b"N") {
            out.about.skipped.commands += 1;
            return Ok(None);
        }
        let fault = Fields::from(line, op.1).fault_here("RWBS flags with R, W, D or F");
        let (op, metadata, flags) = decode_or_flush(op.0).ok_or(fault)?;
        let size =
            Fields::from(line, bytes.1).integer(0..=SIZE_MAX, "a size in bytes from 0 to 1099511626752")?;
        let is_flush = op == Op::Flush && size == 0;
        if !is_flush && sector.0.starts_with(b"-") && is_whole(sector.0) {
            // The request did not come through the block layer.
            out.about.skipped.commands += 1;
            return Ok(None);
        }
        // Without a name of the disk, the number of the process stands in its place.
        if is_whole(disk) {
            out.about.skipped.other += 1;
            return Ok(None);
        }
        let times = TraceRow { arrival_ns, service_ns, response_ns: service_ns, ..TraceRow::default() };
        let request = TraceRow { op, metadata, flags, ..times };
        if is_flush {
            return Ok(Some(TraceRow { device: devices.number(disk, &mut out.about), ..request }));
        }
        let lbn = Fields::from(line, sector.1)
            .integer(0..=LBN_MAX, "a sector from 0 to 9223372034707292160")? as i64;
        if size == 0 {
            out.about.skipped.empty += 1;
            return Ok(None);
        }
        ensure!(op != Op::Flush, fault);
        let (blocks, device) = (size.div_ceil(SECTOR_BYTES) as i32, devices.number(disk, &mut out.about));
        Ok(Some(TraceRow { lbn, blocks, device, ..request }))
    }
}

/// Nanoseconds since midnight of a time of day such as `12:34:56.789`.
fn of_day(text: &[u8]) -> Option<i64> {
    let mut parts = text.splitn(3, |byte| *byte == b':');
    let mut part = |places| Fields::new(parts.next()?).decimal(places, "").ok();
    let (hours, minutes, seconds_ns) = (part(0)?, part(0)?, part(SECOND_PLACES)?);
    let is_time = hours < 24 && minutes < 60 && seconds_ns < 61 * NS_PER_S;
    is_time.then(|| (hours * 60 + minutes) * 60 * NS_PER_S + seconds_ns)
}
