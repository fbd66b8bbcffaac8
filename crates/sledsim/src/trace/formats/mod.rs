//! The trace formats; each has its own file.

mod block_events;
#[cfg(not(target_arch = "wasm32"))]
mod driver_text;
mod requests;
mod shape;

use super::reader::{ReadOptions, Reader};
use super::source::DecodedSource;
use super::writer::Writer;
use crate::error::Result;
use crate::table::{rows, Row};

type Open = fn(DecodedSource, &ReadOptions<'_>) -> Result<Box<dyn Reader>>;

/// Description of a trace format: how to recognise, read and write it.
#[derive(Clone, Copy)]
pub struct FormatKind {
    /// A small file in this format with at least one request, which tests recognise, read and damage.
    sample: &'static [u8],
    /// True if the times of the format come from a clock; the arrival of the first request then
    /// becomes time 0.
    pub(in crate::trace) has_clock: bool,
    /// Function that returns true if the first bytes of a file (decompressed) look like this format.
    pub(in crate::trace) matches: fn(head: &[u8]) -> bool,
    /// Function that makes a reader of an open file.
    pub(in crate::trace) open: Open,
    /// Function that makes a writer; `None` if the format can only be read.
    pub(in crate::trace) writer: Option<fn() -> Box<dyn Writer>>,
}

impl FormatKind {
    /// Describes a format that can only be read, and whose times count from the start of the trace.
    const fn new(sample: &'static [u8], matches: fn(&[u8]) -> bool, open: Open) -> Self {
        // A web page is loaded through a network and needs neither samples nor writers.
        let sample = if cfg!(target_arch = "wasm32") { &[] } else { sample };
        Self { sample, has_clock: false, matches, open, writer: None }
    }

    const fn with_clock(self) -> Self {
        Self { has_clock: true, ..self }
    }

    const fn writer(self, writer: fn() -> Box<dyn Writer>) -> Self {
        Self { writer: if cfg!(target_arch = "wasm32") { None } else { Some(writer) }, ..self }
    }
}

/// A trace format with its name and its description for the user.
pub type FormatRow = Row<FormatKind>;

impl FormatRow {
    /// The sample file of this format, for tests.
    #[must_use]
    pub fn sample(&self) -> &'static [u8] {
        self.make.sample
    }

    /// True if the format can be written as well as read.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.make.writer.is_some()
    }
}

rows! {
    /// All trace formats, in the order in which recognition tries them: the most distinctive first.
    pub static FORMATS: Table<FormatKind> = "trace format";
    pub(super) mod blktrace: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod srt: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod vscsi: ROW;
    mod fio: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod fio_log: ROW;
    mod blkparse: ROW;
    mod ftrace: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod driver_events: NVME, SCSI;
    #[cfg(not(target_arch = "wasm32"))]
    mod biosnoop: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod iosnoop: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod xperf: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod tracerpt: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod validate: ROW;
    mod msr: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod systor17: ROW;
    mod spc: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod alibaba: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod k5cloud: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod thesios: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod tencent: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod fiu: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod mobilect: ROW;
    mod mqsim: ROW;
    mod disksim: ROW;
    pub(super) mod csv: ROW;
    #[cfg(not(target_arch = "wasm32"))]
    mod oraclegeneral: ROW;
}
