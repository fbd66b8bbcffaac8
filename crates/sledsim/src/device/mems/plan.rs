//! The way through a request: in which direction each of its runs is swept.

use super::motion::{Boundary, CostX, Direction, Place, PlaceY};
use super::runs::Run;
use super::Mems;
use crate::params::{AccessMode, CylinderSwitch};
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// The quickest way to access all rows of a request that the access mode allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Where the sled starts from, and where the first row begins.
    pub(super) start: Place,
    pub(super) begin: Boundary,
    pub(super) x: CostX,
    pub(super) positioning: Span,
    pub(super) switching: Span,
    pub(super) switches: u32,
    pub(super) rows: u64,
    pub(super) first_row_blocks: u32,
    pub(super) last_row_blocks: u32,
    pub(super) end: Place,
}

/// The quickest way to the end of a run in one direction.
#[derive(Clone, Copy, Debug)]
struct Way {
    positioning: Span,
    switching: Span,
    /// The part of positioning in y, which the time in x may hide.
    y: Span,
    first: Direction,
}

impl Way {
    /// There is none in that direction.
    const NONE: Self =
        Self { positioning: Span::MAX, switching: Span::ZERO, y: Span::MAX, first: Direction::Up };

    /// Of two ways that take as long, the one that moves less in y is the better one.
    fn cost(&self) -> (Span, Span) {
        (self.positioning + self.switching, self.y)
    }
}

/// By the direction in which they end.
type Ways = [Way; 2];

impl Mems {
    /// Plans `request` as if its service started at `now`.
    ///
    /// Every way of sweeping a run takes the same time, so only getting to its beginning matters, and that
    /// depends on nothing but the direction of the run before: two ways are kept from run to run, the
    /// quickest that ends upwards and the quickest that ends downwards. Without a look ahead (row order
    /// "lbn") only the quicker of the two is kept.
    pub(super) fn plan(&self, now: Time, request: &Request) -> Plan {
        let (start, wait) = self.start(now);
        let mut runs = self.runs(now, request);
        let single_row = runs.is_single_row();
        let first = runs.next().expect("a request has a block");
        let x = self.motion.x(start.x_m, self.motion.cylinder_m(u64::from(first.cylinder)), request.op);
        if single_row {
            return self.plan_row(start, wait, x, &first);
        }
        let mut ways = self.first_ways(start, wait, x, &first);
        let (mut last, mut rows, mut switches) = (first, first.rows(), 0);
        for run in runs {
            if !self.sweeps() {
                ways[1 - quickest(&ways) as usize] = Way::NONE;
            }
            ways = self.onward(&ways, &last, &run, request.op);
            last = run;
            rows += run.rows();
            switches += 1;
        }
        let ends = quickest(&ways);
        let Way { positioning, switching, first: direction, .. } = ways[ends as usize];
        let (_, end, _, last_row_blocks) = last.sweep(ends);
        let (begin, _, first_row_blocks, _) = first.sweep(direction);
        let end = Place { x_m: self.motion.cylinder_m(u64::from(last.cylinder)), y: PlaceY::At(end) };
        Plan {
            start,
            begin,
            x,
            positioning,
            switching,
            switches,
            rows,
            first_row_blocks,
            last_row_blocks,
            end,
        }
    }

    /// A request within a row, as most are: nothing but the way in y tells its directions apart, and that is
    /// known long before the time in x.
    fn plan_row(&self, start: Place, wait: Span, x: CostX, row: &Run) -> Plan {
        let (mut y, mut direction) = (Span::MAX, Direction::Up);
        for &candidate in self.allowed(row, true) {
            let total = self.motion.y_total(start.y, row.sweep(candidate).0);
            if total < y {
                (y, direction) = (total, candidate);
            }
        }
        let (begin, end, blocks, _) = row.sweep(direction);
        Plan {
            start,
            begin,
            x,
            positioning: wait + x.total.max(y),
            switching: Span::ZERO,
            switches: 0,
            rows: 1,
            first_row_blocks: blocks,
            last_row_blocks: blocks,
            end: Place { x_m: self.motion.cylinder_m(u64::from(row.cylinder)), y: PlaceY::At(end) },
        }
    }

    fn first_ways(&self, start: Place, wait: Span, x: CostX, run: &Run) -> Ways {
        let mut ways = [Way::NONE; 2];
        for first in self.allowed(run, false) {
            let y = self.motion.y_total(start.y, run.sweep(*first).0);
            let positioning = wait + x.total.max(y);
            // Without a look ahead the first row is all that is looked at, and time all that counts.
            let y = if self.sweeps() { y } else { Span::ZERO };
            ways[*first as usize] = Way { positioning, switching: Span::ZERO, y, first: *first };
        }
        ways
    }

    fn onward(&self, before: &Ways, last: &Run, run: &Run, op: Op) -> Ways {
        let x = self.switch_x(last, run, op);
        let mut ways = [Way::NONE; 2];
        for direction in self.allowed(run, false) {
            let begin = run.sweep(*direction).0;
            let best = &mut ways[*direction as usize];
            for (way, ended) in before.iter().zip(Direction::BOTH) {
                let y = self.motion.y_total(PlaceY::At(last.sweep(ended).1), begin);
                let onward = Way { switching: way.switching + x.max(y), ..*way };
                if onward.cost() < best.cost() {
                    *best = onward;
                }
            }
        }
        ways
    }

    /// What going on to the next run costs in x.
    fn switch_x(&self, before: &Run, run: &Run, op: Op) -> Span {
        let neighbours = before.sled == run.sled && before.cylinder.abs_diff(run.cylinder) == 1;
        if neighbours && self.params.cylinder_switch == CylinderSwitch::TipDeflection {
            return Span::ZERO;
        }
        let x_m = |run: &Run| self.motion.cylinder_m(u64::from(run.cylinder));
        self.motion.x(x_m(before), x_m(run), op).total
    }

    /// The directions in which the access mode lets a run be swept (000-D10, 001-D15).
    #[inline]
    pub(super) fn allowed(&self, run: &Run, single_row: bool) -> &'static [Direction] {
        let alternating = |number: u32| {
            if number.is_multiple_of(2) {
                &Direction::BOTH[..1]
            } else {
                &Direction::BOTH[1..]
            }
        };
        match self.params.access_mode {
            AccessMode::Bidirectional => &Direction::BOTH,
            AccessMode::Serpentine if single_row => &Direction::BOTH,
            AccessMode::Serpentine => {
                alternating(run.cylinder * self.geometry.tracks_per_cylinder as u32 + run.track)
            }
            AccessMode::Parity => alternating(run.cylinder),
            AccessMode::Unidirectional => &Direction::BOTH[..1],
        }
    }
}

/// The direction in which the better way ends; upwards, if none is.
fn quickest(ways: &Ways) -> Direction {
    if ways[1].cost() < ways[0].cost() {
        Direction::Down
    } else {
        Direction::Up
    }
}
