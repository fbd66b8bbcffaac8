//! Why a connection cannot go on.

use thiserror::Error;

/// What a client did that leaves no way to go on but to close the connection.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Broken {
    /// Client flags that the server did not offer.
    #[error("client flags: expected some of 0x3 (fixed newstyle, no zeroes), found {0:#x}")]
    ClientFlags(u32),
    /// An option does not begin as options do.
    #[error("an option: expected the magic number 0x49484156454f5054 (IHAVEOPT), found {0:#018x}")]
    OptionMagic(u64),
    /// An option with so much data that it is not even skipped.
    #[error("option {option}: expected at most {most} bytes of data, found {found}")]
    OptionTooLong {
        /// The number of the option.
        option: u32,
        /// The most that are read or skipped.
        most: u32,
        /// The bytes that it announces.
        found: u32,
    },
    /// A client that never comes to the point.
    #[error("expected an export to be opened within {0} options, found one more")]
    TooManyOptions(u32),
    /// `NBD_OPT_EXPORT_NAME`, which can be refused in no other way, with a name that there is not.
    #[error("expected the export {expected:?} or the default one, found {found:?}")]
    UnknownExport {
        /// The name of the export that there is.
        expected: String,
        /// What the client asked for; bytes that are no text are replaced.
        found: String,
    },
    /// A request does not begin as requests do.
    #[error("a request: expected the magic number 0x25609513, found {0:#010x}")]
    RequestMagic(u32),
}
