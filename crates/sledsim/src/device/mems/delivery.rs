//! When the rows of a read have been read, and their data demand the bus.

use super::motion::PlaceY;
use super::plan::{Plan, Step};
use super::runs::Run;
use super::Mems;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

impl Mems {
    /// Tells the bus of the rows of a read that is served as planned from `now` on; `steps` are those of a request of
    /// more than one row.
    pub(super) fn deliver(&mut self, now: Time, request: &Request, plan: &Plan, steps: &[Step]) {
        if request.op == Op::Write || request.is_internal || self.interface.is_instant() {
            return;
        }
        let from = now + plan.positioning;
        if steps.is_empty() {
            return self.interface.demand(from + self.motion.rows(1), request.blocks);
        }
        for (after, blocks) in self.rows_read(request, plan, steps) {
            self.interface.demand(from + after, blocks);
        }
    }

    /// The rows of a request in the order in which they pass: when each has passed, from the beginning of the first,
    /// and how many blocks of the request lie in it.
    fn rows_read(&self, request: &Request, plan: &Plan, steps: &[Step]) -> Vec<(Span, u32)> {
        let PlaceY::At(end) = plan.end.y else { unreachable!("an access ends at a row boundary") };
        let mut directions = vec![end.direction; steps.len()];
        for next in (1..steps.len()).rev() {
            directions[next - 1] = steps[next].after[directions[next] as usize];
        }
        let mut rows_read: Vec<(Span, u32)> = Vec::with_capacity(plan.rows as usize);
        let mut rows = self.rows(request);
        let mut switching = Span::ZERO;
        for (number, step) in steps.iter().enumerate() {
            let swept = |at: usize| (&steps[at].run, directions[at]);
            if number > 0 {
                switching += self.switch(swept(number - 1), swept(number), request.op);
            }
            let mut of_run: Vec<Run> = rows.by_ref().take(step.run.rows() as usize).collect();
            if !step.run.is_in_order(directions[number], &of_run[0]) {
                of_run.reverse();
            }
            for row in of_run {
                let passed = switching + self.motion.rows(rows_read.len() as u64 + 1);
                rows_read.push((passed, row.blocks));
            }
        }
        debug_assert_eq!(switching, plan.switching, "the steps are those of the plan");
        rows_read
    }
}
