//! Replies to requests, and the clients that receive them.

use crate::nbd::Errno;

/// Identity of a request: the connection over which it came, and its number on this connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Asker {
    /// Number of the connection; no later connection gets the same number.
    pub connection: u64,
    /// Number of the request on its connection.
    pub number: u64,
}

/// The reply to a request.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// Request to which this is the reply.
    pub to: Asker,
    /// The first part of the data of a read; no data for other requests; or the error.
    pub result: Result<Vec<u8>, Errno>,
    /// Number of bytes of data that follow, to be taken by [`more`](super::Emulator::more).
    pub rest: u32,
    /// Requests to the simulated device that timed the reply; None if the reply takes no time.
    pub timed: Option<Timed>,
}

/// Requests to the simulated device by which the time of a reply is determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// Number of the first of these requests, and their count.
    pub(super) first: u64,
    pub(super) parts: u32,
    /// Time in ns of the clock at which the reply is due.
    pub due_ns: u64,
}
