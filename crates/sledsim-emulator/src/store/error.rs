//! The errors of the files of a device.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The error of an image that cannot be served.
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
    /// The image belongs to another device, or is truncated.
    #[error("{}: expected {expected} bytes, the size of the device, found {found}", path.display())]
    Size {
        /// Path of the image.
        path: PathBuf,
        /// Size of the device in bytes.
        expected: u64,
        /// Size of the file in bytes.
        found: u64,
    },
    /// The path is a folder, a pipe or a device.
    #[error("{}: expected an ordinary file", path.display())]
    NoFile {
        /// Path that names no regular file.
        path: PathBuf,
    },
    /// Another server has the image open.
    #[error("{}: expected a file that no other server has open", path.display())]
    Locked {
        /// Path of the image.
        path: PathBuf,
    },
}

/// The error of a list of unreadable sectors.
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
    /// A line is malformed.
    #[error("{}:{line}: expected {expected}, found {found:?}", path.display())]
    Line {
        /// Path of the list.
        path: PathBuf,
        /// Number of the line, from 1 on.
        line: usize,
        /// Expected contents of the line.
        expected: String,
        /// Contents found in the line.
        found: String,
    },
}
