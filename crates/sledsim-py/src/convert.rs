//! Errors and progress.

use std::cell::{Cell, RefCell};
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use sledsim::error::Error;

use crate::exceptions::placed;
use crate::raised::{keep, kept};

/// The Python exception for a fault of the user.
pub(crate) fn fault(error: Error) -> PyErr {
    match error {
        // Ctrl-C, or a signal of which nobody wants to hear more.
        Error::Io { path, source } if source.kind() == ErrorKind::Interrupted => {
            let raised = Python::attach(|py| py.check_signals());
            raised.err().unwrap_or_else(|| PyOSError::new_err(format!("{path}: {source}")))
        }
        Error::Io { path, source } => match source.raw_os_error() {
            // With errno, strerror and filename Python chooses FileNotFoundError and the like.
            Some(errno) => PyOSError::new_err((errno, os_text(&source), path)),
            None => PyOSError::new_err(format!("{path}: {source}")),
        },
        // By what Python code has raised, or by Ctrl-C.
        Error::Interrupted => kept().unwrap_or_else(|| PyKeyboardInterrupt::new_err(())),
        error => placed(&error),
    }
}

/// Error text of the system, without Rust's error number behind it.
fn os_text(source: &std::io::Error) -> String {
    let text = source.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

thread_local! {
    /// What a thread that hears of no signals asks instead: it raises where the work is to end.
    static IN_THIS_THREAD: RefCell<Option<Py<PyAny>>> = const { RefCell::new(None) };
    static ASKED_LAST: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// From now on all work of this thread asks this callable, too, whether to go on.
#[pyfunction]
pub(crate) fn ask_in_this_thread(callable: Py<PyAny>) {
    IN_THIS_THREAD.set(Some(callable));
}

/// Raises what ends the work: Ctrl-C, or what this thread has been told to ask.
fn check(py: Python<'_>) -> PyResult<()> {
    py.check_signals()?;
    let callable = IN_THIS_THREAD.with_borrow(|callable| callable.as_ref().map(|it| it.clone_ref(py)));
    callable.map_or(Ok(()), |callable| callable.call0(py).map(drop))
}

/// Whether to go on, for the core to ask: what was raised is kept.
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

/// Lets Ctrl-C through and tells a Python callable how far the work is.
pub(crate) struct Progress {
    callable: Option<Py<PyAny>>,
    raised: Option<PyErr>,
    last: Instant,
}

/// Often enough for a person, and seldom enough to cost nothing.
const REPORTED_EVERY: Duration = Duration::from_millis(50);

impl Progress {
    /// Called before long work.
    ///
    /// # Errors
    /// NumPy is not there, or Ctrl-C was pressed.
    pub(crate) fn new(py: Python<'_>, callable: Option<Py<PyAny>>) -> PyResult<Self> {
        // Arrays come after the work, and their first would look for NumPy: with a panic, where Ctrl-C is pressed then.
        py.import("numpy")?;
        numpy::dtype::<f64>(py);
        Ok(Self { callable, raised: None, last: Instant::now() })
    }

    /// Called from the core, without the interpreter; what Python raises stops the work.
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

    /// The outcome of the work, or what Python raised during it.
    pub(crate) fn outcome<T>(self, result: sledsim::error::Result<T>) -> PyResult<T> {
        match self.raised {
            Some(raised) => Err(raised),
            None => result.map_err(fault),
        }
    }
}
