//! Tables of everything that can be selected by name, for listings in Python.

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use sledsim::device::KINDS;
use sledsim::error::{normalise, Error};
use sledsim::options::{OptionRow, Values};
use sledsim::params::{FileKind, Key};
use sledsim::record::{selectable, Column, ColumnSet, COLUMNS};
use sledsim::table::Row;
use sledsim::tables::{named, DEVICE_COUNTERS, TABLES};
use sledsim::trace::FORMATS;
use sledsim::volume::{RoleRow, VOLUMES};

use crate::convert::fault;
use crate::raised::keep;
use crate::text::Text;

/// Return every table by name, with the properties of each of its entries.
#[pyfunction]
pub(crate) fn tables(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for (name, table) in &TABLES {
        let rows = table.entries().into_iter().map(|entry| row(py, name, &entry));
        let rows = rows.collect::<PyResult<Vec<_>>>()?;
        tables.set_item(name, rows)?;
    }
    Ok(tables)
}

/// Return the name of the entry of a table that has the name or alias `name`.
#[pyfunction]
pub(crate) fn row_name(table: Text, name: Text) -> PyResult<&'static str> {
    named(&table).and_then(|table| table.name_of(&name)).map_err(fault)
}

/// Normalise a name: lower case, without hyphens, underscores and dots.
#[pyfunction]
pub(crate) fn normal_name(name: Text) -> String {
    normalise(&name)
}

/// Set the callable that can load unknown names. It receives the kind of the thing and its unknown name, and
/// returns an error message, or None if there is no error.
#[pyfunction]
pub(crate) fn on_missing(load: Py<PyAny>) {
    sledsim::table::on_missing(Box::new(move |kind, name| {
        let told = Python::attach(|py| load.call1(py, (kind, name))?.extract::<Option<String>>(py));
        let wrong = told.map_err(|error| {
            keep(error);
            Error::Interrupted
        })?;
        wrong.map_or(Ok(()), |text| Err(Error::Parameter(text)))
    }));
}

/// Name and meaning of a counter.
type Meaning = (&'static str, &'static str);

/// Return the names of the counts that devices report, each with its meaning, grouped under headings.
#[pyfunction]
pub(crate) fn device_counters() -> Vec<(&'static str, Vec<Meaning>)> {
    DEVICE_COUNTERS.iter().map(|(heading, counters)| (*heading, meanings(counters))).collect()
}

/// Description of a column of a result: its name, its set of columns, type, unit, encoding in a file, and
/// meaning.
type ResultColumn = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

#[pyfunction]
pub(crate) fn result_columns() -> Vec<ResultColumn> {
    let column = |column: &Column| {
        let Column { name, set, values, unit, encoding, meaning } = *column;
        (name, set.into(), values, unit, encoding.name(), meaning)
    };
    COLUMNS.iter().map(column).collect()
}

/// Return the names of sets of columns, with their meanings.
#[pyfunction]
pub(crate) fn column_sets() -> Vec<Meaning> {
    ColumnSet::ALL.to_vec()
}

/// Return the names by which columns can be selected, with their meanings.
#[pyfunction]
pub(crate) fn selectable_columns() -> Vec<Meaning> {
    selectable().collect()
}

fn meanings(counters: &[Meaning]) -> Vec<Meaning> {
    counters.iter().map(|(name, meaning)| (*name, meaning.trim())).collect()
}

fn row<'py>(py: Python<'py>, table: &str, entry: &Row<()>) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("name", entry.name)?;
    row.set_item("aliases", entry.aliases.to_vec())?;
    row.set_item("summary", entry.summary)?;
    row.set_item("source", entry.source)?;
    let disksim = entry.disksim.map(|(number, name)| format!("{number}, {name}"));
    row.set_item("disksim", disksim.unwrap_or_default())?;
    row.set_item("keys", entry.keys.to_vec())?;
    let options = entry.options.concat().iter().map(|row| option(py, row)).collect::<PyResult<Vec<_>>>()?;
    row.set_item("options", options)?;
    match table {
        "kinds" => of_kind(&row, KINDS.find(entry.name).map_err(fault)?.make.file)?,
        "volumes" => {
            let kind = VOLUMES.find(entry.name).map_err(fault)?.make;
            let member = |role: &RoleRow| (role.name, role.default, role.description);
            row.set_item("members", kind.roles.iter().map(member).collect::<Vec<_>>())?;
            row.set_item("counters", meanings(&kind.counters.concat()).into_py_dict(py)?)?;
        }
        "formats" => row.set_item("is_writable", FORMATS.find(entry.name).map_err(fault)?.is_writable())?,
        _ => {}
    }
    Ok(row)
}

/// Add to `row` the keys of the parameter files of a kind of device, the permitted names of keys, and the
/// derived characteristics.
fn of_kind(row: &Bound<'_, PyDict>, file: FileKind) -> PyResult<()> {
    let range = |key: &Key| key.range.map_or_else(String::new, |range| range.to_string());
    let keys = file.keys.iter().map(|key| (key.name, key.unit, range(key), key.description.trim()));
    row.set_item("parameters", keys.collect::<Vec<_>>())?;
    let characteristics = file.characteristics.iter().map(|&(name, meaning)| (name, meaning.trim()));
    row.set_item("characteristics", characteristics.into_py_dict(row.py())?)?;
    let choices = (file.choices)().into_iter().map(|(key, names)| Ok((key, names.into_py_dict(row.py())?)));
    row.set_item("choices", choices.collect::<PyResult<Vec<_>>>()?.into_py_dict(row.py())?)
}

fn option<'py>(py: Python<'py>, row: &OptionRow) -> PyResult<Bound<'py, PyDict>> {
    let option = PyDict::new(py);
    for (key, value) in [("name", row.name), ("unit", row.unit), ("default", row.default)] {
        option.set_item(key, value)?;
    }
    let (kind, choices): (_, &[&str]) = match row.values {
        Values::Number { .. } => ("number", &[]),
        Values::Whole(_) => ("whole number", &[]),
        Values::OneOf(names) => ("choice", names),
        Values::Size => ("size", &[]),
        Values::Text(_) => ("text", &[]),
    };
    option.set_item("kind", kind)?;
    option.set_item("choices", choices.to_vec())?;
    option.set_item("range", row.range())?;
    option.set_item("meaning", row.description)?;
    Ok(option)
}
