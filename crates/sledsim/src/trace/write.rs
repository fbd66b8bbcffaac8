//! Writing of a trace in a format that other tools can read.

use super::columns::Trace;
use super::formats::FORMATS;
use super::trace_info::TraceInfo;
use super::writer::Writer;
use crate::error::{fault, unknown_name, Result};

/// A writer of a trace, which turns requests into bytes.
pub struct TraceWriter {
    writer: Box<dyn Writer>,
    /// Number of requests that were left out because the format cannot express them, such as flushes.
    pub left_out: u64,
}

impl TraceWriter {
    /// Returns a writer for the format named `format`.
    ///
    /// # Errors The format is unknown, or can only be read.
    pub fn new(format: &str) -> Result<Self> {
        let rows = FORMATS.rows();
        let writable = || rows.iter().filter(|row| row.is_writable()).map(|row| row.name);
        match FORMATS.find(format).map(|row| row.make.writer) {
            Ok(Some(writer)) => Ok(Self { writer: writer(), left_out: 0 }),
            Ok(None) => fault(format!(
                "traces in the format {format} can be read, but not written: expected one of {}",
                writable().collect::<Vec<_>>().join(", ")
            )),
            Err(_) => Err(unknown_name("trace format", format, writable())),
        }
    }

    /// Returns the bytes of the requests `rows`, which follow those of earlier calls; `about` gives
    /// the names of devices.
    ///
    /// # Errors The errors of [`Writer::request`].
    pub fn rows(&mut self, rows: &Trace, about: &TraceInfo) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for row in 0..rows.len() {
            if !self.writer.request(&rows.row(row), about, &mut bytes)? {
                self.left_out += 1;
            }
        }
        Ok(bytes)
    }
}
