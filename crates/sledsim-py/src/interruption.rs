//! End the program on Ctrl-C and other signals while Python cannot react. A separate thread does this without
//! the interpreter.
//!
//! Python handles signals only between its own instructions. A sort or the drawing of a chart is one
//! instruction, which would first run to its end. A Python thread could not help, because it would wait for the
//! interpreter's lock, which the running instruction holds.

use std::collections::BTreeSet;
use std::io::{stderr, IsTerminal, Read, Write};
use std::os::fd::{IntoRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Number that is added to the number of a signal to get the exit status of a program that the signal ended.
const STATUS_OF_SIGNALS: i32 = 128;
/// Time that Python has, after a signal, to end the program. The core checks for signals twenty times a second.
const PATIENCE: Duration = Duration::from_millis(350);
/// Terminal codes that clear the line of a progress bar and show the hidden cursor.
const RESTORE: &[u8] = b"\r\x1b[K\x1b[?25h";

/// Paths of incomplete output files, which are removed if a signal ends the program.
static PARTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static LEFT_TO_PYTHON: AtomicBool = AtomicBool::new(false);
/// Message that is printed when a signal ends the program. The optional pair has a folder, and another message
/// that is printed instead if this folder contains a ledger by then.
type LastWords = (String, Option<(PathBuf, String)>);
static LAST_WORDS: Mutex<Option<LastWords>> = Mutex::new(None);
/// Number of levels of subfolders in which a ledger is searched for.
const DEEPEST: usize = 2;

/// Start the thread that ends the program on signals. Return a file descriptor; Python writes the number of
/// each signal that it receives to this descriptor.
#[pyfunction]
pub(crate) fn watch_interruptions(signals: Vec<i32>) -> PyResult<RawFd> {
    let (told, teller) = UnixStream::pair()?;
    teller.set_nonblocking(true)?;
    thread::Builder::new().name("interruption".into()).spawn(move || watch(told, &signals))?;
    Ok(teller.into_raw_fd())
}

/// Set who handles signals from now on: if `whether` is true, only Python, even if its reaction takes long.
#[pyfunction]
pub(crate) fn leave_interruptions_to_python(whether: bool) {
    LEFT_TO_PYTHON.store(whether, Ordering::Relaxed);
}

/// Register an incomplete file, which need not exist yet, to be removed if the program is ended.
#[pyfunction]
pub(crate) fn begin_part(path: PathBuf) {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
}

/// Set the message that is printed when a signal ends the program, with an optional folder and its other
/// message. None prints no message.
#[pyfunction]
pub(crate) fn say_at_the_end(words: Option<LastWords>) {
    *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = words;
}

#[pyfunction]
pub(crate) fn end_part(path: PathBuf) {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner).remove(&path);
}

/// End the program immediately with the exit status of the signal `signal`, after removing incomplete files and
/// restoring the terminal.
#[pyfunction]
pub(crate) fn end_interrupted(signal: i32) {
    // Hold the lock to the end, so that no new part begins.
    let parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
    for part in parts.iter() {
        // Ignore errors: the program is ending.
        let _ = std::fs::remove_file(part);
    }
    let mut terminal = stderr();
    if terminal.is_terminal() {
        let _ = terminal.write_all(RESTORE);
    }
    let words = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((nothing, kept)) = words.as_ref() {
        let kept = kept.as_ref().filter(|(folder, _)| has_ledger(folder, DEEPEST));
        let _ = writeln!(terminal, "{}", kept.map_or(nothing, |(_, words)| words));
    }
    // SAFETY: the call has no precondition. Handlers of `exit` would wait for work that does not end.
    unsafe { libc::_exit(STATUS_OF_SIGNALS + signal) }
}

fn has_ledger(folder: &Path, deepest: usize) -> bool {
    let Ok(entries) = folder.read_dir() else { return false };
    entries.flatten().map(|entry| entry.path()).any(|path| {
        path.extension().is_some_and(|ending| ending == "ledger")
            || (deepest > 0 && has_ledger(&path, deepest - 1))
    })
}

/// Wait for a signal. Then wait until Python's time to end the program is over or a second signal arrives, and
/// end the program.
fn watch(mut told: UnixStream, signals: &[i32]) {
    let mut first: Option<(i32, Instant)> = None;
    loop {
        let left = first.map(|(_, until)| until.saturating_duration_since(Instant::now()));
        if let (Some((signal, _)), Some(Duration::ZERO)) = (first, left) {
            end_interrupted(signal);
        }
        let mut byte = [0];
        let heard = told.set_read_timeout(left).and_then(|()| told.read_exact(&mut byte));
        let signal = i32::from(byte[0]);
        if heard.is_ok() && signals.contains(&signal) && !LEFT_TO_PYTHON.load(Ordering::Relaxed) {
            // A second signal ends the program at once.
            first = Some(match first {
                Some((signal, _)) => (signal, Instant::now()),
                None => (signal, Instant::now() + PATIENCE),
            });
        }
    }
}
