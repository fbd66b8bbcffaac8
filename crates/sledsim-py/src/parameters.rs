//! Conversion of parameters between Python dictionaries and TOML tables.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PySequence, PyString};
use pyo3::IntoPyObjectExt;

use crate::exceptions::ParameterError;

/// Largest depth of nested values, which is the limit of the TOML parser.
const DEPTH_MAX: usize = 80;
/// Largest number of values in a table, which is more than any device has. The limit protects from short lists
/// that contain other lists repeatedly, and would expand to enormous tables.
const VALUES_MAX: usize = 4_000_000;

/// Convert a Python dictionary of parameters to a TOML table.
///
/// # Errors
/// `ParameterError`: TOML has no value of a given type; there are too many values; or values are nested too
/// deeply, for instance because a list contains itself.
pub(crate) fn toml_table(values: &Bound<'_, PyDict>) -> PyResult<toml::Table> {
    Conversion { values: 0 }.table(values, None, 0)
}

/// State of a conversion: the number of values that have been converted.
struct Conversion {
    values: usize,
}

impl Conversion {
    /// Convert a dictionary to a table; `within` is the name of the parameter that contains it, if any.
    fn table(
        &mut self,
        values: &Bound<'_, PyDict>,
        within: Option<&str>,
        depth: usize,
    ) -> PyResult<toml::Table> {
        let mut table = toml::Table::new();
        for (key, value) in values.iter() {
            let key: String = key.extract().map_err(|_| wrong("a key of a table", &key, "a name"))?;
            let value = self.value(&key, &value, within.unwrap_or(&key), depth)?;
            table.insert(key, value);
        }
        Ok(table)
    }

    fn value(
        &mut self,
        key: &str,
        value: &Bound<'_, PyAny>,
        within: &str,
        depth: usize,
    ) -> PyResult<toml::Value> {
        self.values += 1;
        if depth > DEPTH_MAX || self.values > VALUES_MAX {
            return Err(ParameterError::new_err(format!(
                "{within}: expected at most {VALUES_MAX} values, nested at most {DEPTH_MAX} levels deep, found more; a list or table may contain itself"
            )));
        }
        if let Ok(table) = value.cast::<PyDict>() {
            return Ok(toml::Value::Table(self.table(table, Some(within), depth + 1)?));
        }
        if value.is_instance_of::<PySequence>() && !value.is_instance_of::<PyString>() {
            let items = value.try_iter()?.map(|item| self.value(key, &item?, within, depth + 1));
            return items.collect::<PyResult<Vec<_>>>().map(toml::Value::Array);
        }
        scalar(key, value)
    }
}

fn scalar(key: &str, value: &Bound<'_, PyAny>) -> PyResult<toml::Value> {
    if value.is_instance_of::<PyBool>() {
        return Ok(toml::Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        let text = value.extract().map_err(|_| wrong(key, value, "a text in UTF-8"))?;
        return Ok(toml::Value::String(text));
    }
    if value.is_instance_of::<PyInt>() || !value.is_instance_of::<PyFloat>() && value.hasattr("__index__")? {
        let whole = value.extract().map_err(|_| wrong(key, value, "a whole number of 64 bits"))?;
        return Ok(toml::Value::Integer(whole));
    }
    match value.extract::<f64>() {
        Ok(number) => Ok(toml::Value::Float(number)),
        Err(_) => {
            Err(wrong(key, value, "a number, a text, a list of numbers, a list of such lists, or a table"))
        }
    }
}

/// Return a short text for a value, as Python shows it.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.py().import("reprlib")?.call_method1("repr", (value,))?.extract()
}

/// Return the error message for a wrong value of the parameter `key`. A long value is shortened in the message.
fn wrong(key: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let found = shown(value).unwrap_or_else(|_| "something else".to_owned());
    ParameterError::new_err(format!("{key}: expected {expected}, found {found}"))
}

/// Convert a table of parameters or metrics to a Python dictionary.
pub(crate) fn python_dict<'py>(py: Python<'py>, table: &toml::Table) -> PyResult<Bound<'py, PyDict>> {
    let values = PyDict::new(py);
    for (key, value) in table {
        values.set_item(key, python_value(py, value)?)?;
    }
    Ok(values)
}

fn python_value<'py>(py: Python<'py>, value: &toml::Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        toml::Value::String(text) => text.into_bound_py_any(py),
        toml::Value::Integer(whole) => whole.into_bound_py_any(py),
        toml::Value::Float(number) => number.into_bound_py_any(py),
        toml::Value::Boolean(flag) => flag.into_bound_py_any(py),
        toml::Value::Array(items) => {
            let items: PyResult<Vec<_>> = items.iter().map(|item| python_value(py, item)).collect();
            items?.into_bound_py_any(py)
        }
        toml::Value::Table(table) => python_dict(py, table)?.into_bound_py_any(py),
        toml::Value::Datetime(_) => unreachable!("parameters and metrics contain no dates"),
    }
}
