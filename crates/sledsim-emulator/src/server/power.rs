//! The plan of a loss of power, and the switch that cuts it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use super::poll::Waker;
use crate::emulator::PowerCut;

/// When power is lost, whichever comes first, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerPlan {
    /// At that time of the server's clock, in nanoseconds since it began to serve.
    pub at_ns: Option<u64>,
    /// When so many answers of the simulated device were sent to their last byte.
    pub after: Option<u64>,
    /// How.
    pub cut: PowerCut,
}

/// Cuts the power of a server, from any thread.
#[derive(Clone, Debug)]
pub struct PowerSwitch {
    is_off: Arc<AtomicBool>,
    waker: Waker,
}

impl PowerSwitch {
    pub(super) fn new(waker: Waker) -> Self {
        Self { is_off: Arc::default(), waker }
    }

    /// Cuts it, now.
    pub fn cut(&self) {
        self.is_off.store(true, Ordering::Release);
        self.waker.wake();
    }

    pub(super) fn is_off(&self) -> bool {
        self.is_off.load(Ordering::Acquire)
    }
}
