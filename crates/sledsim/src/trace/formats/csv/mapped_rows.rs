//! Conversion of the lines of a table with known columns into requests.

use crate::error::ensure;
use std::borrow::Cow;
use std::ops::Range;

use super::super::super::columns::{Op, TraceRow};
use super::super::super::device_numbers::Devices;
use super::super::super::evidence::Evidence;
use super::super::super::fields::{Fault, Parsed, I32_MAX, I64_MAX};
use super::super::super::lines::LineFormat;
use super::super::super::plausibility::{Extents, Unit};
use super::super::super::quantities::{decimal, sectors, whole, OFFSET_MAX, SIZE_MAX};
use super::super::super::trace_info::{ReaderOutput, Times};
use super::super::msr::{FILETIME, FILETIMES_MAX, FILETIME_1970, FILETIME_NS};
use super::calendar;
use super::column_map::{Entry, Field, Meaning, TimeUnit};
use super::dialect::{split, Table};
use super::operations;

/// Border between times since 1970 (larger) and times since the start of a trace (smaller): twenty years in
/// ns.
const CLOCK_NS: i64 = 631_152_000_000_000_000;
const OPERATION: &str = "an operation (R, W, read, write, discard, flush, 0 for a read, 1 for a write)";
const TRUTHS: [(bool, &[&str]); 2] =
    [(false, &["", "0", "no", "false", "n", "f"]), (true, &["1", "yes", "true", "y", "t", "m"])];
const METADATA: &str = "a mark of metadata (1, yes or true; 0, no or false)";

/// Converter from lines of a table with known columns to requests.
#[derive(Default)]
pub(super) struct MappedRows {
    separator: u8,
    /// The header line; empty if the table has no header.
    header: Vec<u8>,
    columns: Vec<(usize, Entry)>,
    /// Number of columns into which a line is split, up to the last column that is needed.
    count: usize,
    /// Positions of the columns within the current line.
    places: Vec<Range<usize>>,
    are_devices_numbers: bool,
    /// True if operations are SCSI operation codes, some of which are commands without data.
    are_scsi: bool,
    devices: Devices,
    is_behind_first: bool,
    extents: Extents,
    /// Evidence on how the columns were recognised; it is passed on with the first line.
    evidence: Vec<Evidence>,
}

/// The fields of a request as read from a line.
#[derive(Default)]
struct Row {
    place: u64,
    place_bytes: u64,
    size: u64,
    size_bytes: u64,
    request: TraceRow,
    times: Times,
    /// Position in the line of the device's name.
    device: Option<Range<usize>>,
    /// True if the request is a command that reads or writes no data.
    is_command: bool,
    /// True if the letters of the operation begin with `F`: a flush comes before the data.
    flushes_first: bool,
    /// Fault in the position or size of the request, if any.
    fault: Option<Fault>,
}

impl MappedRows {
    pub fn new(table: &Table<'_>, columns: Vec<(usize, Entry)>, evidence: Vec<Evidence>) -> Self {
        let unit = |fields: &[Field]| {
            let entry = columns.iter().find(|(_, entry)| fields.contains(&entry.field));
            match entry.map_or(1, |(_, entry)| unit_bytes(entry.field, &entry.meaning)) {
                1 => Unit::Bytes,
                512 => Unit::Sectors,
                _ => Unit::Other,
            }
        };
        Self {
            separator: table.separator,
            header: if table.has_header { table.first.to_vec() } else { Vec::new() },
            count: columns.iter().map(|(at, _)| at + 1).max().unwrap_or(0),
            are_devices_numbers: are_devices_numbers(table, &columns),
            are_scsi: words_of(table, &columns, Field::Op).is_some_and(|words| operations::are_scsi(&words)),
            extents: Extents::new(unit(&[Field::Lbn, Field::Offset]), unit(&[Field::Size])),
            columns,
            evidence,
            ..Self::default()
        }
    }

