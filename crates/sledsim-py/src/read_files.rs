//! List the files that the core has read, so that a command does not overwrite its own input.

use std::collections::BTreeSet;
use std::path::{absolute, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

static READ: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Return the files read since the last call. The first call starts the recording and returns no file.
#[pyfunction]
pub(crate) fn read_files() -> BTreeSet<PathBuf> {
    sledsim::input::tell_of_files(note);
    std::mem::take(&mut READ.lock().unwrap_or_else(PoisonError::into_inner))
}

fn note(path: &Path) {
    // Make paths absolute: the program may change its folder before the next call.
    let path = absolute(path).unwrap_or_else(|_| path.into());
    READ.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
}
