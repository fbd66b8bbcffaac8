//! The exceptions that the binding adds to those of Python.

use pyo3::exceptions::PyValueError;

pyo3::create_exception!(_native, ParameterError, PyValueError, "A parameter, a name or an option is wrong.");
pyo3::create_exception!(
    _native,
    TraceError,
    PyValueError,
    "A trace or workload cannot be used: the message names file, place, expected and found."
);
