//! How this thread is to be preferred to others.

// Nothing but these two calls of the system has no safe way.
#![allow(unsafe_code)]

use std::io;

use thiserror::Error;

/// Whether this thread is preferred to all that have no real-time priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Realtime {
    /// If the system lets it.
    Auto,
    /// Or there is no serving.
    Require,
    /// No.
    Off,
}

/// The system does not let this thread have real-time priority.
#[derive(Debug, Error)]
#[error("real-time priority: the system refused it ({0}): run as root, or with the capability CAP_SYS_NICE, or raise the limit RLIMIT_RTPRIO (ulimit -r)")]
pub struct RealtimeError(io::Error);

/// The least real-time priority is enough: it comes before everything that has none.
const PRIORITY: i32 = 1;
const TIMER_SLACK_NS: libc::c_ulong = 1;

impl Realtime {
    /// By its name on the command line, each with what it means.
    pub const ALL: [(&'static str, Self, &'static str); 3] = [
        ("auto", Self::Auto, "if the system lets it"),
        ("require", Self::Require, "or there is no serving"),
        ("off", Self::Off, "no"),
    ];

    /// Sets this thread; whether it has real-time priority now.
    ///
    /// # Errors
    /// It is required, and the system does not let it.
    pub fn apply(self) -> Result<bool, RealtimeError> {
        // SAFETY: sets a number of this thread, and touches no memory.
        unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, TIMER_SLACK_NS, 0, 0, 0) };
        if self == Self::Off {
            return Ok(false);
        }
        let parameters = libc::sched_param { sched_priority: PRIORITY };
        // SAFETY: 0 is this thread, and the parameters outlive the call. Children begin without it.
        let policy = libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK;
        let done = unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) };
        match (done, self) {
            (0, _) => Ok(true),
            (_, Self::Require) => Err(RealtimeError(io::Error::last_os_error())),
            _ => Ok(false),
        }
    }
}
