//! A device that does not exist, under real programs: what is read and written is kept, and every answer comes when the
//! simulated device would have given it.
//!
//! - [`nbd`] is the server's side of the NBD protocol as a machine without sockets: bytes in, events out; replies in,
//!   bytes out.
//! - [`store`] is the contents of the device: in memory or in a sparse file, what a loss of power leaves of them, and
//!   which sectors cannot be read any more.
//! - [`timing`] puts the time of a simulation on a clock.
//! - [`emulator`] is the device as clients see it, of those three: requests come at a time, and are answered at a time.
//! - [`server`] is the loop around it: sockets, the clock of the machine, one thread.
//! - [`history`] keeps what was written, in a file, and [`crash`] builds from it what a loss of power could have left.
//! - [`client`] is a client of one's own, which measures what clients see.
//!
//! The first three know neither each other nor a socket.

#[cfg(target_os = "linux")]
pub mod client;
#[cfg(target_os = "linux")]
pub mod crash;
#[cfg(target_os = "linux")]
pub mod emulator;
#[cfg(target_os = "linux")]
pub mod history;
pub mod nbd;
#[cfg(target_os = "linux")]
pub mod server;
pub mod store;
pub mod timing;
