//! The requests of a table whose columns are known.

use crate::error::ensure;
use std::borrow::Cow;
use std::ops::Range;

use super::super::super::columns::{Op, TraceRow};
use super::super::super::device_numbers::Devices;
use super::super::super::fields::{Fault, Fields, Parsed, I32_MAX, I64_MAX};
use super::super::super::lines::LineFormat;
use super::super::super::plausibility::{Extents, Unit};
use super::super::super::quantities::{sectors, OFFSET_MAX, SIZE_MAX};
use super::super::super::trace_info::{ReaderOutput, Times};
use super::super::block_events;
use super::super::msr::{FILETIME, FILETIMES_MAX, FILETIME_1970, FILETIME_NS};
use super::calendar;
use super::column_map::{Entry, Field, Meaning, TimeUnit};
use super::dialect::{split, Table};

/// Times since 1970 are beyond this, and those since the start of a trace are not: twenty years.
const CLOCK_NS: i64 = 631_152_000_000_000_000;
const OPERATION: &str = "an operation (R, W, read, write, discard, flush, 0 for a read, 1 for a write)";
/// Common names of operations.
const OPERATIONS: [(Op, &[&str]); 4] = [
    (Op::Read, &["r", "read", "rd", "reads", "0x28", "0x88", "0xa8", "0x8", "0x08"]),
    (Op::Write, &["w", "write", "wr", "writes", "0x2a", "0x8a", "0xaa", "0xa", "0x0a"]),
    (Op::Discard, &["d", "discard", "trim", "unmap", "0x42"]),
    (Op::Flush, &["f", "flush", "sync", "fsync", "0x35", "0x91"]),
];
const TRUTHS: [(bool, &[&str]); 2] =
    [(false, &["", "0", "no", "false", "n", "f"]), (true, &["1", "yes", "true", "y", "t", "m"])];
const METADATA: &str = "whether it is metadata (0, 1, no, yes, false, true)";

/// Makes requests of the lines of a table whose columns are known.
#[derive(Default)]
pub(super) struct MappedRows {
    separator: u8,
    /// The line that names the columns, if one does.
    header: Vec<u8>,
    columns: Vec<(usize, Entry)>,
    /// Columns that are looked at.
    count: usize,
    /// Where they lie in the line.
    places: Vec<Range<usize>>,
    are_devices_numbers: bool,
    devices: Devices,
    is_behind_first: bool,
    extents: Extents,
    /// Notes on how the columns were found, before the first line.
    notes: Vec<String>,
}

/// A request as its line gives it.
#[derive(Default)]
struct Row {
    place: u64,
    place_bytes: u64,
    size: u64,
    size_bytes: u64,
    request: TraceRow,
}

impl MappedRows {
    pub fn new(table: &Table<'_>, columns: Vec<(usize, Entry)>, notes: Vec<String>) -> Self {
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
            extents: Extents::new(unit(&[Field::Lbn, Field::Offset]), unit(&[Field::Size])),
            columns,
            notes,
            ..Self::default()
        }
    }

    fn request(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        split(line, self.separator, self.count, &mut self.places);
        let mut row = Row::default();
        let (mut times, mut device) = (Times::FromStart, None);
        for (at, Entry { field, meaning, .. }) in &self.columns {
            let place = self.places.get(*at).cloned().unwrap_or(line.len()..line.len());
            let word = &line[place.clone()];
            let number = &*with_decimal_point(word, self.separator);
            let fault = |expected| Fault { expected, at: place.start, separator: self.separator };
            match field {
                Field::Time => (row.request.arrival_ns, times) = time(number, meaning).map_err(fault)?,
                Field::Lbn | Field::Offset => {
                    row.place = whole(number, OFFSET_MAX, "a place (a number from 0)").map_err(fault)?;
                    let bytes = row.place.checked_mul(unit_bytes(*field, meaning));
                    row.place_bytes = bytes
                        .filter(|bytes| *bytes <= OFFSET_MAX)
                        .ok_or(fault("a place below 9223372036854775808 bytes"))?;
                }
                Field::Size => {
                    row.size = whole(number, SIZE_MAX, "a size (a number from 0 to 1099511626752)")
                        .map_err(fault)?;
                    let bytes = row.size.checked_mul(unit_bytes(*field, meaning));
                    row.size_bytes = bytes
                        .filter(|bytes| *bytes <= SIZE_MAX)
                        .ok_or(fault("a size up to 1099511626752 bytes"))?;
                }
                Field::Op => match (operation(word, &meaning.ops), rwbs(word)) {
                    (Some(op), _) => row.request.op = op,
                    (None, Some((op, metadata, flags))) => {
                        row.request = TraceRow { op, flags, metadata, ..row.request };
                    }
                    (None, None) => return Err(fault(OPERATION)),
                },
                Field::Device if self.are_devices_numbers => {
                    let number =
                        whole(word, I32_MAX, "a device number from 0 to 2147483647").map_err(fault)?;
                    row.request.device = number as i32;
                }
                Field::Device => device = Some(place),
                Field::Metadata => row.request.metadata |= named(word, &TRUTHS).ok_or(fault(METADATA))?,
                Field::Response => row.request.response_ns = measured(number, meaning).map_err(fault)?,
                Field::Service => row.request.service_ns = measured(number, meaning).map_err(fault)?,
            }
        }
        if let Some(place) = device {
            row.request.device = self.devices.number(&line[place], &mut out.about);
        }
        if !self.is_behind_first {
            self.is_behind_first = true;
            out.times = times;
        }
        self.pass(row, out);
        Ok(())
    }

    fn pass(&mut self, row: Row, out: &mut ReaderOutput) {
        let Row { place, place_bytes, size, size_bytes, request } = row;
        if request.op == Op::Flush {
            out.rows.push(request);
        } else if self.extents.add(place, size, &mut out.about) {
            let (lbn, blocks) = sectors(place_bytes, size_bytes);
            out.rows.push(TraceRow { lbn, blocks, ..request });
        }
    }
}

