//! Keeps exceptions of Python code that the core calls, because the core itself cannot pass them on.

use std::cell::RefCell;

use pyo3::prelude::*;

thread_local! {
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Do work of the core. Afterwards raise the exception that a seek model, scheduler or device written in
/// Python raised in it.
///
/// All work in which Python code may run must pass through this function.
pub(crate) fn raised_by_python<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    kept();
    let result = work();
    kept().map_or(Ok(result), Err)
}

/// Return true if Python code raised an exception; further work is then useless.
pub(crate) fn has_raised() -> bool {
    RAISED.with_borrow(Option::is_some)
}

/// Return the kept exception and forget it; None if no exception was raised.
pub(crate) fn kept() -> Option<PyErr> {
    RAISED.take()
}

/// Keep an exception, which is raised when the work has ended.
pub(crate) fn keep(error: PyErr) {
    RAISED.set(Some(error));
}
