//! Ctrl-C, and other signals that end a program, where Python cannot answer: a thread that needs no interpreter ends it.
//!
//! Python handles signals between its own steps, so that a sort or the drawing of a chart, which are one step,
//! would go on to their end; a thread of Python would wait for the lock that such a step holds.

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

/// What a signal ended has the number of the signal and this as its exit status, as shells say it.
const STATUS_OF_SIGNALS: i32 = 128;
/// How long Python may take to end the program by itself: the core asks twenty times a second.
const PATIENCE: Duration = Duration::from_millis(350);
/// Clears the line of a progress bar, and shows the cursor that it hides.
const RESTORE: &[u8] = b"\r\x1b[K\x1b[?25h";

/// Files that are of no use to anybody as they are.
static PARTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static LEFT_TO_PYTHON: AtomicBool = AtomicBool::new(false);
/// Words for the end, and those to say instead where a ledger is in a folder by then.
type LastWords = (String, Option<(PathBuf, String)>);
static LAST_WORDS: Mutex<Option<LastWords>> = Mutex::new(None);
/// Ledgers stand no deeper below the folder that is given.
const DEEPEST: usize = 2;

/// Starts the thread, and gives the descriptor on which it is to be told the numbers of signals; these end the program.
#[pyfunction]
pub(crate) fn watch_interruptions(signals: Vec<i32>) -> PyResult<RawFd> {
    let (told, teller) = UnixStream::pair()?;
    teller.set_nonblocking(true)?;
    thread::Builder::new().name("interruption".into()).spawn(move || watch(told, &signals))?;
    Ok(teller.into_raw_fd())
}

/// Whether signals are only Python's from now on, however long it takes.
#[pyfunction]
pub(crate) fn leave_interruptions_to_python(whether: bool) {
    LEFT_TO_PYTHON.store(whether, Ordering::Relaxed);
}

/// From now on this file, which need not be there yet, is removed where the program is ended.
#[pyfunction]
pub(crate) fn begin_part(path: PathBuf) {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
}

/// Sets the words that a program says when it is ended, with others for a folder that has a ledger then; None for nothing.
#[pyfunction]
pub(crate) fn say_at_the_end(words: Option<LastWords>) {
    *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = words;
}

#[pyfunction]
pub(crate) fn end_part(path: PathBuf) {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner).remove(&path);
}

/// Ends the program at once, for that signal: no part of a file is left, and the terminal is as it was.
#[pyfunction]
pub(crate) fn end_interrupted(signal: i32) {
    // Held to the end, so that no other part is begun.
    let parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
    for part in parts.iter() {
        // There is nobody left to tell.
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
    // SAFETY: the call has no precondition. Handlers of `exit` would wait for what does not end.
    unsafe { libc::_exit(STATUS_OF_SIGNALS + signal) }
}

fn has_ledger(folder: &Path, deepest: usize) -> bool {
    let Ok(entries) = folder.read_dir() else { return false };
    entries.flatten().map(|entry| entry.path()).any(|path| {
        path.extension().is_some_and(|ending| ending == "ledger")
            || (deepest > 0 && has_ledger(&path, deepest - 1))
    })
}

/// Waits for one of the signals, then until Python has had its time, or for a second one.
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
            // Who asks twice does not want to wait.
            first = Some(match first {
                Some((signal, _)) => (signal, Instant::now()),
                None => (signal, Instant::now() + PATIENCE),
            });
        }
    }
}
