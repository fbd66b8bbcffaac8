//! Text tables of any layout, whose columns are given by a map or recognised by the names in the header.

mod calendar;
mod column_map;
mod dialect;
mod doubts;
mod guess;
mod mapped_rows;
mod notation;
mod operations;
mod row_kinds;
mod values;
mod words;

use super::super::evidence::{Aspect, Evidence};
use super::super::lines::Lines;
use super::super::reader::{ReadOptions, Reader};
use super::super::source::DecodedSource;
use super::{FormatKind, FormatRow};
use crate::error::{ensure, nearest, Error, Result};
use column_map::{Entry, Field};
use dialect::Table;
use mapped_rows::MappedRows;
use notation::Notation;
use row_kinds::RowKinds;

pub(super) const ROW: FormatRow = FormatRow::new(
    "csv",
    "any table (separated by comma, semicolon, tab or blanks); columns are given by --map or recognised in the header",
    FormatKind::new(SAMPLE, |head| find(head, None).is_some_and(|table| is_table(&table)), open),
)
.options(&[column_map::MAP]);

/// A small file in this format.
const SAMPLE: &[u8] = b"id,TimeStamp,op,lbn,bytes\n1,0.5,R,8,512\n";

/// True if a file contains the header of a table and no other line.
pub(in crate::trace) fn is_header_alone(head: &[u8]) -> bool {
    Table::of(head, None).is_some_and(|table| table.has_header && table.rows.is_empty() && is_named(&table))
}

/// True if columns of a table have names by which the size and the position of a request are
/// recognised.
fn is_named(table: &Table<'_>) -> bool {
    let has = |field| guess::columns(table).iter().any(|entry| entry.field == field);
    has(Field::Size) && (has(Field::Lbn) || has(Field::Offset))
}

/// Finds the table at the start of a file, below lines that are no part of it if there are such.
fn find(head: &[u8], separator: Option<u8>) -> Option<Table<'_>> {
    let table = Table::of(head, separator)?;
    if is_table(&table) {
        return Some(table);
    }
    Table::below_titles(head, separator, is_named).or(Some(table))
}

/// True if the first lines are those of a table: alike, or below a header with usual names.
fn is_table(table: &Table<'_>) -> bool {
    table.is_regular() || table.has_header && !table.rows.is_empty() && is_named(table)
}

fn open(mut source: DecodedSource, options: &ReadOptions<'_>) -> Result<Box<dyn Reader>> {
    let said = options.map.map(column_map::parse).transpose()?.unwrap_or_default();
    let name = source.name().to_owned();
    let separator = source.separator();
    let Some(mut table) = find(source.head()?, separator) else {
        return Ok(Lines::reader(source, MappedRows::default()));
    };
    let of_file = |said: String| Error::Trace(said).at(name.as_str());
    let columns = amended(&said, &table).map_err(of_file)?;
    if let Some(fault) = unknown_unit(&said, &columns, &table) {
        return Err(of_file(fault));
    }
    let decimal = said.iter().filter(|entry| entry.field == Field::Decimal);
    let entries: Vec<Entry> = columns.iter().map(|(_, entry)| entry).chain(decimal).cloned().collect();
    ensure!(is_complete(&entries), of_file(incomplete(&entries, &table)));
    let time = columns.iter().find(|(_, entry)| entry.field == Field::Time).map_or(0, |(at, _)| *at);
    table.expect_time(time);
    RowKinds::of(&columns).keep_requests(&mut table);
    let mut notation =
        Notation::of(table.separator, |at| table.column(at), &columns, &said).map_err(of_file)?;
    let is_mapped = |field: Field| said.iter().any(|entry| entry.field == field);
    let mut evidence = Vec::new();
    if entries.iter().any(|entry| !is_mapped(entry.field)) {
        let text =
            format!("a table (csv): the columns were recognised by name: {}", column_map::typed(&entries));
        evidence.push(Evidence::remark(Aspect::Notation, text));
    }
    let is_said = |field| said.iter().any(|entry| entry.field.is_exclusive_with(field));
    let unread = guess::unread_columns(&table, &columns, is_said);
    evidence.extend(unread.into_iter().map(|text| Evidence::remark(Aspect::Notation, text)));
    evidence.extend(notation.remark().map(|text| Evidence::remark(Aspect::Notation, text)));
    if table.titles > 0 {
        let text = format!("the table begins below {} other lines", table.titles);
        evidence.push(Evidence::remark(Aspect::Notation, text));
    }
    if let Some(doubt) = doubts::about(&table, &columns, &said, notation) {
        return Err(of_file(doubt));
    }
    if notation.is_open() {
        let text = "the dot before three digits is read as a decimal point: if it groups digits, add --map decimal=comma";
        evidence.push(Evidence::doubt(Aspect::Notation, text));
    }
    if let Some(text) = guess::unread_day(&table, &columns) {
        evidence.push(Evidence::doubt(Aspect::Clock, text));
    }
    if let Some(text) = doubts::of_blocks(&table, &columns, &said) {
        evidence.push(Evidence::doubt(Aspect::Plausibility, text));
    }
    if let Some(fault) = words::unknown_operation(&table, &columns) {
        return Err(of_file(fault));
    }
    if !is_mapped(Field::Only) {
        match words::kinds_of_lines(&table, &columns) {
            Some(words::Lines::StartsAndEnds(fault)) => return Err(of_file(fault)),
            Some(words::Lines::Ends(text)) => evidence.push(Evidence::doubt(Aspect::Plausibility, text)),
            None => {}
        }
    }
    if entries.iter().all(|entry| entry.field != Field::Op) && !is_mapped(Field::Op) {
        let text = "no column tells reads from writes: all requests count as reads";
        evidence.push(Evidence::doubt(Aspect::Plausibility, text));
    }
    let rows = MappedRows::new(&table, columns, notation, evidence);
    Ok(Lines::reader(source, rows))
}

