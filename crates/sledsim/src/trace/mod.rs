//! Block traces: columns in memory, and the table of formats that can be read.

mod blkparse;
mod blktrace;
mod columns;
mod disksim;
mod fields;
mod source;
mod stream;

use std::ops::ControlFlow;
use std::path::Path;

use crate::error::{unknown_name, Error, Result};
pub use columns::{Request, Skipped, Trace};
pub use source::Source;

/// Called about once a mebibyte of decoded data with the bytes of the file consumed so far
/// (counted before decompression, over all files of a capture); a break stops the reading
/// with [`Error::Interrupted`].
pub type Observer<'a> = dyn FnMut(u64) -> ControlFlow<()> + 'a;

/// A trace format: one row of [`FORMATS`].
#[derive(Debug)]
pub struct Format {
    /// The name by which a user asks for it.
    pub name: &'static str,
    /// One line for the list of formats.
    pub description: &'static str,
    /// Whether the first bytes (decompressed) look like this format.
    pub matches: fn(head: &[u8]) -> bool,
    /// Appends every request to the trace, and counts what is not a request.
    pub read: fn(&mut Source<'_>, &mut Trace) -> Result<()>,
}

/// Every format that can be read.
pub static FORMATS: [Format; 3] = [disksim::FORMAT, blkparse::FORMAT, blktrace::FORMAT];

/// How to read a trace.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// The name of the format; found from the content when not given.
    pub format: Option<&'a str>,
    /// Sort the requests by arrival time (stable) instead of refusing times that decrease.
    pub sort: bool,
}

/// Reads a trace, compressed with gzip or Zstandard or not, into columns.
///
/// # Errors
/// `Io` when a file cannot be read, `Parameter` for an unknown format name, `Interrupted` when
/// `observe` breaks, and otherwise `Trace`, with the file and the line or byte at fault.
pub fn read(path: &Path, options: &ReadOptions<'_>, observe: &mut Observer<'_>) -> Result<Trace> {
    let named = options.format.map(format_named).transpose()?;
    let mut source = Source::open(path, options.sort, observe)?;
    let format = match named {
        Some(format) => format,
        None => recognise(&mut source)?,
    };
    let mut trace = Trace { format: format.name, ..Trace::default() };
    (format.read)(&mut source, &mut trace)?;
    if trace.is_empty() {
        let skipped = &trace.skipped;
        return Err(Error::Trace(format!(
            "{}: no requests found (format {}; skipped {skipped})",
            path.display(),
            format.name
        )));
    }
    if options.sort {
        trace.sort_by_arrival();
    }
    Ok(trace)
}

/// The bytes that reading `path` will consume, the sibling files of a blktrace capture included:
/// what an [`Observer`] counts up to.
///
/// # Errors
/// `Io` when a file cannot be found.
pub fn size_bytes(path: &Path) -> Result<u64> {
    let size = |file: &Path| {
        std::fs::metadata(file)
            .map(|data| data.len())
            .map_err(|source| Error::Io { path: file.display().to_string(), source })
    };
    blktrace::cpu_files(path)?.iter().map(|file| size(file)).sum()
}

fn format_named(name: &str) -> Result<&'static Format> {
    FORMATS
        .iter()
        .find(|format| format.name == name)
        .ok_or_else(|| unknown_name("trace format", name, FORMATS.iter().map(|format| format.name)))
}

fn recognise(source: &mut Source<'_>) -> Result<&'static Format> {
    let head = source.head()?;
    if let Some(format) = FORMATS.iter().find(|format| (format.matches)(head)) {
        return Ok(format);
    }
    let found = match head {
        [] => "an empty file".to_owned(),
        _ => format!("one that begins with {}", fields::quote(head)),
    };
    let tried: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    Err(Error::Trace(format!(
        "{}: expected a trace in one of the formats {}, found {found}",
        source.path(),
        tried.join(", ")
    )))
}
