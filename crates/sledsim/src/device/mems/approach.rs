//! Positioning times of a sled, for schedulers that index waiting requests by place.

use super::motion::Direction;
use super::runs::{Run, Runs};
use super::Mems;
use crate::device::{Approach, Begin, HeadPosition};
use crate::params::{RowOrder, WriteStart};
use crate::request::Request;
use crate::time::{Span, Time};

impl Mems {
    /// True if a scheduler can index requests on this device by place.
    ///
    /// Three conditions must hold: times in x grow with the distance, the device has few enough rows for a
    /// table of times in y, and a write never begins in the middle of a row. An index stores only two
    /// places in y for the beginning of a request.
    pub(super) fn can_have_approach(&self) -> bool {
        let cut =
            self.params.write_start == WriteStart::AtDispatch && self.params.row_order == RowOrder::Sweep;
        self.motion.seek_x.grows_with_distance() && self.motion.may_have_table() && !cut
    }

    /// Computes the beginning of a request and the shortest time of its transfer. `first` is its first run
    /// of rows, `rows` the number of rows of all runs, and `one_run` is true if there is no other run.
    #[inline]
    fn begin_with(
        &self,
        request: &Request,
        (first, single_row): (&Run, bool),
        (rows, one_run): (u64, bool),
    ) -> Begin {
        let start = |direction| self.motion.index(first.sweep(direction).0) as u16;
        let y_starts = match self.allowed(first, single_row) {
            [one] => [start(*one); 2],
            _ => Direction::BOTH.map(start),
        };
        // The bound in x applies to the operation that settles faster.
        let settles_longer = self.motion.settles_longer(first.op);
        let exact_from = if one_run && !settles_longer { request.data_until } else { Time::MAX };
        Begin { cylinder: first.cylinder, y_starts, transfer: self.motion.rows(rows), exact_from }
    }
}

impl Approach for Mems {
    fn begin(&self, request: &Request) -> Begin {
        let located = self.layout.locate_row(request.lbn);
        let blocks = u64::from(request.blocks);
        if blocks <= located.1 && !request.merges_in(request.lbn, blocks) {
            let row = Run::of_row(located.0, request.blocks, request.op);
            return self.begin_with(request, (&row, true), (1, true));
        }
        let mut runs = Runs::from_first(&*self.layout, request, self.sweeps(), located);
        let single_row = runs.is_single_row();
        let first = runs.next().expect("a request has a block");
        let (mut rows, mut one_run) = (first.rows(), true);
        for run in runs {
            rows += run.rows();
            one_run = false;
        }
        self.begin_with(request, (&first, single_row), (rows, one_run))
    }

    fn head_position(&self, now: Time) -> HeadPosition<'_> {
        let (start, wait) = self.start(now);
        // The first cylinder at or above the sled; an access leaves the sled on a cylinder.
        let near = self.geometry.cylinder_near(start.x_m);
        let near_m = self.motion.cylinder_m(u64::from(near));
        let cylinder = near + u32::from(near_m < start.x_m);
        let on_cylinder = near_m == start.x_m;
        HeadPosition {
            cylinder,
            x_m: start.x_m,
            wait,
            y_ns: self.motion.y_totals_ns(start.y),
            x_bounds: if on_cylinder { self.x_bounds.from(cylinder, &self.motion) } else { None },
        }
    }

    #[inline]
    fn x(&self, here: &HeadPosition<'_>, cylinder: u32) -> Span {
        self.motion.x_at_least(here.x_m, self.motion.cylinder_m(u64::from(cylinder)))
    }
}
