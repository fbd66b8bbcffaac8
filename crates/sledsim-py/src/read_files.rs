//! List the files that the core reads, so that a command does not overwrite its inputs.

use std::collections::BTreeSet;
use std::path::{absolute, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

static READ: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Return the files read since the last call; files read before the first call are not recorded.
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
