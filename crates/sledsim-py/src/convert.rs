//! Convert errors and report progress.

use std::cell::{Cell, RefCell};
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use sledsim::error::Error;

use crate::exceptions::placed;
use crate::raised::{keep, kept};

/// The Python exception for an error of the user.
pub(crate) fn fault(error: Error) -> PyErr {
    match error {
        // Interrupted by Ctrl-C, or by a signal whose handler raises nothing.
        Error::Io { path, source } if source.kind() == ErrorKind::Interrupted => {
            let raised = Python::attach(|py| py.check_signals());
            raised.err().unwrap_or_else(|| PyOSError::new_err(format!("{path}: {source}")))
        }
        Error::Io { path, source } => match source.raw_os_error() {
            // With errno, strerror and filename Python chooses FileNotFoundError and the like.
            Some(errno) => PyOSError::new_err((errno, os_text(&source), path)),
            None => PyOSError::new_err(format!("{path}: {source}")),
        },
        // Work ends because Python code raised an exception, or on Ctrl-C.
        Error::Interrupted => kept().unwrap_or_else(|| PyKeyboardInterrupt::new_err(())),
        error => placed(&error),
    }
}

/// Text of a system error without Rust's error number.
fn os_text(source: &std::io::Error) -> String {
    let text = source.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

thread_local! {
    /// Callable that a thread without signals asks; it raises an exception to end the work.
    static IN_THIS_THREAD: RefCell<Option<Py<PyAny>>> = const { RefCell::new(None) };
    static ASKED_LAST: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Let all work of this thread also ask this callable whether to continue.
#[pyfunction]
pub(crate) fn ask_in_this_thread(callable: Py<PyAny>) {
    IN_THIS_THREAD.set(Some(callable));
}

/// Raise the exception that ends the work: Ctrl-C, or one from the callable of this thread.
fn check(py: Python<'_>) -> PyResult<()> {
    py.check_signals()?;
    let callable = IN_THIS_THREAD.with_borrow(|callable| callable.as_ref().map(|it| it.clone_ref(py)));
    callable.map_or(Ok(()), |callable| callable.call0(py).map(drop))
}

/// Tell the core whether to continue; a raised exception is kept.
pub(crate) fn asked() -> ControlFlow<()> {
    if ASKED_LAST.get().is_some_and(|last| last.elapsed() < REPORTED_EVERY) {
        return ControlFlow::Continue(());
    }
    ASKED_LAST.set(Some(Instant::now()));
    match Python::attach(check) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            keep(error);
            ControlFlow::Break(())
        }
    }
}

/// Check for Ctrl-C and report progress to a Python callable.
pub(crate) struct Progress {
    callable: Option<Py<PyAny>>,
    raised: Option<PyErr>,
    last: Instant,
}

/// Interval between reports: short for a person, long enough to cost nothing.
const REPORTED_EVERY: Duration = Duration::from_millis(50);

impl Progress {
    /// Create a progress reporter before long work.
    ///
    /// # Errors
    /// NumPy is missing, or Ctrl-C was pressed.
    pub(crate) fn new(py: Python<'_>, callable: Option<Py<PyAny>>) -> PyResult<Self> {
        // Import NumPy now: a first import after the work would panic on Ctrl-C.
        py.import("numpy")?;
        numpy::dtype::<f64>(py);
        Ok(Self { callable, raised: None, last: Instant::now() })
    }

    /// Report progress from the core without the interpreter; an exception in Python stops the work.
    pub(crate) fn report(&mut self, done: u64) -> ControlFlow<()> {
        if self.last.elapsed() < REPORTED_EVERY {
            return ControlFlow::Continue(());
        }
        self.last = Instant::now();
        let outcome = Python::attach(|py| {
            check(py)?;
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

    /// Return the outcome of the work, or raise the exception that Python raised during it.
    pub(crate) fn outcome<T>(self, result: sledsim::error::Result<T>) -> PyResult<T> {
        match self.raised {
            Some(raised) => Err(raised),
            None => result.map_err(fault),
        }
    }
}
