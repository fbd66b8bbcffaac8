//! Columns of a record, and the selection of columns to keep.

use crate::choice::choice;
use crate::error::{ensure, unknown_name, Error, Result};

choice! {
    /// Named sets of columns.
    ColumnSet, "set of columns" {
        "times" => Times, "arrival, start and completion of each request";
        "phases" => Phases, "phases of the service, and the devices that served the request";
        "energy" => Energy, "energy of the service, by use";
        "request" => Request, "operation, sectors and device of the request";
    }
}

/// Best encoding of a column in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Differences, for neighbouring values that are near each other.
    Differences,
    /// Dictionary, for few different values.
    Dictionary,
    /// Bytes of the values, all first bytes first, for real numbers that are nearly all different.
    Bytes,
}

impl Encoding {
    /// The name of the encoding in Parquet.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Differences => "DELTA_BINARY_PACKED",
            Self::Dictionary => "RLE_DICTIONARY",
            Self::Bytes => "BYTE_STREAM_SPLIT",
        }
    }
}

/// The description of a column of a result, shared by its file, Python and the documentation.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Name of the column.
    pub name: &'static str,
    /// Set to which the column belongs.
    pub set: ColumnSet,
    /// Type of the values.
    pub values: &'static str,
    /// Unit of the values; empty without a unit.
    pub unit: &'static str,
    /// Best encoding in a file.
    pub encoding: Encoding,
    /// Meaning, in one line.
    pub meaning: &'static str,
}

/// Selection of every column, and of none.
const ALL: &str = "all";
const NONE: &str = "none";
/// Columns that are derived from other columns where a result is shown or written: the name of each, its meaning, and
/// the column that it needs.
const DERIVED: [(&str, &str, &str); 2] = [
    ("response_ns", "completion - arrival", "completion_ns"),
    ("where", "devices that served the request, by name: mems, disk+mems, memory", "served_by"),
];
/// Columns that are always kept: the arrival, which identifies a request, and the completion.
const ALWAYS: [&str; 2] = ["arrival_ns", "completion_ns"];

/// The columns of a record that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Kept columns, as bits by number.
    columns: u64,
    /// Sets of the kept columns, as bits by number.
    sets: u8,
}

impl Selection {
    /// Reads a selection of columns.
    ///
    /// # Errors
    /// An unknown name; the message gives the nearest known one.
    pub(super) fn parse(text: &str, columns: &[Column]) -> Result<Self> {
        let of = |is_wanted: &dyn Fn(&Column) -> bool| Self::of(columns, is_wanted).columns;
        ensure!(
            text.trim() == NONE || !text.split(',').any(|name| name.trim() == NONE),
            "columns = {text}: expected {NONE} alone, or columns without {NONE}"
        );
        let mut all = of(&|column| ALWAYS.contains(&column.name));
        for name in text.split(',').map(str::trim) {
            let set = ColumnSet::ALL.iter().position(|(known, _)| *known == name);
            let derived = DERIVED.iter().find(|(known, ..)| *known == name);
            let wanted = derived.map_or(name, |(.., needed)| needed);
            let named = of(&|column| column.name == wanted);
            all |= match (name, set) {
                (ALL, _) => of(&|_| true),
                (NONE, _) => 0,
                (_, Some(set)) => of(&|column| column.set as usize == set),
                (_, None) if named != 0 => named,
                (_, None) => return Err(unknown(name, columns)),
            };
        }
        Ok(Self::of_bits(columns, all))
    }

    /// All columns.
    pub(super) fn all(columns: &[Column]) -> Self {
        Self::of(columns, |_| true)
    }

    /// The selection without the columns of the request itself, which its sender has.
    pub(super) fn without_requests(self, columns: &[Column]) -> Self {
        let requests = Self::of(columns, |column| column.set == ColumnSet::Request);
        Self::of_bits(columns, self.columns & !requests.columns)
    }

    /// True if the column of that number is kept.
    #[inline]
    #[must_use]
    pub fn has(self, column: usize) -> bool {
        self.columns >> column & 1 == 1
    }

    /// True if a column of that set is kept.
    #[inline]
    #[must_use]
    pub(super) fn has_some(self, set: ColumnSet) -> bool {
        self.sets >> set as u8 & 1 == 1
    }

    /// True if the selection includes sets with many columns.
    #[inline]
    #[must_use]
    pub(super) fn has_many(self) -> bool {
        self.has_some(ColumnSet::Phases) || self.has_some(ColumnSet::Energy)
    }

    fn of(columns: &[Column], is_wanted: impl Fn(&Column) -> bool) -> Self {
        let wanted = columns.iter().enumerate().filter(|(_, column)| is_wanted(column));
        Self::of_bits(columns, wanted.fold(0, |all, (number, _)| all | 1 << number))
    }

    fn of_bits(columns: &[Column], bits: u64) -> Self {
        let kept = columns.iter().enumerate().filter(|(number, _)| bits >> number & 1 == 1);
        Self { columns: bits, sets: kept.fold(0, |all, (_, column)| all | 1 << column.set as u8) }
    }
}

/// Names that a selection accepts, and the meaning of each: sets, columns, and derived columns.
pub(super) fn selectable(
    columns: &[Column],
) -> impl Iterator<Item = (&'static str, &'static str)> + Clone + '_ {
    let sets =
        ColumnSet::ALL.iter().copied().chain([(ALL, "every column"), (NONE, "no column: only the summary")]);
    let columns = columns.iter().map(|column| (column.name, column.meaning));
    sets.chain(columns).chain(DERIVED.map(|(name, meaning, _)| (name, meaning)))
}

fn unknown(name: &str, columns: &[Column]) -> Error {
    unknown_name("column", name, selectable(columns).map(|(known, _)| known))
}
