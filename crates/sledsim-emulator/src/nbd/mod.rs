//! The server side of NBD (<https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md>) as a state machine
//! without sockets: a [`Connection`] takes bytes and gives events; it takes replies and gives bytes.
//!
//! It supports the fixed newstyle handshake and simple replies, and has one [`Export`]. It answers by itself the
//! requests that no device could serve. A connection holds at most [`MOST_HELD`] bytes, whatever a client sends or
//! leaves unread.

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
