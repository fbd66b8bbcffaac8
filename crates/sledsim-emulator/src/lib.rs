//! A device that does not exist, under real programs: what is read and written is kept, and every answer comes when the
//! simulated device would have given it.
//!
//! - [`nbd`] is the server's side of the NBD protocol as a machine without sockets: bytes in, events out; replies in,
//!   bytes out.
//! - [`store`] is the contents of the device: in memory or in a sparse file, what a loss of power leaves of them, and
//!   which sectors cannot be read any more.
//! - [`timing`] puts the time of a simulation on a clock.
//!
//! None of them knows another, and only the clock and the loop know the machine that they run on.

#[cfg(target_os = "linux")]
pub mod emulator;
pub mod nbd;
#[cfg(target_os = "linux")]
pub mod server;
pub mod store;
pub mod timing;
