//! Errors, progress, and columns.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use pyo3::IntoPyObjectExt;
use sledsim::error::Error;

use crate::{ParameterError, TraceError};

/// The Python exception for a fault of the user.
pub(crate) fn fault(error: Error) -> PyErr {
    match error {
        Error::Parameter(text) => ParameterError::new_err(text),
        Error::Trace(text) => TraceError::new_err(text),
        Error::Io { path, source } => match source.raw_os_error() {
            // With errno, strerror and filename Python chooses FileNotFoundError and the like.
            Some(errno) => PyOSError::new_err((errno, os_text(&source), path)),
            None => PyOSError::new_err(format!("{path}: {source}")),
        },
        Error::Interrupted => PyKeyboardInterrupt::new_err(()),
    }
}

/// What the system says, without Rust's error number behind it.
fn os_text(source: &std::io::Error) -> String {
    let text = source.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

/// Lets Ctrl-C through and tells a Python callable how far the work is.
pub(crate) struct Progress {
    callable: Option<Py<PyAny>>,
    raised: Option<PyErr>,
    last: Instant,
}

/// Often enough for a person, and seldom enough to cost nothing.
const REPORTED_EVERY: Duration = Duration::from_millis(50);

impl Progress {
    pub(crate) fn new(callable: Option<Py<PyAny>>) -> Self {
        Self { callable, raised: None, last: Instant::now() }
    }

    /// Called from the core, without the interpreter; what Python raises stops the work.
    pub(crate) fn report(&mut self, done: u64) -> ControlFlow<()> {
        if self.last.elapsed() < REPORTED_EVERY {
            return ControlFlow::Continue(());
        }
        self.last = Instant::now();
        let outcome = Python::attach(|py| {
            py.check_signals()?;
            match &self.callable {
                Some(callable) => callable.call1(py, (done,)).map(|_| ()),
                None => Ok(()),
            }
        });
        match outcome {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.raised = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// The outcome of the work, or what Python raised during it.
    pub(crate) fn outcome<T>(self, result: sledsim::error::Result<T>) -> PyResult<T> {
        match self.raised {
            Some(raised) => Err(raised),
            None => result.map_err(fault),
        }
    }
}

/// Parameters given in Python, as TOML values.
pub(crate) fn toml_table(values: &Bound<'_, PyDict>) -> PyResult<toml::Table> {
    let mut table = toml::Table::new();
    for (key, value) in values.iter() {
        let key: String = key.extract()?;
        let value = toml_value(&key, &value)?;
        table.insert(key, value);
    }
    Ok(table)
}

fn toml_value(key: &str, value: &Bound<'_, PyAny>) -> PyResult<toml::Value> {
    if value.is_instance_of::<PyBool>() {
        return Ok(toml::Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(toml::Value::String(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() || !value.is_instance_of::<PyFloat>() && value.hasattr("__index__")? {
        let whole = value.extract().map_err(|_| wrong(key, value, "a whole number of 64 bits"))?;
        return Ok(toml::Value::Integer(whole));
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(toml::Value::Float(number));
    }
    if let Ok(table) = value.cast::<PyDict>() {
        return Ok(toml::Value::Table(toml_table(table)?));
    }
    if let Ok(rows) = value.extract::<Vec<Vec<f64>>>() {
        return Ok(rows.into());
    }
    match value.extract::<Vec<Bound<'_, PyAny>>>() {
        Ok(items) => {
            let items = items.iter().map(|item| toml_value(key, item));
            items.collect::<PyResult<Vec<_>>>().map(toml::Value::Array)
        }
        Err(_) => Err(wrong(key, value, "a number, a name, rows of numbers, or a table")),
    }
}

fn wrong(key: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let found = value.repr().map_or_else(|_| "something else".to_owned(), |repr| repr.to_string());
    ParameterError::new_err(format!("{key}: expected {expected}, found {found}"))
}

/// Parameters or figures as Python values.
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
        toml::Value::Datetime(_) => unreachable!("nothing of ours is a date"),
    }
}
