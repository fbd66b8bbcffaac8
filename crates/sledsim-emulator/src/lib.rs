//! What real programs see of a simulated device, but for its time: the protocol that they speak and the bytes that they
//! keep.
//!
//! - [`nbd`] is the server's side of the NBD protocol as a machine without sockets: bytes in, events out; replies in,
//!   bytes out.
//! - [`store`] is the contents of the device: in memory or in a sparse file, what a loss of power leaves of them, and
//!   which sectors cannot be read any more.
//!
//! Neither knows a simulator, a clock or a socket.

pub mod nbd;
pub mod store;
