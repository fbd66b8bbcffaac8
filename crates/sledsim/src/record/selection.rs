//! Columns of the record, and the selection of the columns that are kept.

use crate::choice::choice;
use crate::error::{ensure, unknown_name, Error, Result};

choice! {
    /// Groups of columns, each with a name under which users select them.
    ColumnSet, "set of columns" {
        "times" => Times, "arrival, start and completion of each request";
        "phases" => Phases, "phases of the service, and the devices that served the request";
        "energy" => Energy, "energy of the service, by use";
        "request" => Request, "operation, sectors and device of the request";
    }
}

/// Encoding with which a column takes the least space in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Stores differences between neighbouring values; suits columns whose values differ little from row to row.
    Differences,
    /// Stores each distinct value once, and refers to it in each row; suits columns with few distinct values.
    Dictionary,
    /// Stores the first bytes of all values, then all second bytes, and so on; suits real numbers that are nearly all
    /// distinct.
    Bytes,
}

impl Encoding {
    /// The name that Parquet has for the encoding.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Differences => "DELTA_BINARY_PACKED",
            Self::Dictionary => "RLE_DICTIONARY",
            Self::Bytes => "BYTE_STREAM_SPLIT",
        }
    }
}

/// The description of a column, common to result files, Python and the documentation.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Name of the column.
    pub name: &'static str,
    /// Set to which the column belongs.
    pub set: ColumnSet,
    /// Type of the values, as Rust names it.
    pub values: &'static str,
    /// Unit of the values; empty without a unit.
    pub unit: &'static str,
    /// Encoding with which the column takes the least space in a file.
    pub encoding: Encoding,
    /// Meaning of the column, in one line.
    pub meaning: &'static str,
}

/// Name of the selection of every column.
const ALL: &str = "all";
/// Name of the selection of no column.
const NONE: &str = "none";
/// Columns that are computed from others when a result is shown or written: the name of each, its meaning,
/// and the column that it needs.
const DERIVED: [(&str, &str, &str); 2] = [
    ("response_ns", "completion - arrival", "completion_ns"),
    ("where", "names of the devices that served the request, such as mems, disk+mems or memory", "served_by"),
];
/// Columns that are always kept: arrivals, which identify requests, completions, and kinds, which tell flushes from
/// reads and writes.
const ALWAYS: [&str; 3] = ["arrival_ns", "completion_ns", "kind"];

/// The selection of the columns that a record keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Set of the selected columns: bit i stands for the column with the index i.
    columns: u64,
    /// Set of the column sets with a selected column: bit i stands for the column set with the index i.
    sets: u8,
}

impl Selection {
    /// Reads a selection from the text `text`, as users write it; `columns` lists all columns.
    ///
    /// # Errors
    /// A name is unknown; the message gives the nearest known name.
    pub(super) fn parse(text: &str, columns: &[Column]) -> Result<Self> {
        let of = |is_wanted: &dyn Fn(&Column) -> bool| Self::of(columns, is_wanted).columns;
        ensure!(
            text.trim() == NONE || !text.split(',').any(|name| name.trim() == NONE),
            "columns = {text}: expected {NONE} alone, or names of columns without {NONE}"
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

    /// The selection of all columns.
    pub(super) fn all(columns: &[Column]) -> Self {
        Self::of(columns, |_| true)
    }

    /// The selection without the columns of the set `request`, for callers that submit the requests and therefore know
    /// these values.
    pub(super) fn without_requests(self, columns: &[Column]) -> Self {
        let requests = Self::of(columns, |column| column.set == ColumnSet::Request);
        Self::of_bits(columns, self.columns & !requests.columns)
    }

    /// True if the column with the index `column` is selected.
    #[inline]
    #[must_use]
    pub fn has(self, column: usize) -> bool {
        self.columns >> column & 1 == 1
    }

    /// True if a column of this set is selected.
    #[inline]
    #[must_use]
    pub(super) fn has_some(self, set: ColumnSet) -> bool {
        self.sets >> set as u8 & 1 == 1
    }

    /// True if a column of the sets `phases` or `energy` is selected: these two sets have the most columns.
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

/// The names that a selection accepts, each with its meaning: sets, columns, and computed columns.
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
