//! The NBD protocol: bytes of clients in, bytes of the server out.

mod bounds;
mod cuts;
mod handshake;
mod hostile;
mod requests;
mod wire;
