//! The formats of traces, one file each.

mod alibaba;
mod blkparse;
pub(super) mod blktrace;
mod csv;
mod disksim;
mod fio;
mod fiu;
mod mobilect;
mod mqsim;
mod msr;
mod oraclegeneral;
mod shape;
mod spc;
mod srt;
mod systor17;
mod tencent;
mod validate;
mod vscsi;

use super::read::{ReadOptions, Reader};
use super::source::Source;
use super::write::Writer;
use crate::error::Result;

/// A trace format: one row of [`FORMATS`].
pub struct Format {
    /// The name by which a user asks for it.
    pub name: &'static str,
    /// One line for the list of formats.
    pub description: &'static str,
    /// Whether its times are those of a clock; the first request then comes at time 0.
    pub(super) has_clock: bool,
    /// Whether the first bytes (decompressed) look like this format.
    pub(super) matches: fn(head: &[u8]) -> bool,
    /// Begins to read an open file.
    pub(super) open: fn(Source, &ReadOptions<'_>) -> Result<Box<dyn Reader>>,
    /// Begins to write, if the format can be written.
    pub(super) writer: Option<fn() -> Box<dyn Writer>>,
}

impl Format {
    /// Whether it can be written, too.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.writer.is_some()
    }
}

/// Every format that can be read, in the order in which they are tried on a file: those come first that hardly
/// anything else looks like.
pub static FORMATS: [Format; 17] = [
    blktrace::FORMAT,
    srt::FORMAT,
    vscsi::FORMAT,
    fio::FORMAT,
    blkparse::FORMAT,
    validate::FORMAT,
    msr::FORMAT,
    systor17::FORMAT,
    spc::FORMAT,
    alibaba::FORMAT,
    tencent::FORMAT,
    fiu::FORMAT,
    mobilect::FORMAT,
    mqsim::FORMAT,
    disksim::FORMAT,
    csv::FORMAT,
    oraclegeneral::FORMAT,
];
