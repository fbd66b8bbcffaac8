//! Set the real-time priority of the thread.

// The two system calls of this file have no safe interface.
#![allow(unsafe_code)]

use std::io;

use thiserror::Error;

/// Choice of the priority of the serving thread: a thread with real-time priority precedes all normal threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Realtime {
    /// Use real-time priority if the system grants it.
    Auto,
    /// Fail if the system does not grant real-time priority.
    Require,
    /// Do not ask for real-time priority.
    Off,
}

/// The error of a system that does not grant real-time priority.
#[derive(Debug, Error)]
#[error("real-time priority: the system refused it ({0}): run as root, or with the capability CAP_SYS_NICE, or raise the limit RLIMIT_RTPRIO (ulimit -r)")]
pub struct RealtimeError(io::Error);

/// The lowest real-time priority, which already precedes all normal threads.
const PRIORITY: i32 = 1;
const TIMER_SLACK_NS: libc::c_ulong = 1;

impl Realtime {
    /// Each choice: its name on the command line, its value and its meaning.
    pub const ALL: [(&'static str, Self, &'static str); 3] = [
        ("auto", Self::Auto, "request real-time priority, and continue without it if the system refuses"),
        (
            "require",
            Self::Require,
            "request real-time priority, and exit with an error if the system refuses",
        ),
        ("off", Self::Off, "normal priority"),
    ];

    /// Apply the choice to the calling thread. Return true if the thread has real-time priority.
    ///
    /// # Errors
    /// Real-time priority is required, but the system does not grant it.
    pub fn apply(self) -> Result<bool, RealtimeError> {
        // SAFETY: sets a number of this thread, and touches no memory.
        unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, TIMER_SLACK_NS, 0, 0, 0) };
        if self == Self::Off {
            return Ok(false);
        }
        let parameters = libc::sched_param { sched_priority: PRIORITY };
        // SAFETY: 0 is this thread, and the parameters outlive the call. Child processes start without the priority.
        let policy = libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK;
        let done = unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) };
        match (done, self) {
            (0, _) => Ok(true),
            (_, Self::Require) => Err(RealtimeError(io::Error::last_os_error())),
            _ => Ok(false),
        }
    }
}
