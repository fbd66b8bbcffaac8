//! Delivery of a read: the times at which its rows have been read, so that their data can cross the bus.

use super::access_plan::Plan;
use super::motion::PlaceY;
use super::noted_sweeps::NotedSweeps;
use super::Mems;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

impl Mems {
    /// True if data of a request cross the bus while it is served. This is the case for a read by a host,
    /// unless the bus takes no time.
    pub(super) fn delivers(&self, request: &Request) -> bool {
        request.op == Op::Read && !request.is_internal && !self.interface.is_instant()
    }

    /// Plans a read that is served from `now` on, and records in the interface when each of its rows has been read.
    pub(super) fn plan_delivery(&mut self, now: Time, request: &Request) -> Plan {
        let mut noted = std::mem::take(&mut self.noted);
        noted.clear();
        let plan = self.plan_noting(now, request, &mut noted);
        self.deliver(now + plan.positioning, request, &plan, &mut noted);
        self.noted = noted;
        plan
    }

    /// Records in the interface when each row of the read has been read, and its number of blocks. The
    /// first row begins to pass under the tips at the time `from`.
    fn deliver(&mut self, from: Time, request: &Request, plan: &Plan, noted: &mut NotedSweeps) {
        if noted.steps.is_empty() {
            return self.interface.demand(from + self.motion.rows(1), request.blocks);
        }
        let PlaceY::At(end) = plan.end.y else { unreachable!("an access ends at a row boundary") };
        noted.end_in(end.direction);
        let (mut done, mut passed, mut switching) = (0, 0, Span::ZERO);
        for (number, step) in noted.steps.iter().enumerate() {
            let swept = |at: usize| (&noted.steps[at].run, noted.directions[at]);
            if number > 0 {
                switching += self.switch(swept(number - 1), swept(number));
            }
            let parts = &noted.parts[done..step.parts];
            let is_in_order = step.run.is_in_order(noted.directions[number]);
            for at in 0..parts.len() {
                let part = &parts[if is_in_order { at } else { parts.len() - 1 - at }];
                let row_blocks = part.blocks_per_row();
                for _ in 0..part.rows() {
                    passed += 1;
                    self.interface.demand(from + switching + self.motion.rows(passed), row_blocks);
                }
            }
            done = step.parts;
        }
        debug_assert_eq!(switching, plan.switching, "the steps are those of the plan");
    }
}
