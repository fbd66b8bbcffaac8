//! Writes in place: the erase block of the written blocks is erased and written again.

use super::block_map::Run;
use super::{on_its_own, ErasingDevice};
use crate::device::{Device, Passage, Passages, Service};
use crate::request::{Op, Request};
use crate::time::Time;

impl ErasingDevice {
    /// Serves a write in place. For each erase block with blocks of the request, reads the other blocks,
    /// erases the erase block and writes it as a whole.
    pub(super) fn write_in_place(&mut self, now: Time, request: &Request) -> Service {
        let (mut lbn, end) = (request.lbn, request.lbn + u64::from(request.blocks));
        let (mut whole, mut rows_before): (Option<Service>, _) = (None, 0);
        while lbn < end {
            let first = lbn / self.erase.blocks * self.erase.blocks;
            let last = (first + self.erase.blocks).min(self.blocks);
            let to = last.min(end);
            let [begins, ends] = [lbn, to - 1].map(|block| request.merges_in(block, 1));
            let front = first..lbn + u64::from(begins);
            let back = front.end.max(to - u64::from(ends))..last;
            self.counts.copied_blocks += (front.end - front.start) + (back.end - back.start);
            if !front.is_empty() || !back.is_empty() {
                Service::follow(&mut whole, now, |at| self.read_parts(at, [front, back]));
            }
            let has_both = begins && ends && !self.device.is_one_row(lbn, to - 1);
            rows_before += u64::from(begins || ends) + u64::from(has_both);
            let mut erased_from = now;
            Service::follow(&mut whole, now, |at| {
                erased_from = at;
                self.erasing(at, self.erase.takes)
            });
            self.counts.erased_blocks += 1;
            let all = Run { place: first, blocks: (last - first) as u32 };
            let write = Request { data_until: request.data_until, ..on_its_own(Op::Write, all) };
            Service::follow(&mut whole, now, |at| self.write_erased(at, write, erased_from));
            lbn = to;
        }
        self.device.count_merged(request, rows_before);
        whole.expect("a request has a block")
    }

    /// Writes a whole erase block that was erased from the time `erased_from` on. A power failure between
    /// this time and the write leaves its blocks without contents.
    fn write_erased(&mut self, now: Time, write: Request, erased_from: Time) -> Service {
        let Some(passages) = &mut self.passages else { return self.access_for_itself(now, write) };
        let mut rows = Passages::default();
        let write = Request { arrival: now, is_internal: true, ..write };
        let service = self.device.serve_noting(now, &write, &mut rows);
        passages.extend(rows.into_iter().map(|row| Passage { from: erased_from, ..row }));
        service
    }
}
