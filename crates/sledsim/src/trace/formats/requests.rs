//! Reading of a format with one request per line. Checks the units, and handles the header and
//! requests without data.

use super::super::columns::TraceRow;
use super::super::fields::Parsed;
use super::super::lines::{LineFormat, Lines};
use super::super::plausibility::{Extents, Unit};
use super::super::quantities::{sectors, SECTOR_BYTES};
use super::super::reader::ReadOptions;
use super::super::trace_info::{ReaderOutput, TraceInfo};
use super::shape::{first_line, is_header};
use super::FormatKind;

/// A text format in which every line is a request.
pub(super) trait RequestFormat: Default + Send + 'static {
    /// Units of positions and of sizes in a line.
    const UNITS: (Unit, Unit);
    /// The header that may precede the requests; `None` if the format has no header.
    const HEADER: Option<&str> = None;

    /// Returns the state of the format before its first line.
    fn new(_options: &ReadOptions<'_>) -> Self {
        Self::default()
    }

    /// True if the first bytes of a file look like lines of this format.
    fn looks_like(head: &[u8]) -> bool;

    /// Parses a line into a request; returns `None` for a line that is not a request and that the
    /// implementation has counted in `out`.
    fn entry(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<Option<Entry>>;

    /// Adds notes for the user on the whole file at its end.
    fn finish(&mut self, _about: &mut TraceInfo) {}
}

/// A request as read from a line.
pub(super) struct Entry {
    /// First byte or first sector of the request, in the unit of positions.
    pub place: u64,
    /// Number of bytes or sectors; a request of size 0 is counted and skipped.
    pub size: u64,
    /// The request without its position and size.
    pub request: TraceRow,
}

impl Entry {
    /// Returns an entry of size 0, which is counted and skipped.
    pub fn empty() -> Self {
        Self { place: 0, size: 0, request: TraceRow::default() }
    }
}

/// Describes the format for the table of trace formats; `sample` is a small file in the format.
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
