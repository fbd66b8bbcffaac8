//! The formats of traces, one file each.

mod block_events;
mod requests;
mod shape;

use super::reader::{ReadOptions, Reader};
use super::source::DecodedSource;
use super::writer::Writer;
use crate::error::Result;
use crate::table::{rows, Row};

type Open = fn(DecodedSource, &ReadOptions<'_>) -> Result<Box<dyn Reader>>;

/// A trace format, without its name.
#[derive(Clone, Copy)]
pub struct FormatKind {
    /// A small file with at least one request: tests recognise, read and damage it.
    sample: &'static [u8],
    /// True if the times come from a clock; the first request then comes at time 0.
    pub(in crate::trace) has_clock: bool,
    /// True if the first bytes (decompressed) look like this format.
    pub(in crate::trace) matches: fn(head: &[u8]) -> bool,
    /// Begins to read an open file.
    pub(in crate::trace) open: Open,
    /// Begins to write, if the format can be written.
    pub(in crate::trace) writer: Option<fn() -> Box<dyn Writer>>,
}

impl FormatKind {
    /// A format without a clock that can only be read.
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

/// A row of the table of trace formats.
pub type FormatRow = Row<FormatKind>;

impl FormatRow {
    /// A small file in this format.
    #[must_use]
    pub fn sample(&self) -> &'static [u8] {
        self.make.sample
    }

    /// True if the format can also be written.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.make.writer.is_some()
    }
}

rows! {
    /// Every format that can be read, in the order of recognition: the most distinctive formats come first.
    pub static FORMATS: Table<FormatKind> = "trace format";
    pub(super) mod blktrace: ROW;
    mod srt: ROW;
    mod vscsi: ROW;
    mod fio: ROW;
    mod blkparse: ROW;
    mod ftrace: ROW;
    mod biosnoop: ROW;
    mod xperf: ROW;
    mod tracerpt: ROW;
    mod validate: ROW;
    mod msr: ROW;
    mod systor17: ROW;
    mod spc: ROW;
    mod alibaba: ROW;
    mod tencent: ROW;
    mod fiu: ROW;
    mod mobilect: ROW;
    mod mqsim: ROW;
    mod disksim: ROW;
    pub(super) mod csv: ROW;
    mod oraclegeneral: ROW;
}
