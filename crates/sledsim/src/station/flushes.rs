//! Flushes at a station: they begin before the requests that wait.

use super::Station;
use crate::device::Service;
use crate::energy::IdleTime;
use crate::request::Request;
use crate::time::Time;

impl Station {
    /// Accepts a flush; returns false if the device has no write cache, so that the flush is complete at once.
    ///
    /// Flushes begin in order of arrival, before all requests that wait at the host. A device with a queue of limited
    /// depth first serves the requests in its queue, and takes no other request before the flush is complete.
    pub fn accept_flush(&mut self, request: Request) -> bool {
        if !self.device.has_write_cache() {
            return false;
        }
        self.in_system += 1;
        self.waiting += 1;
        self.flushes.push_back(request);
        true
    }

    /// True if a flush waits or is in service.
    #[inline]
    #[must_use]
    pub fn is_flushing(&self) -> bool {
        !self.flushes.is_empty() || self.serving.is_some_and(|request| request.is_flush())
    }

    /// Starts the flush that came first.
    #[cold]
    pub(super) fn start_flush(&mut self, now: Time) -> Option<(u32, &Service)> {
        let request = self.flushes.pop_front()?;
        self.inside += 1;
        self.waiting -= 1;
        self.account.pass_idle(now, &*self.device, IdleTime::until_request);
        if let Some(passages) = &mut self.passages {
            passages.clear();
        }
        self.service = self.device.flush(now, &request);
        self.account.serve(now, &request, &self.service);
        self.serving = Some(request);
        Some((request.tag, &self.service))
    }
}
