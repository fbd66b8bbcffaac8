//! The binary files of `blktrace` (linux/blktrace_api.h): records, one file a CPU,
//! `NAME.blktrace.N`, merged by time.

mod record;

use std::path::{Path, PathBuf};

use super::columns::{DeviceNumbers, Trace};
use super::source::Source;
use super::Format;
use crate::error::{Error, Result};
use record::ByteOrder;

pub(super) const FORMAT: Format = Format {
    name: "blktrace",
    description: "Linux blktrace binary, all CPU files of a capture: requests dispatched to the device",
    matches: |head| ByteOrder::of(head).is_some(),
    read,
};

/// Reads every CPU file of the capture, merges them by time, and counts time from the first event
/// of any kind, as `blkparse` does.
fn read(source: &mut Source<'_>, trace: &mut Trace) -> Result<()> {
    let mut first_ns = i64::MAX;
    let files = cpu_files(source.file())?;
    if files.len() == 1 {
        read_file(source, trace, &mut first_ns)?;
    } else {
        let mut earlier_bytes = 0;
        for file in files {
            source.switch_to(&file, earlier_bytes)?;
            read_file(source, trace, &mut first_ns)?;
            earlier_bytes = source.consumed_bytes();
        }
    }
    trace.sort_by_arrival();
    for arrival_ns in &mut trace.arrival_ns {
        *arrival_ns -= first_ns;
    }
    let mut devices = DeviceNumbers::default();
    for device in &mut trace.device {
        let (major, minor) = record::major_minor(*device);
        *device = devices.number(major, minor);
    }
    Ok(())
}

/// Appends the dispatched requests of one file, times and devices as they stand there, and lowers
/// `first_ns` to its earliest event.
fn read_file(source: &mut Source<'_>, trace: &mut Trace, first_ns: &mut i64) -> Result<()> {
    let mut order = None;
    while let Some(record) = record::next(source, &mut order)? {
        if record.is_event() {
            *first_ns = record.time_ns.min(*first_ns);
        }
        if record.is_dispatch() {
            record.append_to(trace).map_err(|message| source.byte_error(record.offset, &message))?;
        }
    }
    Ok(())
}

/// All files of the capture that `path` belongs to, by CPU number: `NAME.blktrace.N` with the same
/// ending (`.gz`, `.zst` or none). A path of another form stands for itself.
pub(super) fn cpu_files(path: &Path) -> Result<Vec<PathBuf>> {
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

/// Splits `NAME.blktrace.N.gz` into the name with the ending, which all files of a capture share,
/// and the CPU number.
fn capture_and_cpu(file: &Path) -> Option<((String, String), u32)> {
    let (name, rest) = file.file_name()?.to_str()?.rsplit_once(".blktrace.")?;
    let (cpu, ending) = match rest.split_once('.') {
        Some((cpu, ending @ ("gz" | "zst"))) => (cpu, ending),
        Some(_) => return None,
        None => (rest, ""),
    };
    Some(((name.to_owned(), ending.to_owned()), cpu.parse().ok()?))
}
