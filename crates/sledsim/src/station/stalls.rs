//! Stalls: times for which a free device starts no request.

use super::Station;
use crate::time::Time;

impl Station {
    /// Time at which a free device starts to serve waiting requests, if not now; reported once for every such time.
    #[inline]
    pub fn resumes_at(&mut self, now: Time) -> Option<Time> {
        if self.may_stall {
            self.stalled_until(now)
        } else {
            None
        }
    }

    #[cold]
    fn stalled_until(&mut self, now: Time) -> Option<Time> {
        let ready = self.device.ready_from(now);
        let is_held = self.serving.is_none() && self.waiting > 0 && ready > now;
        let is_new = is_held && ready != self.resumes;
        is_new.then(|| {
            self.resumes = ready;
            ready
        })
    }

    #[cold]
    pub(super) fn is_stalled(&self, now: Time) -> bool {
        self.device.ready_from(now) > now
    }
}
