//! Conversion of errors to Python exceptions, and progress reports to Python.

use std::cell::{Cell, RefCell};
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use sledsim::error::Error;

use crate::exceptions::placed;
use crate::raised::{keep, kept};

/// Return the Python exception for an error of the core.
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

/// Return the text of an operating system error without the error number that Rust appends.
fn os_text(source: &std::io::Error) -> String {
    let text = source.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

thread_local! {
    /// Python callable of this thread. A thread that receives no signals uses it to end its work: the callable
    /// then raises an exception.
    static IN_THIS_THREAD: RefCell<Option<Py<PyAny>>> = const { RefCell::new(None) };
    static ASKED_LAST: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Register a Python callable that the core calls regularly during its work in this thread. The work ends if
/// the callable raises an exception.
#[pyfunction]
pub(crate) fn ask_in_this_thread(callable: Py<PyAny>) {
    IN_THIS_THREAD.set(Some(callable));
}

/// Raise an exception if the work must end, because Ctrl-C was pressed or because the callable of this thread
/// raised an exception.
fn check(py: Python<'_>) -> PyResult<()> {
    py.check_signals()?;
    let callable = IN_THIS_THREAD.with_borrow(|callable| callable.as_ref().map(|it| it.clone_ref(py)));
    callable.map_or(Ok(()), |callable| callable.call0(py).map(drop))
}

/// Return a break to the core if its work must end, and keep the exception for Python; otherwise let the work
/// continue.
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

/// Reporter of progress to a Python callable; it also checks for Ctrl-C.
pub(crate) struct Progress {
    callable: Option<Py<PyAny>>,
    raised: Option<PyErr>,
    last: Instant,
}

/// Interval between reports, short enough to look smooth and long enough to cost no time.
const REPORTED_EVERY: Duration = Duration::from_millis(50);

impl Progress {
    /// Create a progress reporter before long work.
    ///
    /// # Errors
    /// NumPy cannot be imported, or Ctrl-C was pressed.
    pub(crate) fn new(py: Python<'_>, callable: Option<Py<PyAny>>) -> PyResult<Self> {
        // Import NumPy now: a first import after the work would panic on Ctrl-C.
        py.import("numpy")?;
        numpy::dtype::<f64>(py);
        Ok(Self { callable, raised: None, last: Instant::now() })
    }

    /// Report to Python that the amount `done` of the work is done; the caller need not hold the interpreter.
    /// An exception in Python ends the work.
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

    /// Return the result of the work, or raise the exception that Python raised during the work.
    pub(crate) fn outcome<T>(self, result: sledsim::error::Result<T>) -> PyResult<T> {
        match self.raised {
            Some(raised) => Err(raised),
            None => result.map_err(fault),
        }
    }
}
