//! What an index over places asks a sled.

use std::borrow::Cow;
use std::sync::atomic::Ordering::Relaxed;

use super::motion::{Direction, Motion, PlaceY};
use super::x_within::XTable;
use super::Mems;
use crate::device::{Approach, Begin, Here, XWithin};
use crate::params::{RowOrder, WriteStart};
use crate::request::Request;
use crate::time::{Span, Time};

impl Mems {
    /// Whether what an index relies on holds.
    ///
    /// The seek model must say that times in x grow with the distance; the times in y must be in the table; and
    /// where a write may be cut in its first run of rows, there are more ways to begin than an index knows.
    pub(super) fn has_approach(&self) -> bool {
        let cut =
            self.params.write_start == WriteStart::AtDispatch && self.params.row_order == RowOrder::Sweep;
        self.motion.grows_in_x() && self.motion.has_table() && !cut
    }
}

impl Approach for Mems {
    fn ways(&self) -> usize {
        self.motion.boundaries().count()
    }

    fn begin(&self, request: &Request) -> Begin {
        let mut runs = self.all_runs(request);
        let single_row = runs.is_single_row();
        let first = runs.next().expect("a request has a block");
        let (mut rows, mut one_run) = (first.rows(), true);
        for run in runs {
            rows += run.rows();
            one_run = false;
        }
        let way = |direction| self.motion.way(first.sweep(direction).0);
        let ways = match self.allowed(&first, single_row) {
            [one] => [way(*one); 2],
            _ => Direction::BOTH.map(way),
        };
        // The bound in x is that of the operation that settles faster.
        let settles_longer = self.motion.settles_longer(first.op);
        let exact_from = if one_run && !settles_longer { request.data_until } else { Time::MAX };
        Begin { cylinder: first.cylinder, ways, transfer: self.motion.rows(rows), exact_from }
    }

    fn here(&self, now: Time) -> Here<'_> {
        let (start, wait) = self.start(now);
        let cylinder = self.cylinder_from(start.x_m);
        let on_cylinder = start.x_m == self.motion.cylinder_m(u64::from(cylinder));
        Here {
            cylinder,
            x_m: start.x_m,
            wait,
            y_ns: self.motion.ways_ns(start.y),
            x_within: if on_cylinder { self.motion.x_within(cylinder) } else { None },
        }
    }

    #[inline]
    fn x(&self, here: &Here<'_>, cylinder: u32) -> Span {
        self.motion.x_at_least(here.x_m, self.motion.cylinder_m(u64::from(cylinder)))
    }
}

impl Motion {
    /// Between what times in x from a cylinder lie, by a table that is made when it is worth it.
    fn x_within(&self, cylinder: u32) -> Option<[XWithin<'_>; 2]> {
        let asked = self.asked.load(Relaxed);
        if u64::from(asked) < self.geometry.cylinders {
            self.asked.store(asked + 1, Relaxed);
            return None;
        }
        Some(self.x_table.get_or_init(|| XTable::new(self)).from(cylinder))
    }

    /// Nanoseconds from a place in y to every row boundary.
    fn ways_ns(&self, from: PlaceY) -> Cow<'_, [u32]> {
        match from {
            PlaceY::At(boundary) => Cow::Borrowed(self.totals_from(boundary)),
            _ => Cow::Owned(self.boundaries().map(|to| self.y_total(from, to).0 as u32).collect()),
        }
    }
}
