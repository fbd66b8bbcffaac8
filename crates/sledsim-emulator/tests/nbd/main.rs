//! The NBD protocol, against its bytes.

mod bounds;
mod cuts;
mod handshake;
mod hostile;
mod requests;
mod wire;
