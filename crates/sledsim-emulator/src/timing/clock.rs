//! The clock that measures the times of the server.

use rustix::time::{clock_gettime, ClockId, Timespec};

/// A clock that never goes back.
pub trait Clock {
    /// Current time in nanoseconds since the start of the clock.
    fn now_ns(&self) -> u64;
}

/// The monotonic clock of the machine. Timers of the operating system use the same clock.
#[derive(Clone, Copy, Debug)]
pub struct Monotonic {
    started_ns: u64,
}

const NANOS_PER_S: u64 = 1_000_000_000;

impl Monotonic {
    /// Start a clock whose time is 0 now.
    #[must_use]
    pub fn start() -> Self {
        Self { started_ns: Self { started_ns: 0 }.now_ns() }
    }

    /// Convert `now_ns` nanoseconds of this clock to a time of the operating system.
    #[must_use]
    pub fn timespec(&self, now_ns: u64) -> Timespec {
        let ns = self.started_ns.saturating_add(now_ns);
        Timespec { tv_sec: (ns / NANOS_PER_S) as i64, tv_nsec: (ns % NANOS_PER_S) as i64 }
    }
}

impl Clock for Monotonic {
    fn now_ns(&self) -> u64 {
        let now = clock_gettime(ClockId::Monotonic);
        (now.tv_sec as u64 * NANOS_PER_S + now.tv_nsec as u64) - self.started_ns
    }
}
