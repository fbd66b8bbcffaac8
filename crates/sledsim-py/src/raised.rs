//! Keep exceptions of Python code that the core calls until the work of the core has ended, because the core
//! itself cannot pass them on.

use std::cell::RefCell;

use pyo3::prelude::*;

thread_local! {
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Run `work`, which is work of the core. Then raise the exception that a seek model, scheduler or device
/// written in Python has raised during this work, if any.
///
/// All work in which Python code may run must pass through this function.
pub(crate) fn raised_by_python<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    kept();
    let result = work();
    kept().map_or(Ok(result), Err)
}

/// Return true if Python code has raised an exception in the current work; the caller can then stop the work.
pub(crate) fn has_raised() -> bool {
    RAISED.with_borrow(Option::is_some)
}

/// Return the kept exception and remove it from the store; None if no exception was raised.
pub(crate) fn kept() -> Option<PyErr> {
    RAISED.take()
}

/// Keep an exception until the work of the core has ended. It is then raised in Python.
pub(crate) fn keep(error: PyErr) {
    RAISED.set(Some(error));
}
