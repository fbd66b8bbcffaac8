//! Values in the columns of a table: their conversion into the fields of a request.

use std::ops::Range;

use super::super::super::columns::TraceRow;
use super::super::super::fields::{Fault, I32_MAX, I64_MAX};
use super::super::super::quantities::{decimal, whole, OFFSET_MAX, SIZE_MAX};
use super::super::super::trace_info::Times;
use super::super::msr::{FILETIME, FILETIMES_MAX, FILETIME_1970, FILETIME_NS};
use super::calendar;
use super::column_map::{Entry, Field, Meaning, TimeUnit};
use super::dialect::Table;
use super::notation::Notation;
use super::operations;
use crate::error::ensure;

/// Border between times since 1970 (larger) and times since the start of a trace (smaller): twenty years in
/// ns.
const CLOCK_NS: i64 = 631_152_000_000_000_000;
/// The year 1970 as a time of .NET; as a Windows file time it is the year 3570.
const NET_1970: u64 = 621_355_968_000_000_000;
const OPERATION: &str =
    "an operation (R, W, read, write, discard, flush, 0 for a read, 1 for a write, or a word that --map op=COLUMN:read=X:write=Y names)";
const TRUTHS: [(bool, &[&str]); 2] =
    [(false, &["", "0", "no", "false", "n", "f"]), (true, &["1", "yes", "true", "y", "t", "m"])];
const METADATA: &str = "a mark of metadata (1, yes or true; 0, no or false)";

/// The notation of the values of a table, as far as the map does not say it.
#[derive(Default)]
pub(super) struct Values {
    pub are_devices_numbers: bool,
    /// True if operations are SCSI operation codes, some of which are commands without data.
    are_scsi: bool,
    pub notation: Notation,
}

/// The fields of a request as read from a line.
#[derive(Default)]
pub(super) struct Row {
    pub place: u64,
    pub place_bytes: u64,
    pub size: u64,
    pub size_bytes: u64,
    pub request: TraceRow,
    pub times: Times,
    /// Position in the line of the device's name.
    pub device: Option<Range<usize>>,
    /// True if the request is a command that reads or writes no data.
    pub is_command: bool,
    /// True if the letters of the operation begin with `F`: a flush comes before the data.
    pub flushes_first: bool,
    /// Fault in the position or size of the request, if any.
    pub fault: Option<Fault>,
}

impl Values {
    pub fn new(table: &Table<'_>, columns: &[(usize, Entry)], notation: Notation) -> Self {
        Self {
            are_devices_numbers: are_devices_numbers(table, columns),
            are_scsi: words_of(table, columns, Field::Op).is_some_and(|words| operations::are_scsi(&words)),
            notation,
        }
    }

    /// Reads the value `word` of a column into `row`; returns a description of valid values if it is
    /// invalid.
    #[inline]
    pub fn take(&mut self, word: &[u8], entry: &Entry, row: &mut Row) -> Result<(), &'static str> {
        let Entry { field, meaning, .. } = entry;
        match field {
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
            Field::Only | Field::Complete | Field::Decimal => {}
            _ if self.notation.is_plain(word) && take_number(word, entry, row).is_ok() => {}
            _ => return self.take_marked(word, entry, row),
        }
        Ok(())
    }

    /// Reads the number `word`, which may have marks between its digits, into `row`.
    #[inline(never)]
    fn take_marked(&mut self, word: &[u8], entry: &Entry, row: &mut Row) -> Result<(), &'static str> {
        if self.notation.pointed(word).is_some_and(|number| take_number(&number, entry, row).is_ok()) {
            return Ok(());
        }
        let plain = self.notation.plain(word, entry.field.is_count())?;
        take_number(plain.as_deref().unwrap_or(word), entry, row)
    }
}

/// Reads a number with a decimal point, and without other marks, into `row`; returns a description of valid
/// numbers if it is invalid.
fn take_number(number: &[u8], entry: &Entry, row: &mut Row) -> Result<(), &'static str> {
    let Entry { field, meaning, .. } = entry;
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
        Field::Response => row.request.response_ns = measured(number, meaning)?,
        Field::Service => row.request.service_ns = measured(number, meaning)?,
        _ => {}
    }
    Ok(())
}

/// True if the devices of the first lines are all numbers, which then serve as device numbers.
fn are_devices_numbers(table: &Table<'_>, columns: &[(usize, Entry)]) -> bool {
    let words = words_of(table, columns, Field::Device);
    let are_numbers = |words: Vec<&[u8]>| {
        let mut named = words.into_iter().filter(|word| !word.is_empty()).peekable();
        named.peek().is_some() && named.all(|word| whole(word, I32_MAX, "").is_ok())
    };
    words.is_some_and(are_numbers)
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

/// Parses an arrival time in ns; also returns the point from which the time counts.
fn time(word: &[u8], meaning: &Meaning) -> Result<(i64, Times), &'static str> {
    if calendar::is_date(word) {
        let since_1970_ns = calendar::unix_ns(word).ok_or("a time such as 2024-02-29T12:00:00.5Z")?;
        return Ok((since_1970_ns, Times::OfDay));
    }
    if calendar::is_time_of_day(word) {
        let since_midnight_ns =
            calendar::since_midnight_ns(word).ok_or("a time of day such as 23:59:59.5")?;
        return Ok((since_midnight_ns, Times::FromMidnight));
    }
    let Some(TimeUnit::FileTime) = meaning.time else {
        let arrival_ns = duration(word, meaning)?;
        let times = if arrival_ns >= CLOCK_NS { Times::OfDay } else { Times::FromStart };
        return Ok((arrival_ns, times));
    };
    let counted = whole(word, I64_MAX, FILETIME)?;
    // Times of .NET count in the same unit, from the year 1 on.
    let filetime = if counted < NET_1970 { counted } else { counted - (NET_1970 - FILETIME_1970) };
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
