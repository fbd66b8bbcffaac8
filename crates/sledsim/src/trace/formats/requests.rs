//! Reading a format with one request per line: the check of units, the header and the requests without data.

use super::super::columns::TraceRow;
use super::super::fields::Parsed;
use super::super::lines::{LineFormat, Lines};
use super::super::plausibility::{Extents, Unit};
use super::super::quantities::{sectors, SECTOR_BYTES};
use super::super::reader::ReadOptions;
use super::super::trace_info::{ReaderOutput, TraceInfo};
use super::shape::{first_line, is_header};
use super::FormatKind;

/// A format in which every line is a request.
pub(super) trait RequestFormat: Default + Send + 'static {
    /// Units of places and sizes.
    const UNITS: (Unit, Unit);
    /// The line that may stand before the requests.
    const HEADER: Option<&str> = None;

    /// The format before its first line.
    fn new(_options: &ReadOptions<'_>) -> Self {
        Self::default()
    }

    /// True if the first bytes of a file look like requests.
    fn looks_like(head: &[u8]) -> bool;

    /// Takes in a line; returns `None` for a line that is no request, which has been counted.
    fn entry(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<Option<Entry>>;

    /// Adds notes on the whole file.
    fn finish(&mut self, _about: &mut TraceInfo) {}
}

/// A request as given by its line.
pub(super) struct Entry {
    /// First byte or first sector of the request.
    pub place: u64,
    /// Number of bytes or sectors; a request with 0 is counted and skipped.
    pub size: u64,
    /// All other columns of the request.
    pub request: TraceRow,
}

impl Entry {
    /// A request without data.
    pub fn empty() -> Self {
        Self { place: 0, size: 0, request: TraceRow::default() }
    }
}

/// The format as the table of formats holds it.
pub(super) const fn kind<F: RequestFormat>(sample: &'static [u8]) -> FormatKind {
    FormatKind::new(
        sample,
        |head| F::looks_like(head) || is_header_of::<F>(first_line(head)),
        |source, options| {
            let extents = Extents::new(F::UNITS.0, F::UNITS.1);
            Ok(Lines::reader(source, Requests { format: F::new(options), extents }))
        },
    )
}

fn is_header_of<F: RequestFormat>(line: &[u8]) -> bool {
    F::HEADER.is_some_and(|header| is_header(line, header))
}

struct Requests<F> {
    format: F,
    extents: Extents,
}

impl<F: RequestFormat> LineFormat for Requests<F> {
    #[inline]
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let Some(Entry { place, size, request }) = self.format.entry(line, out)? else { return Ok(()) };
        if self.extents.add(place, size, &mut out.about) {
            let (lbn, blocks) = in_sectors(F::UNITS, place, size);
            out.rows.push(TraceRow { lbn, blocks, ..request });
        }
        Ok(())
    }

    fn is_header(&self, line: &[u8]) -> bool {
        is_header_of::<F>(line)
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.format.finish(&mut out.about);
        self.extents.add_notes(&mut out.about);
    }
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn in_sectors(units: (Unit, Unit), place: u64, size: u64) -> (i64, i32) {
    match units {
        (Unit::Bytes, _) => sectors(place, size),
        (_, Unit::Bytes) => (place as i64, size.div_ceil(SECTOR_BYTES) as i32),
        _ => (place as i64, size as i32),
    }
}
