//! Errors of the files that keep the contents of a device.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The error for an image file that cannot be served.
#[derive(Debug, Error)]
pub enum OpenError {
    /// An I/O error of the operating system.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the image.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The size of the image differs from the size of the device.
    #[error("{}: expected a file of {expected} bytes, the size of the device, found {found} bytes", path.display())]
    Size {
        /// Path of the image.
        path: PathBuf,
        /// Size of the device in bytes.
        expected: u64,
        /// Size of the file in bytes.
        found: u64,
    },
    /// The path names a folder, a pipe or a device, not a regular file.
    #[error("{}: expected a regular file, found a folder, a pipe or a device", path.display())]
    NoFile {
        /// The path.
        path: PathBuf,
    },
    /// Another server has the image open.
    #[error(
        "{}: expected a file that no other server has open, found one that another server has open",
        path.display()
    )]
    Locked {
        /// Path of the image.
        path: PathBuf,
    },
}

/// The error for a list of unreadable sectors that cannot be read or written.
#[derive(Debug, Error)]
pub enum ListError {
    /// An I/O error of the operating system.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the list.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A line of the list is malformed.
    #[error("{}:{line}: expected {expected}, found {found:?}", path.display())]
    Line {
        /// Path of the list.
        path: PathBuf,
        /// Number of the line, counted from 1.
        line: usize,
        /// Expected contents of the line.
        expected: String,
        /// Actual contents of the line, at most 80 characters.
        found: String,
    },
}
