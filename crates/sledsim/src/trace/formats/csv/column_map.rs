//! A map from the fields of a request to the columns of a table, as the user writes it:
//! `time=ts:us,lbn=sector,size=bytes:B,op=type,device=vol,response=lat:us`. A dash in place of a column
//! means that no column holds the field.

use super::super::super::columns::Op;
use crate::error::{ensure, fault, unknown_name, Result};
use crate::options::OptionRow;

/// A field of a request that a column can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Time,
    Lbn,
    Offset,
    Size,
    Op,
    Device,
    Metadata,
    Response,
    Service,
    Only,
    Complete,
    Decimal,
}

impl Field {
    const ALL: [Self; 12] = {
        use Field::*;
        [Time, Lbn, Offset, Size, Op, Device, Metadata, Response, Service, Only, Complete, Decimal]
    };

    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// True if a table cannot have a column for both fields, because they are the same field or
    /// both give the position.
    pub fn is_exclusive_with(self, other: Self) -> bool {
        let is_place = |field| matches!(field, Self::Lbn | Self::Offset);
        self == other || is_place(self) && is_place(other)
    }

    /// True if the values are positions or sizes, which are whole numbers.
    pub fn is_count(self) -> bool {
        matches!(self, Self::Lbn | Self::Offset | Self::Size)
    }

    /// True if the values are numbers in the notation of the table.
    pub fn is_number(self) -> bool {
        self.is_count() || matches!(self, Self::Time | Self::Response | Self::Service)
    }

    /// True if the field is no part of a request, but tells the kind of a line.
    pub fn is_kind(self) -> bool {
        matches!(self, Self::Only | Self::Complete)
    }

    fn row(self) -> &'static OptionRow {
        &MAP[self as usize]
    }
}

/// The fields in the order of the documentation: name in a map, permitted unit, and description.
pub(super) const MAP: &[OptionRow] = &[
    OptionRow::text("time", "", UNIT_OF_TIME, "arrival"),
    OptionRow::text("lbn", "", UNIT_OF_PLACES, "first sector of 512 bytes"),
    OptionRow::text("offset", "", UNIT_OF_PLACES, "position of the first byte; give either lbn or offset"),
    OptionRow::text("size", "", UNIT_OF_PLACES, "length of the request"),
    OptionRow::text(
        "op",
        "",
        "names of operations, such as read=0, write=1, discard=D, flush=F",
        "operation of the request; common names of operations are recognised without a list",
    ),
    OptionRow::text("device", "", NO_UNIT, "number or name of the device that serves the request"),
    OptionRow::text(
        "metadata",
        "",
        NO_UNIT,
        "mark of requests for metadata of a file system (1, yes or true)",
    ),
    OptionRow::text("response", "", UNIT_OF_TIME, "measured response time"),
    OptionRow::text("service", "", UNIT_OF_TIME, "measured service time"),
    OptionRow::text(
        "only",
        "",
        VALUES,
        "column that tells requests from other lines: only=2:D leaves out, and counts, the lines that do not have D there",
    ),
    OptionRow::text(
        "complete",
        "",
        VALUES,
        "column that tells completions: with only=2:D,complete=2:C a line with C there gives the response time of the \
         request with the same device, position and size",
    ),
    OptionRow::text(
        "decimal",
        "",
        DECIMAL_MARKS,
        "decimal mark of the numbers, for a table that leaves it open: decimal=comma reads 1,250 as 1.25, and \
         decimal=dot as 1250",
    ),
];
const VALUES: &str = "values of the column, such as D";
const DECIMAL_MARKS: &str = "comma or dot";
const UNIT_OF_TIME: &str = "a unit of time (s, ms, us, ns; for arrivals also filetime)";
const UNIT_OF_PLACES: &str = "a unit of positions and sizes (B, sectors, KiB, MiB, or a number of bytes)";
const NO_UNIT: &str = "no unit";

/// A unit of time: Windows file times, or a decimal unit of 10^`places` ns (0 for ns, 9 for s).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeUnit {
    Decimal { places: usize },
    FileTime,
}

/// Rule for interpreting the values of a column: their unit, or the names of operations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    pub time: Option<TimeUnit>,
    /// Number of bytes in a unit of positions or sizes.
    pub unit_bytes: Option<u64>,
    /// Names of operations in the file, each with the operation.
    pub ops: Vec<(String, Op)>,
    /// Values that tell the kind of a line.
    pub values: Vec<String>,
}

