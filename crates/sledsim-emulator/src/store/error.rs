//! What can be wrong with the files of a device.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why an image cannot be served.
#[derive(Debug, Error)]
pub enum OpenError {
    /// What the system said.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is that of another device, or was cut.
    #[error("{}: expected {expected} bytes, the size of the device, found {found}", path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// The bytes of the device.
        expected: u64,
        /// The bytes of the file.
        found: u64,
    },
    /// A folder, a pipe or a device.
    #[error("{}: expected an ordinary file", path.display())]
    NoFile {
        /// What there is instead.
        path: PathBuf,
    },
    /// Another server has it.
    #[error("{}: expected a file that no other server has open", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
}

/// Why a list of unreadable sectors cannot be used.
#[derive(Debug, Error)]
pub enum ListError {
    /// What the system said.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line is no such line.
    #[error("{}:{line}: expected {expected}, found {found:?}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1 on.
        line: usize,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
}
