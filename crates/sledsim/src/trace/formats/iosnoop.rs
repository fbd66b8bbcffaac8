//! Output of iosnoop of perf-tools (https://github.com/brendangregg/perf-tools, iosnoop(8)), one request per
//! line. The columns are `STARTs ENDs COMM PID TYPE DEV BLOCK BYTES LATms`; the options -s and -t print the
//! times of issue and of completion in s.
//!
//! Without both options the output has no times, and is refused with a message that says so.

use super::super::columns::TraceRow;
use super::super::device_numbers::Devices;
use super::super::evidence::Aspect;
use super::super::fields::{content_lines, Fault, Fields, Parsed};
use super::super::lines::{LineFormat, Lines};
use super::super::quantities;
use super::super::trace_info::{ReaderOutput, Times};
use super::biosnoop::{words, Snooped, Word};
use super::{FormatKind, FormatRow};
use crate::error::ensure;

pub(super) const ROW: FormatRow = FormatRow::new(
    "iosnoop",
    "iosnoop -ts of perf-tools: times of issue and completion, process, type, device, sector, bytes, latency",
    FormatKind::new(SAMPLE, matches, |source, _| Ok(Lines::reader(source, IoSnoop::default()))),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"Tracing block I/O. Ctrl-C to end.\nSTARTs         ENDs           COMM             PID    TYPE DEV      BLOCK        BYTES     LATms\n\
    812.034512     812.034904     dd               4711   R    8,0      1048         4096       0.39\n";

const SECOND_PLACES: usize = 9;
const MS_PLACES: usize = 6;
/// Beginnings of lines that are not requests: messages of iosnoop.
const REMARKS: [&[u8]; 3] = [b"Tracing", b"Ending", b"WARNING"];
/// Names of the columns behind the name of the process.
const NAMES: [&[u8]; 6] = [b"PID", b"TYPE", b"DEV", b"BLOCK", b"BYTES", b"LATms"];

#[derive(Default)]
struct IoSnoop {
    layout: Option<Layout>,
    devices: Devices,
    /// True if a line says that the tracer lost events.
    has_losses: bool,
}

/// The times that precede the name of a process in each line.
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Starts,
    Ends,
    Both,
}

fn is_remark(line: &[u8]) -> bool {
    REMARKS.iter().any(|remark| line.starts_with(remark))
}

/// The names before `COMM` if the line is a header.
fn times_of_header<'a>(words: &[Word<'a>]) -> Option<Vec<&'a [u8]>> {
    let names: Vec<&[u8]> = words.iter().map(|word| word.0).collect();
    let process = names.iter().position(|name| *name == b"COMM")?;
    (names[process + 1..] == NAMES).then(|| names[..process].to_vec())
}

fn matches(head: &[u8]) -> bool {
    content_lines(head)
        .find(|line| !is_remark(line))
        .is_some_and(|line| times_of_header(&words(line)).is_some())
}

impl LineFormat for IoSnoop {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        if is_remark(line) {
            self.has_losses |= line.windows(4).any(|part| part == b"LOST");
            return Ok(());
        }
        let words = words(line);
        if let Some(times) = times_of_header(&words) {
            self.layout = Some(match times[..] {
                [b"STARTs", b"ENDs"] => Layout::Both,
                [b"STARTs"] => Layout::Starts,
                [b"ENDs"] => Layout::Ends,
                _ => {
                    let expected = "a column of times, STARTs or ENDs: run iosnoop with -ts";
                    return Err(Fields::new(line).fault_here(expected));
                }
            });
            return Ok(());
        }
        let header = "the header of iosnoop with STARTs, ENDs, COMM, PID, TYPE, DEV, BLOCK, BYTES and LATms";
        let layout = self.layout.ok_or_else(|| Fields::new(line).fault_here(header))?;
        out.times = Times::FromAnywhere;
        if let Some(request) = self.request(line, &words, layout, out)? {
            out.rows.push(request);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        if self.has_losses {
            out.about.doubt(Aspect::Completeness, "requests are missing: the tracer lost events");
        }
        if self.layout.is_some_and(|layout| layout != Layout::Both) {
            let text = "measured times count in steps of 10 us: iosnoop -ts gives both times in us";
            out.about.doubt(Aspect::Clock, text);
        }
    }
}

impl IoSnoop {
    fn request(
        &mut self,
        line: &[u8],
        words: &[Word<'_>],
        layout: Layout,
        out: &mut ReaderOutput,
    ) -> Parsed<Option<TraceRow>> {
        let end = Fault {
            expected: "a line with the columns that the header names",
            at: line.len(),
            separator: b' ',
        };
        let times = if layout == Layout::Both { 2 } else { 1 };
        // The name of a process may contain blanks, so that columns behind it count from the right.
        ensure!(words.len() >= times + NAMES.len(), end);
        let [.., op, disk, sector, bytes, latency] = words else { return Err(end) };
        let field = |word: &Word<'_>| Fields::from(line, word.1);
        let second = "a time in s (a decimal number from 0)";
        let first_ns = field(&words[0]).decimal(SECOND_PLACES, second)?;
        let latency_ns = field(latency).decimal(MS_PLACES, "a latency in ms (a decimal number from 0)")?;
        let (arrival_ns, service_ns) = match layout {
            Layout::Starts => (first_ns, latency_ns),
            Layout::Ends => {
                let fault = field(latency).fault_here("");
                (quantities::arrival_ns(first_ns, latency_ns, fault)?, latency_ns)
            }
            Layout::Both => {
                let after = "a time in s that is not before the start";
                let ended_ns = field(&words[1]).decimal(SECOND_PLACES, after)?;
                ensure!(ended_ns >= first_ns, field(&words[1]).fault_here(after));
                (first_ns, ended_ns - first_ns)
            }
        };
        field(disk).pair("a device as major,minor")?;
        let (op, disk, sector, bytes) = (*op, *disk, *sector, *bytes);
        Snooped { arrival_ns, service_ns, op, disk, sector, bytes }.request(line, &mut self.devices, out)
    }
}