    fn request(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        split(line, self.separator, self.count, &mut self.places);
        let mut row = Row::default();
        for (at, entry) in &self.columns {
            let place = self.places.get(*at).cloned().unwrap_or(line.len()..line.len());
            let fault = |expected| Fault { expected, at: place.start, separator: self.separator };
            match self.take(&line[place.clone()], entry, &mut row) {
                Ok(()) => {}
                // The place of a flush does not matter, and at this point the operation may be unknown.
                Err(expected) if matches!(entry.field, Field::Lbn | Field::Offset | Field::Size) => {
                    row.fault = row.fault.or(Some(fault(expected)));
                }
                Err(expected) => return Err(row.fault.unwrap_or(fault(expected))),
            }
            if entry.field == Field::Device && !self.are_devices_numbers {
                row.device = Some(place);
            }
        }
        if let Some(fault) = row.fault.filter(|_| row.request.op != Op::Flush) {
            return Err(fault);
        }
        if let Some(place) = row.device.take() {
            row.request.device = self.devices.number(&line[place], &mut out.about);
        }
        if !self.is_behind_first {
            self.is_behind_first = true;
            out.times = row.times;
        }
        self.pass(row, out);
        Ok(())
    }

    /// Reads the value `word` of a column into `row`; returns a description of valid values if it is
    /// invalid.
    fn take(&self, word: &[u8], entry: &Entry, row: &mut Row) -> Result<(), &'static str> {
        let Entry { field, meaning, .. } = entry;
        let number = &*plain(word, self.separator);
        match field {
            Field::Time => (row.request.arrival_ns, row.times) = time(number, meaning)?,
            Field::Lbn | Field::Offset => {
                row.place = whole(number, OFFSET_MAX, "a position (a number of at least 0)")?;
                let bytes = row.place.checked_mul(unit_bytes(*field, meaning));
                row.place_bytes = bytes
                    .filter(|bytes| *bytes <= OFFSET_MAX)
                    .ok_or("a position below 9223372036854775808 bytes")?;
            }
            Field::Size => {
                row.size = whole(number, SIZE_MAX, "a size (a number from 0 to 1099511626752)")?;
                let bytes = row.size.checked_mul(unit_bytes(*field, meaning));
                row.size_bytes =
                    bytes.filter(|bytes| *bytes <= SIZE_MAX).ok_or("a size up to 1099511626752 bytes")?;
            }
            Field::Op => match (operations::named_in(word, &meaning.ops), operations::rwbs(word)) {
                (Some(op), _) => row.request.op = op,
                (None, Some((op, metadata, flags))) => {
                    row.flushes_first = word.starts_with(b"F");
                    row.request = TraceRow { op, flags, metadata, ..row.request };
                }
                (None, None) if self.are_scsi && operations::scsi_code(word).is_some() => {
                    row.is_command = true;
                }
                (None, None) => return Err(OPERATION),
            },
            Field::Device if self.are_devices_numbers => {
                row.request.device = whole(word, I32_MAX, "a device number from 0 to 2147483647")? as i32;
            }
            Field::Device => {}
            Field::Metadata => {
                row.request.metadata |= operations::named(word, &TRUTHS).ok_or(METADATA)?;
            }
            Field::Response => row.request.response_ns = measured(number, meaning)?,
            Field::Service => row.request.service_ns = measured(number, meaning)?,
        }
        Ok(())
    }

    fn pass(&mut self, row: Row, out: &mut ReaderOutput) {
        let Row { place, place_bytes, size, size_bytes, request, is_command, flushes_first, .. } = row;
        if is_command {
            out.about.skipped.commands += 1;
        } else if request.op == Op::Flush || flushes_first && size == 0 {
            let TraceRow { arrival_ns, device, response_ns, service_ns, .. } = request;
            let flush = TraceRow { arrival_ns, device, op: Op::Flush, ..TraceRow::default() };
            out.rows.push(TraceRow { response_ns, service_ns, ..flush });
        } else if self.extents.add(place, size, &mut out.about) {
            let (lbn, blocks) = sectors(place_bytes, size_bytes);
            out.rows.push(TraceRow { lbn, blocks, ..request });
        }
    }
}

