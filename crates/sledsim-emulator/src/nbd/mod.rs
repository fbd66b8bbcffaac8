//! The server side of NBD (<https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md>) as a state machine
//! without sockets. A [`Connection`] takes received bytes and returns events; it takes replies and returns bytes to be
//! sent.
//!
//! A connection supports the fixed newstyle handshake and simple replies, and offers one [`Export`]. The connection
//! itself refuses invalid requests. It takes at most [`MOST_HELD`] bytes of memory, no matter what a client sends or
//! does not read.

mod buffers;
mod connection;
mod error;
mod export;
mod handshake;
mod input;
mod options;
mod output;
pub(crate) mod protocol;
mod request;
mod transmission;

pub use buffers::Buffers;
pub use connection::{Connection, Event, MOST_HELD};
pub use error::Broken;
pub use export::{BadExport, Export, MOST_NAME_BYTES, SECTOR_BYTES};
pub use request::{Errno, Kind, Request, MOST_PAYLOAD_BYTES, PART_BYTES};
pub use transmission::{MOST_OUTSTANDING_BYTES, MOST_OUTSTANDING_REQUESTS};
