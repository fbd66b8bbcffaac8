//! The binary files of `blktrace` (linux/blktrace_api.h): each CPU has its own file of records,
//! `NAME.blktrace.N`. The files are merged by time.

mod io_trace;

use std::path::{Path, PathBuf};

use super::super::completions::{Completions, Ended, Event};
use super::super::decoded_stream::Input;
use super::super::device_numbers::Devices;
use super::super::evidence::Aspect;
use super::super::reader::{ReadOptions, Reader};
use super::super::records::Decoded;
use super::super::sequence_numbers::Sequences;
use super::super::source::DecodedSource;
use super::super::trace_info::ReaderOutput;
use super::{FormatKind, FormatRow};
use crate::error::{Error, Result};
use io_trace::{ByteOrder, Record};

pub(super) const ROW: FormatRow = FormatRow::new(
    "blktrace",
    "Linux blktrace binary, all CPU files of a capture: requests dispatched to the device",
    FormatKind::new(
        SAMPLE,
        |head| ByteOrder::of(head).is_some(),
        |source, options| Ok(Box::new(BlkTrace::open(source, options)?)),
    ),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"\x07tae\x01\0\0\0\x06\0\0\0\0\0\0\0d\0\0\0\0\0\0\0\0\x02\0\0\x07\0\0\0\xe1\x10\0\0\0\0\x80\0\0\0\0\0\0\0\0\0";

/// Number of CPUs, from 0 on, whose files are missed.
const CPUS_MAX: u32 = 64;

/// Smallest number of events in sequence for each jump of the numbers; a file that `blkparse` filtered has fewer.
const EVENTS_A_JUMP: u64 = 2;

/// The CPU files of a capture, merged by time.
struct BlkTrace {
    cpus: Vec<Cpu>,
    events: Events,
    /// Numbers of CPUs, below that of the last file, that have no file.
    gaps: Vec<u32>,
}

/// The file of one CPU, with its first record that has not been merged yet.
struct Cpu {
    source: DecodedSource,
    order: Option<ByteOrder>,
    next: Option<Record>,
}

impl BlkTrace {
    fn open(source: DecodedSource, options: &ReadOptions<'_>) -> Result<Self> {
        let one_thread = ReadOptions { ahead: None, ..*options };
        let files = source.path().map(cpu_files).transpose()?.unwrap_or_default();
        let gaps = missing_cpus(&files);
        let sources = if files.len() > 1 {
            files
                .into_iter()
                .map(|file| DecodedSource::open(Input::File(file), &one_thread))
                .collect::<Result<_>>()?
        } else {
            vec![source]
        };
        let cpu = |source| Cpu { source, order: None, next: None };
        let events = Events { sequences: Sequences::new(EVENTS_A_JUMP), ..Events::default() };
        Ok(Self { cpus: sources.into_iter().map(cpu).collect(), events, gaps })
    }
}

/// Requests that are put together from the events of several records.
#[derive(Default)]
struct Events {
    devices: Devices,
    completions: Completions,
    /// Time in ns of the first event of any kind, which is time 0 of the trace, as in `blkparse`.
    first_ns: Option<i64>,
    sequences: Sequences,
}

impl Events {
    /// Processes one record of the file `source`, and appends finished requests to `out`.
    #[inline]
    fn take_in(&mut self, record: &Record, source: &DecodedSource, out: &mut ReaderOutput) -> Result<()> {
        if !record.is_event() {
            return Ok(());
        }
        let since_ns = record.time_ns - *self.first_ns.get_or_insert(record.time_ns);
        out.about.queued += u64::from(record.is_queued());
        let (major, minor) = record.major_minor();
        let (device, cpu) = ((major as u32, minor as u32), record.cpu as usize);
        if record.is_message() {
            self.sequences.add_message(device, cpu, u64::from(record.number));
        } else if self.sequences.add(device, cpu, u64::from(record.number)) {
            self.completions.lost(out);
        }
        if let Some(event) = record.event() {
            if let Err(message) = self.event(event, record, since_ns, out) {
                out.about.bad.pass(source.byte_error(record.offset, &message))?;
            }
        }
        Ok(())
    }

    fn event(&mut self, event: Event, record: &Record, time_ns: i64, out: &mut ReaderOutput) -> Decoded<()> {
        let device = self.devices.of_linux(record.major_minor(), &mut out.about);
        if event != Event::Dispatch {
            let (lbn, blocks) = record.sectors();
            let ended = Ended { device, op: record.op(), lbn, blocks, has_failed: record.has_failed };
            self.completions.ended(event, ended, time_ns, out);
        } else if record.is_passed_through() {
            out.about.skipped.commands += 1;
        } else {
            match record.request(device, time_ns)? {
                Some(request) => self.completions.dispatched(request, out),
                None => out.about.skipped.empty += 1,
            }
        }
        Ok(())
    }
}

impl Reader for BlkTrace {
    /// Processes the earliest unread record of all files, and then further records of the same file
    /// that are earlier than the next record of every other file; at most `most` records.
    fn take_in(&mut self, most: usize, out: &mut ReaderOutput) -> Result<usize> {
        // At equal times the first file comes first.
        let [mut earliest, mut second] = [(i64::MAX, usize::MAX); 2];
        for (at, cpu) in self.cpus.iter_mut().enumerate() {
            if cpu.next.is_none() {
                cpu.next = io_trace::next(&mut cpu.source, &mut cpu.order, out)?;
            }
            let Some(next) = &cpu.next else { continue };
            let place = (next.time_ns, at);
            second = second.min(place.max(earliest));
            earliest = earliest.min(place);
        }
        let at = earliest.1;
        let Some(cpu) = self.cpus.get_mut(at) else {
            self.events.completions.finish(out);
            if let Some(text) = self.events.sequences.text() {
                out.about.doubt(Aspect::Completeness, text);
            }
            if !self.gaps.is_empty() {
                let cpus: Vec<String> = self.gaps.drain(..).map(|cpu| cpu.to_string()).collect();
                let text = format!("the capture has no file of CPU {}", cpus.join(", "));
                out.about.doubt(Aspect::Completeness, text);
            }
            return Ok(0);
        };
        if let Some(record) = cpu.next.take() {
            self.events.take_in(&record, &cpu.source, out)?;
        }
        let (unread, offset) = (cpu.source.unread(), cpu.source.offset());
        let (mut taken, mut length) = (1, 0);
        while let (true, Some(order)) = (taken < most, cpu.order) {
            match io_trace::whole(&unread[length..], offset + length as u64, order) {
                Some((record, size)) if (record.time_ns, at) < second => {
                    self.events.take_in(&record, &cpu.source, out)?;
                    length += size;
                }
                _ => break,
            }
            taken += 1;
        }
        cpu.source.next_bytes(length)?;
        Ok(taken)
    }

    fn consumed_bytes(&self) -> u64 {
        self.cpus.iter().map(|cpu| cpu.source.consumed_bytes()).sum()
    }
}

/// Paths of all files of the capture to which `path` belongs, ordered by CPU number:
/// `NAME.blktrace.N` with the same ending (`.gz`, `.zst`, `.xz` or no ending). A path in another
/// form is returned as the only file.
pub(in super::super) fn cpu_files(path: &Path) -> Result<Vec<PathBuf>> {
    let Some((capture, _)) = capture_and_cpu(path) else {
        return Ok(vec![path.to_owned()]);
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let io_error = |source| Error::Io { path: folder.display().to_string(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io_error)? {
        let file = path.with_file_name(entry.map_err(io_error)?.file_name());
        match capture_and_cpu(&file) {
            Some((its_capture, cpu)) if its_capture == capture => files.push((cpu, file)),
            _ => {}
        }
    }
    files.sort();
    Ok(files.into_iter().map(|(_, file)| file).collect())
}

/// Numbers of CPUs, below that of the last file of a capture, that have no file.
fn missing_cpus(files: &[PathBuf]) -> Vec<u32> {
    let there: Vec<u32> = files.iter().filter_map(|file| capture_and_cpu(file)).map(|(_, cpu)| cpu).collect();
    let last = there.iter().max().copied().unwrap_or(0).min(CPUS_MAX);
    (0..last).filter(|cpu| !there.contains(cpu)).collect()
}

/// Splits `NAME.blktrace.N.gz` into the parts that all files of a capture share (the name and the ending)
/// and the CPU number.
fn capture_and_cpu(file: &Path) -> Option<((String, String), u32)> {
    let (name, rest) = file.file_name()?.to_str()?.rsplit_once(".blktrace.")?;
    let (cpu, ending) = match rest.split_once('.') {
        Some((cpu, ending @ ("gz" | "zst" | "xz"))) => (cpu, ending),
        Some(_) => return None,
        None => (rest, ""),
    };
    Some(((name.to_owned(), ending.to_owned()), cpu.parse().ok()?))
}
