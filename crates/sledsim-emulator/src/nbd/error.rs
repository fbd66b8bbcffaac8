//! The errors that end a connection.

use thiserror::Error;

/// A violation of the protocol after which the server can only close the connection.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Broken {
    /// The client set flags that the server did not offer.
    #[error("client flags: expected no bits except 0x3 (fixed newstyle, no zeroes), found {0:#x}")]
    ClientFlags(u32),
    /// An option does not begin with the magic number of options.
    #[error(
        "first bytes of an option: expected the magic number 0x49484156454f5054 (IHAVEOPT), found {0:#018x}"
    )]
    OptionMagic(u64),
    /// The data of an option are too long to be skipped.
    #[error("option {option}: expected at most {most} bytes of data, found {found}")]
    OptionTooLong {
        /// Number of the refused option.
        option: u32,
        /// Maximum number of bytes that the server skips.
        most: u32,
        /// Number of bytes of data that the client announced.
        found: u32,
    },
    /// The client sent too many options without opening the export.
    #[error("options before the export is opened: expected at most {0}, found one more")]
    TooManyOptions(u32),
    /// `NBD_OPT_EXPORT_NAME` names an unknown export. The server closes the connection, because the protocol
    /// has no reply for this error.
    #[error("expected the export {expected:?} or the default one, found {found:?}")]
    UnknownExport {
        /// Name of the served export.
        expected: String,
        /// Name that the client asked for; invalid UTF-8 is replaced.
        found: String,
    },
    /// A request does not begin with the magic number of requests.
    #[error("first bytes of a request: expected the magic number 0x25609513, found {0:#010x}")]
    RequestMagic(u32),
}
