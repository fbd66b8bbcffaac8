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

/// A trace format, besides its name.
#[derive(Clone, Copy)]
pub struct FormatKind {
    /// A small file in it, with a request at least: tests recognise, read and damage it.
    sample: &'static [u8],
    /// Whether its times are those of a clock; the first request then comes at time 0.
    pub(in crate::trace) has_clock: bool,
    /// Whether the first bytes (decompressed) look like this format.
    pub(in crate::trace) matches: fn(head: &[u8]) -> bool,
    /// Begins to read an open file.
    pub(in crate::trace) open: Open,
    /// Begins to write, if the format can be written.
    pub(in crate::trace) writer: Option<fn() -> Box<dyn Writer>>,
}

impl FormatKind {
    /// A format without a clock that can only be read.
    const fn new(sample: &'static [u8], matches: fn(&[u8]) -> bool, open: Open) -> Self {
        // A web page, which is loaded through a network, has no use for samples and writers.
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

/// One trace format.
pub type FormatRow = Row<FormatKind>;

impl FormatRow {
    /// A small file in it.
    #[must_use]
    pub fn sample(&self) -> &'static [u8] {
        self.make.sample
    }

    /// Whether it can be written, too.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.make.writer.is_some()
    }
}

rows! {
    /// Every format that can be read, in the order in which they are tried on a file: those come first that hardly
    /// anything else looks like.
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
