//! The answer to a request, and who is given it.

use crate::nbd::Errno;

/// Who asked: a connection, and the number of the request there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Asker {
    /// The connection, of which none ever has the number of another.
    pub connection: u64,
    /// The number of the request.
    pub number: u64,
}

/// The answer to a request.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// Who asked.
    pub to: Asker,
    /// The first of the data of a read, or why it failed.
    pub result: Result<Vec<u8>, Errno>,
    /// So many bytes of data more are to be [read](super::Emulator::more).
    pub rest: u32,
    /// What the simulated device was asked for it: none for what takes no time.
    pub timed: Option<Timed>,
}

/// A request of which the simulated device says when it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// Its first request to the simulated device, and how many they are.
    pub(super) first: u64,
    pub(super) parts: u32,
    /// When it is due, in nanoseconds of the clock.
    pub due_ns: u64,
}
