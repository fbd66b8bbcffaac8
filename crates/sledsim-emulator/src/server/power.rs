//! The plan of a power failure, and the power switch.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use super::poll::Waker;
use crate::emulator::PowerCut;

/// Plan of a power failure. Power fails when the time `at_ns` comes or the number `after` of answers is
/// reached, whichever is first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerPlan {
    /// Time of the power failure in nanoseconds since the server began to serve; `None` if no time is planned.
    pub at_ns: Option<u64>,
    /// Number of answers of the simulated device after which the power fails, counting completely sent answers;
    /// `None` for no such limit.
    pub after: Option<u64>,
    /// Parameters that determine which data are lost.
    pub cut: PowerCut,
}

/// A switch that cuts the power of a server, from any thread.
#[derive(Clone, Debug)]
pub struct PowerSwitch {
    is_off: Arc<AtomicBool>,
    waker: Waker,
}

impl PowerSwitch {
    pub(super) fn new(waker: Waker) -> Self {
        Self { is_off: Arc::default(), waker }
    }

    /// Cut the power now.
    pub fn cut(&self) {
        self.is_off.store(true, Ordering::Release);
        self.waker.wake();
    }

    pub(super) fn is_off(&self) -> bool {
        self.is_off.load(Ordering::Acquire)
    }
}
