//! Writes that erase where they go.

use super::map::Run;
use super::ErasingDevice;
use crate::device::Service;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

impl ErasingDevice {
    /// Each erase block that a write touches is read, unless all of it is written, erased, and written whole.
    pub(super) fn write_in_place(&mut self, now: Time, request: &Request) -> Service {
        let (mut lbn, end) = (request.lbn, request.lbn + u64::from(request.blocks));
        let mut whole: Option<Service> = None;
        while lbn < end {
            let first = lbn / self.erase.blocks * self.erase.blocks;
            let last = (first + self.erase.blocks).min(self.blocks);
            let all = Run { place: first, blocks: (last - first) as u32 };
            let to = last.min(end);
            if lbn > first || to < last || request.merges_in(lbn, to - lbn) {
                let at = now + whole.as_ref().map_or(Span::ZERO, Service::total);
                let read = self.access(at, Op::Read, all);
                Service::follow(&mut whole, &read);
                self.counts.copied_blocks += (last - first) - (to - lbn);
            }
            let at = now + whole.as_ref().map_or(Span::ZERO, Service::total);
            let erased = self.erasing(at, self.erase.takes);
            Service::follow(&mut whole, &erased);
            self.counts.erased_blocks += 1;
            let at = now + whole.as_ref().map_or(Span::ZERO, Service::total);
            let written = self.access_with(at, Op::Write, all, request.data_until);
            Service::follow(&mut whole, &written);
            lbn = to;
        }
        whole.expect("a request has a block")
    }
}
