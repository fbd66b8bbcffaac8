//! The server's side of NBD (<https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md>) as a machine without
//! sockets: a [`Connection`] is given bytes and gives events; it is given replies and gives bytes.
//!
//! It speaks the fixed newstyle handshake and simple replies, and has one [`Export`]. Requests that cannot be served,
//! whatever the device, it answers itself. Whatever a client sends, or does not read, a connection holds no more than
//! [`MOST_HELD`] bytes.

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
