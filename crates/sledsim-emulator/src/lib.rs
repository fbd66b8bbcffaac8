//! Serve a simulated storage device to real programs: keep the data that they write, and answer each request when the
//! simulated device would have answered it.
//!
//! - [`nbd`] is the server side of the NBD protocol as a state machine without sockets: bytes in, events out; replies
//!   in, bytes out.
//! - [`store`] holds the contents of the device, in memory or in a sparse file. It tracks unflushed writes, which a
//!   power failure can lose, and unreadable sectors.
//! - [`timing`] maps simulated time to the time of a clock.
//! - [`emulator`] joins `nbd`, `store` and `timing` into the device that clients see: it takes requests, and returns
//!   each answer when the answer is due.
//! - [`server`] runs the emulator in one thread, with sockets and the clock of the machine.
//! - [`history`] records the writes in a file. [`crash`] builds from this file the images that a power failure could
//!   have left.
//! - [`client`] is the latency probe: a built-in client that measures the latency that clients see.
//!
//! The modules `nbd`, `store` and `timing` depend neither on each other nor on sockets.

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
