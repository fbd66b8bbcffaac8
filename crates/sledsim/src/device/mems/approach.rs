//! What an index over places asks a sled.

use std::borrow::Cow;

use super::motion::{Direction, Motion, PlaceY};
use super::Mems;
use crate::device::{Approach, Begin, Here};
use crate::params::{RowOrder, WriteStart};
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Steps of the table of least times in x within a doubling of the distance.
const STEPS_A_DOUBLING: usize = 4;

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

    /// From when on no data of a write have to be waited for.
    fn data_there(&self, request: &Request) -> Time {
        match request.op {
            Op::Read => Time::ZERO,
            // One block more, so that no rounding of the bus can count a block as missing.
            Op::Write => request.data_from + self.interface.transfer(u64::from(request.blocks) + 1),
        }
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
        let settles_longer = self.motion.settles_longer(request.op);
        let exact_from = if one_run && !settles_longer { self.data_there(request) } else { Time::MAX };
        Begin { cylinder: first.cylinder, ways, transfer: self.motion.rows(rows), exact_from }
    }

    fn here(&self, now: Time) -> Here<'_> {
        let (start, wait) = self.start(now);
        Here {
            cylinder: self.cylinder_from(start.x_m),
            x_m: start.x_m,
            wait,
            y_ns: self.motion.ways_ns(start.y),
        }
    }

    #[inline]
    fn x(&self, here: &Here<'_>, cylinder: u32) -> Span {
        self.motion.x_at_least(here.x_m, self.motion.cylinder_m(u64::from(cylinder)))
    }

    #[inline]
    fn least_x(&self, cylinders: u32) -> Span {
        self.motion.least_x(cylinders)
    }
}

impl Motion {
    /// The least time in x over so many cylinders, from a table that is made when it is first asked for.
    #[inline]
    fn least_x(&self, cylinders: u32) -> Span {
        Span(u64::from(self.least_x_ns.get_or_init(|| self.least_x_table())[cylinders as usize]))
    }

    /// For each distance the least time from all cylinders, of the longest step that is not longer.
    fn least_x_table(&self) -> Vec<u32> {
        let count = self.geometry.cylinders as usize;
        let places_m: Vec<f64> = (0..count as u64).map(|cylinder| self.cylinder_m(cylinder)).collect();
        let mut times_s = vec![0.0; count];
        let mut least_over = |distance: usize| {
            let (from_m, to_m) = (&places_m[..count - distance], &places_m[distance..]);
            let times_s = &mut times_s[..count - distance];
            self.seeks_x_s(from_m, to_m, times_s);
            let mut least_s = times_s.iter().copied().fold(f64::INFINITY, f64::min);
            if !self.seek_x.is_symmetric() {
                self.seeks_x_s(to_m, from_m, times_s);
                least_s = times_s.iter().copied().fold(least_s, f64::min);
            }
            // Seeks at once and one by one may differ by their last bits.
            Span::from_s(least_s - (self.settle_s() - self.write_settle_s()).max(0.0)).0.saturating_sub(1)
                as u32
        };
        let (mut table, mut step) = (vec![0], 1);
        while step < count {
            let next = (step + step / STEPS_A_DOUBLING).max(step + 1).min(count);
            table.resize(next, least_over(step));
            step = next;
        }
        table
    }

    /// Nanoseconds from a place in y to every row boundary.
    fn ways_ns(&self, from: PlaceY) -> Cow<'_, [u32]> {
        match from {
            PlaceY::At(boundary) => Cow::Borrowed(self.totals_from(boundary)),
            _ => Cow::Owned(self.boundaries().map(|to| self.y_total(from, to).0 as u32).collect()),
        }
    }
}
