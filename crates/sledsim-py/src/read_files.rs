//! The files that the core reads, for a command that keeps them apart from those that it writes.

use std::collections::BTreeSet;
use std::path::{absolute, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

static READ: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The files that have been read since the last call; those of before the first call are not known.
#[pyfunction]
pub(crate) fn read_files() -> BTreeSet<PathBuf> {
    sledsim::input::tell_of_files(note);
    std::mem::take(&mut READ.lock().unwrap_or_else(PoisonError::into_inner))
}

fn note(path: &Path) {
    // A program may go to another folder until it asks.
    let path = absolute(path).unwrap_or_else(|_| path.into());
    READ.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
}
