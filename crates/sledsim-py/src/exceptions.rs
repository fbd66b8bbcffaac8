//! Exception classes of this module.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sledsim::error::Error;

pyo3::create_exception!(_native, ParameterError, PyValueError, "A parameter, a name or an option is wrong.");
pyo3::create_exception!(_native, UnknownNameError, ParameterError, "A name is unknown for its kind.");
pyo3::create_exception!(
    _native,
    TraceError,
    PyValueError,
    "A trace or workload cannot be used; the message names the file, the place in it, what was expected, and what was found."
);
pyo3::create_exception!(_native, NotATraceError, TraceError, "The file has no known trace format.");
pyo3::create_exception!(_native, PastEndError, TraceError, "A request reaches past the end of the device.");

/// Name of the attribute with the places of an error (files, members or keys) that its message names, the
/// outermost first.
const PLACES: &str = "places";

/// Add the exception classes to the Python module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    for (name, kind) in [
        ("ParameterError", py.get_type::<ParameterError>()),
        ("UnknownNameError", py.get_type::<UnknownNameError>()),
        ("TraceError", py.get_type::<TraceError>()),
        ("NotATraceError", py.get_type::<NotATraceError>()),
        ("PastEndError", py.get_type::<PastEndError>()),
    ] {
        kind.setattr(PLACES, PyTuple::empty(py))?;
        module.add(name, kind)?;
    }
    Ok(())
}

/// Convert an error with places (files, members or keys) to a Python exception.
pub(crate) fn placed(error: &Error) -> PyErr {
    let text = error.to_string();
    let raised = match error.cause() {
        Error::UnknownName(_) => UnknownNameError::new_err(text),
        Error::Trace(_) => TraceError::new_err(text),
        Error::NotATrace(_) => NotATraceError::new_err(text),
        Error::PastEnd(_) => PastEndError::new_err(text),
        _ => ParameterError::new_err(text),
    };
    let named = Python::attach(|py| raised.value(py).setattr(PLACES, PyTuple::new(py, error.places())?));
    named.err().unwrap_or(raised)
}