impl LineFormat for MappedRows {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        out.about.notes.append(&mut self.notes);
        if !self.header.is_empty() && line.trim_ascii() == self.header {
            return Ok(());
        }
        self.request(line, out)
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.extents.add_notes(&mut out.about);
    }
}

/// Whether the devices of the first lines all are numbers, which then are theirs.
fn are_devices_numbers(table: &Table<'_>, columns: &[(usize, Entry)]) -> bool {
    let Some((at, _)) = columns.iter().find(|(_, entry)| entry.field == Field::Device) else { return false };
    let mut places = Vec::new();
    table.rows.iter().all(|row| {
        split(row, table.separator, at + 1, &mut places);
        places.get(*at).is_some_and(|place| whole(&row[place.clone()], I32_MAX, "").is_ok())
    })
}

/// The unit of places and sizes: what the map says, or the field's own.
fn unit_bytes(field: Field, meaning: &Meaning) -> u64 {
    meaning.unit_bytes.unwrap_or(if field == Field::Lbn { 512 } else { 1 })
}

/// A number with a decimal point, where the comma is none because something else separates columns.
fn with_decimal_point(word: &[u8], separator: u8) -> Cow<'_, [u8]> {
    if separator == b',' || !word.contains(&b',') {
        return Cow::Borrowed(word);
    }
    Cow::Owned(word.iter().map(|byte| if *byte == b',' { b'.' } else { *byte }).collect())
}

/// A whole number, in hexadecimal behind 0x, or one with a fraction of nothing, as a spreadsheet writes it.
fn whole(word: &[u8], max: u64, expected: &'static str) -> Result<u64, &'static str> {
    if let Some(digits) = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X")) {
        let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'));
        let value = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        return value.filter(|value| *value <= max).ok_or(expected);
    }
    let value = decimal(word, 0, expected)?;
    let has_fraction =
        word.split(|&byte| byte == b'.').nth(1).is_some_and(|part| part.iter().any(|b| *b != b'0'));
    u64::try_from(value).ok().filter(|value| *value <= max && !has_fraction).ok_or(expected)
}

fn decimal(word: &[u8], places: usize, expected: &'static str) -> Result<i64, &'static str> {
    let mut fields = Fields::new(word);
    let value = fields.decimal(places, expected).map_err(|_| expected)?;
    fields.end().map(|()| value).map_err(|_| expected)
}

/// An arrival time, and what it counts from.
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

/// A time that was measured; one that is missing was not.
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

/// Operation that a word names: by the names in the map, else by the common ones.
fn operation(word: &[u8], names: &[(String, Op)]) -> Option<Op> {
    if let Some((_, op)) = names.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(word)) {
        return Some(*op);
    }
    let common = named(word, &OPERATIONS);
    match names {
        [] => common.or(match word {
            b"0" => Some(Op::Read),
            b"1" => Some(Op::Write),
            _ => None,
        }),
        // Of two, the one that is not named is the other one.
        [(_, Op::Read)] => common.or((!word.is_empty()).then_some(Op::Write)),
        [(_, Op::Write)] => common.or((!word.is_empty()).then_some(Op::Read)),
        _ => common,
    }
}

/// The letters that blktrace gives a request, such as `WSM`: the operation, whether it is metadata, flags.
fn rwbs(word: &[u8]) -> Option<(Op, bool, u8)> {
    let is_known = word.iter().all(|letter| b"RWDFASMEN".contains(letter));
    let flush = || word.starts_with(b"F").then_some((Op::Flush, false, 0));
    is_known.then(|| block_events::decode(word).or_else(flush))?
}

/// Entry of that name, in whatever case.
fn named<T: Copy>(word: &[u8], names: &[(T, &[&str])]) -> Option<T> {
    let is_word = |name: &&str| name.as_bytes().eq_ignore_ascii_case(word);
    names.iter().find(|(_, names)| names.iter().any(is_word)).map(|(what, _)| *what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_have_common_names_and_those_of_the_map() {
        let op = |word: &str, names: &[(&str, Op)]| {
            let names: Vec<_> = names.iter().map(|(name, op)| ((*name).to_owned(), *op)).collect();
            operation(word.as_bytes(), &names)
        };
        for (word, expected) in [
            ("R", Some(Op::Read)),
            ("wRiTe", Some(Op::Write)),
            ("0", Some(Op::Read)),
            ("1", Some(Op::Write)),
            ("0x2A", Some(Op::Write)),
            ("trim", Some(Op::Discard)),
            ("F", Some(Op::Flush)),
            ("", None),
            ("2", None),
        ] {
            assert_eq!(op(word, &[]), expected, "{word}");
        }
        let one_reads = [("1", Op::Read)];
        assert_eq!((op("1", &one_reads), op("0", &one_reads)), (Some(Op::Read), Some(Op::Write)));
        assert_eq!((op("D", &one_reads), op("", &one_reads)), (Some(Op::Discard), None));
        let both = [("4", Op::Read), ("5", Op::Write)];
        assert_eq!((op("4", &both), op("5", &both), op("6", &both)), (Some(Op::Read), Some(Op::Write), None));
    }

    #[test]
    fn whole_numbers_may_have_a_fraction_of_nothing() {
        let whole = |word: &str| whole(word.as_bytes(), 1 << 40, "").ok();
        assert_eq!((whole("4096"), whole("4096.0"), whole("4.096e3")), (Some(4096), Some(4096), None));
        assert_eq!((whole("4096.5"), whole("-1"), whole(""), whole("1 2")), (None, None, None, None));
    }
}
