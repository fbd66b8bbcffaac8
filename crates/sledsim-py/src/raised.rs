//! Exceptions of Python code that the core runs: the core itself knows nothing of them.

use std::cell::RefCell;

use pyo3::prelude::*;

thread_local! {
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Does some work of the core, and raises what a seek model or a scheduler written in Python raised during it.
///
/// Everything that may come to run one of them goes through here.
pub(crate) fn raised_by_python<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    kept();
    let result = work();
    kept().map_or(Ok(result), Err)
}

/// Whether the work is in vain, because something was raised during it.
pub(crate) fn has_raised() -> bool {
    RAISED.with_borrow(Option::is_some)
}

/// Takes the exception that is kept, if there is one.
pub(crate) fn kept() -> Option<PyErr> {
    RAISED.take()
}

/// Keeps an exception until the work has come to its end.
pub(crate) fn keep(error: PyErr) {
    RAISED.set(Some(error));
}