impl Meaning {
    pub fn of_time(unit: TimeUnit) -> Self {
        Self { time: Some(unit), ..Self::default() }
    }

    pub fn of_places(unit_bytes: u64) -> Self {
        Self { unit_bytes: Some(unit_bytes), ..Self::default() }
    }
}

/// A field of a request, the column that holds it, and how the values are interpreted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub field: Field,
    pub column: String,
    pub meaning: Meaning,
}

/// Text that the user writes in place of a column to state that no column holds the field.
const NO_COLUMN: &str = "-";

impl Entry {
    /// True if no column holds the field.
    pub fn is_none(&self) -> bool {
        self.column == NO_COLUMN
    }
}

/// Parses a map that the user gives.
pub(super) fn parse(map: &str) -> Result<Vec<Entry>> {
    let entries: Vec<Entry> = map.split(',').map(|text| entry(text.trim())).collect::<Result<_>>()?;
    for (at, entry) in entries.iter().enumerate() {
        if entries[..at].iter().any(|other| other.field == entry.field) {
            return fault(format!("map: expected each field once, found {:?} twice", entry.field.name()));
        }
    }
    Ok(entries)
}

fn entry(text: &str) -> Result<Entry> {
    let Some((name, column)) = text.split_once('=') else {
        return fault(format!("map: expected field=column or field=column:unit, found {text:?}"));
    };
    let known = Field::ALL.into_iter().find(|field| field.name() == name.trim());
    let Some(field) = known else {
        return Err(unknown_name("field in a map", name.trim(), MAP.iter().map(|row| row.name)));
    };
    // The `read=0` of an operation has an equals sign itself.
    let mut parts = column.split(':').map(str::trim);
    let column = parts.next().unwrap_or_default();
    let is_mark = field != Field::Decimal || ["comma", "dot"].contains(&column);
    ensure!(is_mark, "map: expected decimal=comma or decimal=dot, found {text:?}");
    ensure!(!column.is_empty(), "map: expected a column for {name}, found no column");
    let mut meaning = Meaning::default();
    for part in parts {
        said(field, part, &mut meaning)?;
    }
    let has_values = !field.is_kind() || !meaning.values.is_empty() || column == NO_COLUMN;
    ensure!(has_values, "map: expected {name}=column:value, found {text:?}");
    Ok(Entry { field, column: column.to_owned(), meaning })
}

/// Interprets `part`, a word behind a colon in the map, such as a unit, and records it in the
/// meaning of the column of `field`.
fn said(field: Field, part: &str, meaning: &mut Meaning) -> Result<()> {
    let is_known = match field {
        Field::Time | Field::Response | Field::Service => {
            meaning.time = time_unit(part);
            meaning.time.is_some() && (field == Field::Time || meaning.time != Some(TimeUnit::FileTime))
        }
        Field::Lbn | Field::Offset | Field::Size => {
            meaning.unit_bytes = unit_bytes(part);
            meaning.unit_bytes.is_some()
        }
        Field::Op => {
            let op = part.split_once('=').and_then(|(name, value)| {
                let op = Op::ALL.into_iter().find(|op| op.name() == name)?;
                Some((value.to_owned(), op))
            });
            let is_known = op.is_some();
            meaning.ops.extend(op);
            is_known
        }
        Field::Only | Field::Complete => {
            meaning.values.push(part.to_owned());
            true
        }
        Field::Device | Field::Metadata | Field::Decimal => false,
    };
    ensure!(is_known, "map: expected {} for {}, found {part:?}", field.row().range(), field.name());
    Ok(())
}

pub(super) fn time_unit(name: &str) -> Option<TimeUnit> {
    Some(match name.to_ascii_lowercase().as_str() {
        "s" | "sec" | "secs" | "second" | "seconds" => TimeUnit::Decimal { places: 9 },
        "ms" | "msec" | "millis" | "milliseconds" => TimeUnit::Decimal { places: 6 },
        "us" | "µs" | "usec" | "micros" | "microseconds" => TimeUnit::Decimal { places: 3 },
        "ns" | "nsec" | "nanos" | "nanoseconds" => TimeUnit::Decimal { places: 0 },
        "filetime" => TimeUnit::FileTime,
        _ => return None,
    })
}

pub(super) fn unit_bytes(name: &str) -> Option<u64> {
    Some(match name.to_ascii_lowercase().as_str() {
        "b" | "byte" | "bytes" => 1,
        "sector" | "sectors" => 512,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        number => number.parse().ok().filter(|unit| (1..=1 << 30).contains(unit))?,
    })
}

