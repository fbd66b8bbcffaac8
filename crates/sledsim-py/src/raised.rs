//! Exceptions of Python code that the core runs; the core itself does not know them.

use std::cell::RefCell;

use pyo3::prelude::*;

thread_local! {
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Run work of the core, and raise the exception that a seek model or a scheduler written in Python raised during it.
///
/// All work that may run Python code passes through this function.
pub(crate) fn raised_by_python<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    kept();
    let result = work();
    kept().map_or(Ok(result), Err)
}

/// Return true if an exception was raised, so that further work is useless.
pub(crate) fn has_raised() -> bool {
    RAISED.with_borrow(Option::is_some)
}

/// Take the kept exception, if any.
pub(crate) fn kept() -> Option<PyErr> {
    RAISED.take()
}

/// Keep an exception until the work has ended.
pub(crate) fn keep(error: PyErr) {
    RAISED.set(Some(error));
}