/// The error message for a column with a unit that is unknown, unless the map `said` mentions it or its field.
fn unknown_unit(said: &[Entry], columns: &[(usize, Entry)], table: &Table<'_>) -> Option<String> {
    let is_mapped = |field: Field, at: usize| {
        let is_said = said.iter().any(|entry| entry.field.is_exclusive_with(field));
        is_said || columns.iter().any(|(its, _)| *its == at)
    };
    let (field, place, name) = guess::of_unknown_unit(table, is_mapped)?;
    let field = field.name();
    Some(format!(
        "the unit of column {name:?} is unknown: add --map {field}={place}:UNIT, or --map {field}=- to leave it out"
    ))
}

/// Returns the columns of a table with their positions: those of the user's map `said`, and columns
/// recognised by name for the fields that the map does not mention.
fn amended(said: &[Entry], table: &Table<'_>) -> std::result::Result<Vec<(usize, Entry)>, String> {
    let placed = |entry: &Entry| Ok((place(entry, table)?, entry.clone()));
    let mut columns: Vec<(usize, Entry)> = said
        .iter()
        .filter(|entry| !entry.is_none() && entry.field != Field::Decimal)
        .map(placed)
        .collect::<std::result::Result<_, String>>()?;
    let count_said = columns.len();
    for (at, entry) in &mut columns {
        if entry.field == Field::Op && entry.meaning.ops.is_empty() && *at < table.names.len() {
            entry.meaning.ops = words::answers(table, *at).and_then(|ops| ops.ok()).unwrap_or_default();
        }
    }
    for entry in guess::columns(table) {
        if said.iter().any(|its| its.field.is_exclusive_with(entry.field)) {
            continue;
        }
        let at = place(&entry, table)?;
        if !columns[..count_said].iter().any(|(taken, its)| *taken == at && !its.field.is_kind()) {
            columns.push((at, entry));
        }
    }
    Ok(columns)
}

/// True if every field that a request needs has a column.
fn is_complete(entries: &[Entry]) -> bool {
    let has = |field| entries.iter().any(|entry| entry.field == field);
    has(Field::Time) && has(Field::Size) && (has(Field::Lbn) != has(Field::Offset))
}

/// The error message for missing columns, with the columns found and an example of a map.
fn incomplete(entries: &[Entry], table: &Table<'_>) -> String {
    let known = |field: Field| entries.iter().find(|entry| entry.field == field);
    let column = |field: Field, unit: &str| match known(field) {
        Some(entry) => column_map::text(std::slice::from_ref(entry)),
        None => format!("{}=COLUMN{unit}", field.name()),
    };
    let place = match known(Field::Lbn) {
        Some(_) => column(Field::Lbn, ""),
        None => column(Field::Offset, ":B"),
    };
    let example =
        [column(Field::Time, ":us"), place, column(Field::Size, ":B"), column(Field::Op, "")].join(",");
    let unread = guess::unread_time(table).filter(|_| known(Field::Time).is_none());
    if let Some((name, value)) = unread {
        return format!(
            "column {name:?}: expected times as numbers, dates such as 2024-02-29T12:00:00.5, or times of day such as 23:59:59.5, found {value}; to take times from another column, add --map time=COLUMN:UNIT"
        );
    }
    format!(
        "expected a table and a map with the columns of time, size, and lbn or offset; found {}; give, for instance, --map {}",
        columns_of(table),
        column_map::quoted(&example)
    )
}

/// The names of a table's columns as a list for an error message.
fn columns_of(table: &Table<'_>) -> String {
    if table.names.is_empty() {
        let first = table.first_row();
        let (count, line) = (first.len(), super::super::fields::quote(table.first));
        return format!("{count} columns without names (call them 1 to {count}); first line: {line}");
    }
    format!("the columns {}", table.names.join(", "))
}

/// The position, from 0, of the column that an entry of the map names; an error message if the table has no
/// such column.
fn place(entry: &Entry, table: &Table<'_>) -> std::result::Result<usize, String> {
    let column = &entry.column;
    let by_name = |name: &String| name == column;
    let in_other_case = |name: &String| name.eq_ignore_ascii_case(column);
    let same: Vec<String> =
        (1..).zip(&table.names).filter(|(_, name)| by_name(name)).map(|(at, _)| at.to_string()).collect();
    if same.len() > 1 {
        let (field, places) = (entry.field.name(), same.join(" or "));
        return Err(format!(
            "several columns are named {column:?}: choose one by its number: --map {field}={places}"
        ));
    }
    let place = table.names.iter().position(by_name).or_else(|| table.names.iter().position(in_other_case));
    let count = table.names.len().max(table.first_row().len());
    let by_number =
        || column.parse().ok().filter(|number| (1..=count).contains(number)).map(|number| number - 1);
    place.or_else(by_number).ok_or_else(|| {
        let names = table.names.iter().map(String::as_str);
        let hint =
            nearest(column, names).map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
        let field = entry.field.name();
        format!("expected a column {column:?} for the field {field}, found {}{hint}", columns_of(table))
    })
}
