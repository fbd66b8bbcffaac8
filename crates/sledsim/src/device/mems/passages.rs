//! Times at which the rows of a write pass under the tips.

use super::access_plan::Plan;
use super::motion::PlaceY;
use super::noted_sweeps::NotedSweeps;
use super::Mems;
use crate::device::Passages;
use crate::params::WriteStart;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Running totals of a write, while its rows are gone through in the order in which they pass.
struct Way {
    /// Time at which the first row could begin to pass under the tips if all data were available.
    from: Time,
    switching: Span,
    /// Total wait for data of the write so far.
    hold: Span,
    rows: u64,
}

impl Mems {
    /// Plans a write that is served from `now` on, and adds to `passages` the times at which its rows pass
    /// under the tips.
    pub(super) fn plan_passages(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Plan {
        let mut noted = std::mem::take(&mut self.noted);
        noted.clear();
        let plan = self.plan_noting(now, request, &mut noted);
        self.note_rows(now + plan.positioning, request, &plan, (&mut noted, passages));
        self.noted = noted;
        plan
    }

    /// Adds to `passages` the times at which the rows of a write pass. The first row could begin to pass at
    /// `from` if its data were available.
    fn note_rows(
        &self,
        from: Time,
        request: &Request,
        plan: &Plan,
        (noted, passages): (&mut NotedSweeps, &mut Passages),
    ) {
        // A sled that waits for data does so before the first row, or before each row whose data
        // are late.
        let at_once = self.params.write_start == WriteStart::AtDispatch && !noted.steps.is_empty();
        let hold = if at_once { Span::ZERO } else { plan.hold };
        let mut way = Way { from, switching: Span::ZERO, hold, rows: 0 };
        if noted.steps.is_empty() {
            return self.note_row(request, request.lbn, request.blocks, &mut way, passages);
        }
        let PlaceY::At(end) = plan.end.y else { unreachable!("an access ends at a row boundary") };
        noted.end_in(end.direction);
        let (mut done, mut lbn) = (0, request.lbn);
        for (number, step) in noted.steps.iter().enumerate() {
            let swept = |at: usize| (&noted.steps[at].run, noted.directions[at]);
            if number > 0 {
                way.switching += self.switch(swept(number - 1), swept(number));
            }
            if step.run.op == Op::Read {
                way.rows += 1;
                continue;
            }
            let is_in_order = step.run.is_in_order(noted.directions[number]);
            let (parts, run_end) = (&noted.parts[done..step.parts], lbn + u64::from(step.run.blocks));
            let mut at = if is_in_order { lbn } else { run_end };
            for number in 0..parts.len() {
                let part = &parts[if is_in_order { number } else { parts.len() - 1 - number }];
                let blocks = part.blocks_per_row();
                for _ in 0..part.rows() {
                    let first = if is_in_order { at } else { at - u64::from(blocks) };
                    self.note_row(request, first, blocks, &mut way, passages);
                    at = if is_in_order { first + u64::from(blocks) } else { first };
                }
            }
            (done, lbn) = (step.parts, run_end);
        }
        debug_assert_eq!(
            (way.switching, way.hold),
            (plan.switching, plan.hold),
            "the rows are those of the plan"
        );
    }

    /// Adds to `passages` the next row of a write, which holds its blocks from `first` to before `first + blocks`.
    fn note_row(&self, request: &Request, first: u64, blocks: u32, way: &mut Way, passages: &mut Passages) {
        let end = first + u64::from(blocks);
        let soonest = way.from + way.switching + self.motion.rows(way.rows);
        way.hold = way.hold.max(self.blocks_late(request, end - request.lbn, soonest));
        way.rows += 1;
        let until = way.from + way.switching + way.hold + self.motion.rows(way.rows);
        passages.note(first..end, soonest + way.hold, until);
    }
}