impl LineFormat for MappedRows {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        out.about.evidence.append(&mut self.evidence);
        if !self.header.is_empty() && line.trim_ascii() == self.header {
            return Ok(());
        }
        self.request(line, out)
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.extents.add_notes(&mut out.about);
    }
}

/// True if the devices of the first lines are all numbers, which then serve as device numbers.
fn are_devices_numbers(table: &Table<'_>, columns: &[(usize, Entry)]) -> bool {
    let words = words_of(table, columns, Field::Device);
    words.is_some_and(|words| words.iter().all(|word| whole(word, I32_MAX, "").is_ok()))
}

/// The values of a field in the first lines; `None` if no column holds the field.
fn words_of<'a>(table: &Table<'a>, columns: &[(usize, Entry)], field: Field) -> Option<Vec<&'a [u8]>> {
    let (at, _) = columns.iter().find(|(_, entry)| entry.field == field)?;
    Some(table.column(*at))
}

/// Number of bytes in the unit of a position or size: as the map gives it, or the default unit of
/// the field.
pub(super) fn unit_bytes(field: Field, meaning: &Meaning) -> u64 {
    meaning.unit_bytes.unwrap_or(if field == Field::Lbn { 512 } else { 1 })
}

/// Rewrites a number: with a decimal point, and without commas between groups of digits. In a table
/// separated by commas, a comma within quotes separates groups of digits; in any other table, a
/// comma is the decimal point.
pub(super) fn plain(word: &[u8], separator: u8) -> Cow<'_, [u8]> {
    if !word.contains(&b',') {
        return Cow::Borrowed(word);
    }
    if separator != b',' {
        return Cow::Owned(word.iter().map(|byte| if *byte == b',' { b'.' } else { *byte }).collect());
    }
    let whole = word.split(|byte| *byte == b'.').next().unwrap_or_default();
    let mut groups = whole.split(|byte| *byte == b',');
    let first = groups.next().unwrap_or_default();
    let is_grouped = (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    if is_grouped {
        Cow::Owned(word.iter().copied().filter(|byte| *byte != b',').collect())
    } else {
        Cow::Borrowed(word)
    }
}

/// Parses an arrival time in ns; also returns the point from which the time counts.
fn time(word: &[u8], meaning: &Meaning) -> Result<(i64, Times), &'static str> {
    if calendar::is_date(word) {
        let since_1970_ns = calendar::unix_ns(word).ok_or("a time such as 2024-02-29T12:00:00.5Z")?;
        return Ok((since_1970_ns, Times::OfDay));
    }
    let Some(TimeUnit::FileTime) = meaning.time else {
        let arrival_ns = duration(word, meaning)?;
        let times = if arrival_ns >= CLOCK_NS { Times::OfDay } else { Times::FromStart };
        return Ok((arrival_ns, times));
    };
    let filetime = whole(word, I64_MAX, FILETIME)?;
    ensure!(filetime.abs_diff(FILETIME_1970) <= FILETIMES_MAX, FILETIME);
    Ok(((filetime as i64 - FILETIME_1970 as i64) * FILETIME_NS as i64, Times::OfDay))
}

/// Parses a measured time in ns; an empty value counts as not measured.
fn measured(word: &[u8], meaning: &Meaning) -> Result<i64, &'static str> {
    if word.is_empty() {
        return Ok(0);
    }
    duration(word, meaning)
}

fn duration(word: &[u8], meaning: &Meaning) -> Result<i64, &'static str> {
    let places = match meaning.time {
        Some(TimeUnit::Decimal { places }) => places,
        _ => 9,
    };
    let expected = match places {
        0 => "a time in ns (a number from 0, at most 292 years)",
        3 => "a time in us (a number from 0, at most 292 years)",
        6 => "a time in ms (a number from 0, at most 292 years)",
        _ => "a time in s (a number from 0, at most 292 years)",
    };
    decimal(word, places, expected)
}
