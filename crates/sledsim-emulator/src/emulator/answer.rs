//! The answer to a request, and the client that gets it.

use crate::nbd::Errno;

/// The sender of a request: a connection, and the number of the request there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Asker {
    /// Number of the connection, which no later connection reuses.
    pub connection: u64,
    /// Number of the request.
    pub number: u64,
}

/// The answer to a request.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// The sender of the request.
    pub to: Asker,
    /// The first part of the data of a read, or the error.
    pub result: Result<Vec<u8>, Errno>,
    /// Number of bytes of data that are still to be [read](super::Emulator::more).
    pub rest: u32,
    /// Requests to the simulated device; None if the answer takes no time.
    pub timed: Option<Timed>,
}

/// A request that the simulated device times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// Number of the first request to the simulated device, and how many requests to the device it takes.
    pub(super) first: u64,
    pub(super) parts: u32,
    /// Due time in nanoseconds of the clock.
    pub due_ns: u64,
}