/// Writes the entries of a map as one argument for a shell, in quotes if necessary.
pub(super) fn typed(entries: &[Entry]) -> String {
    quoted(&text(entries))
}

/// Puts a text in quotes if a shell would not take it as one argument.
pub(super) fn quoted(text: &str) -> String {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || !c.is_ascii() && !c.is_whitespace();
    let is_plain = |c: char| is_letter(c) || "=:,._/%+@-".contains(c);
    if text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Writes the entries of a map in the form in which the user writes a map.
pub(super) fn text(entries: &[Entry]) -> String {
    let one = |entry: &Entry| {
        let time = match entry.meaning.time {
            Some(TimeUnit::Decimal { places }) => [":ns", ":us", ":ms", ":s"][places / 3],
            Some(TimeUnit::FileTime) => ":filetime",
            None => "",
        };
        let unit = match entry.meaning.unit_bytes {
            Some(1) => ":B".to_owned(),
            Some(512) => ":sectors".to_owned(),
            Some(bytes) => format!(":{bytes}"),
            None => String::new(),
        };
        let ops: String =
            entry.meaning.ops.iter().map(|(name, op)| format!(":{}={name}", op.name())).collect();
        let values: String = entry.meaning.values.iter().map(|value| format!(":{value}")).collect();
        format!("{}={}{time}{unit}{ops}{values}", entry.field.name(), entry.column)
    };
    entries.iter().map(one).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_taken_apart_and_written_again() {
        for map in [
            "time=ts:us,lbn=sector,size=bytes:B,op=type:read=1:write=w,device=-,response=lat:ms",
            "time=ts,only=2:D:Q,complete=2:C,decimal=comma",
        ] {
            assert_eq!(text(&parse(map).unwrap()), map);
        }
        let entries =
            parse(" time = 1 : filetime , offset=2:4096,size=3:KiB, op=4:read=0:write=W w").unwrap();
        assert_eq!(entries[0].meaning.time, Some(TimeUnit::FileTime));
        assert_eq!((entries[1].column.as_str(), entries[1].meaning.unit_bytes), ("2", Some(4096)));
        assert_eq!(entries[2].meaning.unit_bytes, Some(1024));
        assert_eq!(entries[3].meaning.ops, [("0".to_owned(), Op::Read), ("W w".to_owned(), Op::Write)]);
    }

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        for (map, word) in [
            ("time=ts:us,op=type:read=1", "time=ts:us,op=type:read=1"),
            ("response=latency_\u{b5}s:us", "response=latency_\u{b5}s:us"),
            ("size=Transfer Length:sectors", "'size=Transfer Length:sectors'"),
            ("size=Size (B):B", "'size=Size (B):B'"),
            ("op=what's it", "'op=what'\\''s it'"),
        ] {
            assert_eq!(typed(&parse(map).unwrap()), word);
        }
    }

    #[test]
    fn faults_of_a_map_are_reported() {
        for (map, said) in [
            ("", "map: expected field=column or field=column:unit, found \"\""),
            ("time", "map: expected field=column or field=column:unit, found \"time\""),
            ("time=", "map: expected a column for time, found no column"),
            (
                "tyme=1",
                "unknown field in a map \"tyme\": did you mean \"time\"? known: time, lbn, offset, size, op, device, \
                 metadata, response, service, only, complete, decimal",
            ),
            (
                "time=1:h",
                "map: expected a unit of time (s, ms, us, ns; for arrivals also filetime) for time, found \"h\"",
            ),
            (
                "size=1:0",
                "map: expected a unit of positions and sizes (B, sectors, KiB, MiB, or a number of bytes) for size, found \"0\"",
            ),
            (
                "op=1:reed=0",
                "map: expected names of operations, such as read=0, write=1, discard=D, flush=F for op, found \"reed=0\"",
            ),
            ("only=2", "map: expected only=column:value, found \"only=2\""),
            ("decimal=,", "map: expected decimal=comma or decimal=dot, found \"decimal=\""),
            ("decimal=dot:B", "map: expected comma or dot for decimal, found \"B\""),
            ("device=1:B", "map: expected no unit for device, found \"B\""),
            ("time=1,time=2", "map: expected each field once, found \"time\" twice"),
        ] {
            assert_eq!(parse(map).unwrap_err().to_string(), said);
        }
    }
}
