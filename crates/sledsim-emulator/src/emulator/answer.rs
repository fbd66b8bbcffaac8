//! Replies to requests, and the clients that receive them.

use crate::nbd::Errno;

/// Identity of a request: the number of its connection, and the number of the request on this connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Asker {
    /// Number of the connection. The number is never used again for a later connection.
    pub connection: u64,
    /// Number of the request on its connection.
    pub number: u64,
}

/// The reply to a request.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// The request that this reply answers.
    pub to: Asker,
    /// Data of a read (the first part if the data are long), empty for other requests, or an error.
    pub result: Result<Vec<u8>, Errno>,
    /// Number of bytes of the read's data that `result` does not contain; [`more`](super::Emulator::more)
    /// returns them.
    pub rest: u32,
    /// Requests to the simulated device that determine the time of the reply; `None` if the server replies
    /// immediately.
    pub timed: Option<Timed>,
}

/// Requests to the simulated device that belong to one request of a client, and determine the time of the
/// reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// Number of the first of these requests to the simulated device; `parts` is how many there are, with
    /// consecutive numbers.
    pub(super) first: u64,
    pub(super) parts: u32,
    /// Time in ns of the clock at which the reply is due.
    pub due_ns: u64,
}
