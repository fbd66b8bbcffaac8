//! Planning of a request: the direction in which the sled sweeps over each of its runs (consecutive rows).

use super::access_plan::Plan;
use super::late::Late;
use super::motion::{CostX, Direction, PlaceY, SledPlace};
use super::runs::{Notes, Run, Runs};
use super::Mems;
use crate::params::{AccessMode, CylinderSwitch};
use crate::request::Request;
use crate::time::{Span, Time};

/// A way: sweep directions for the first runs of a request, with the times that result. The last of these
/// runs is swept in a given direction.
#[derive(Clone, Copy, Debug)]
struct Way {
    positioning: Span,
    switching: Span,
    /// Time for which the sled waits for the data of a write.
    hold: Span,
    /// Positioning time in y alone. It can be shorter than the positioning time, if the time in x is longer.
    y: Span,
    first: Direction,
}

impl Way {
    /// Stands for a missing way: the access mode allows no way that ends in this direction.
    const NONE: Self = Self {
        positioning: Span::MAX,
        switching: Span::ZERO,
        hold: Span::ZERO,
        y: Span::MAX,
        first: Direction::Up,
    };

    fn moving(&self) -> Span {
        self.positioning + self.switching
    }

    /// The quantities by which ways are compared: first the total time, then the time in motion, then the
    /// positioning time in y.
    fn cost(&self) -> (Span, Span, Span) {
        (self.moving() + self.hold, self.moving(), self.y)
    }
}

/// The quickest way (sweep directions of all runs so far) whose last sweep goes upwards, and the quickest
/// way whose last sweep goes downwards.
type Ways = [Way; 2];

impl Mems {
    /// Plans `request` as if its service started at `now`.
    pub(super) fn plan(&self, now: Time, request: &Request) -> Plan {
        self.plan_noting(now, request, &mut ())
    }

    /// Plans `request`. Reports to `notes` the parts of its rows and, if it has more than one row, its runs.
    ///
    /// A sweep over a run takes the same time in both directions, and the motion to its beginning depends
    /// only on the direction of the previous run. So two ways are kept from run to run: the quickest that
    /// ends upwards and the quickest that ends downwards. Row order "lbn" looks no further than the next
    /// run and keeps only the quicker one. If data of a write are late, the way that finishes the runs so
    /// far first also finishes the later runs first.
    pub(super) fn plan_noting(&self, now: Time, request: &Request, notes: &mut impl Notes) -> Plan {
        let (start, wait) = self.start(now);
        let located = self.layout.locate_row(request.lbn);
        let x = |row: &Run| self.motion.x(start.x_m, self.motion.cylinder_m(u64::from(row.cylinder)), row.op);
        if self.is_single_pass(now, request, located.1) {
            let row = Run::of_row(located.0, request.blocks, request.op);
            notes.part(row);
            let plan = self.plan_row(start, wait, x(&row), &row);
            let hold = self.blocks_late(request, u64::from(request.blocks), now + plan.positioning);
            return Plan { hold, hold_before: hold, ..plan };
        }
        let runs = Runs::from_first(&*self.layout, request, self.sweeps(), located);
        let mut runs = self.cut(now, request, runs);
        let single_row = runs.is_single_row();
        let first = runs.next_noting(notes).expect("a request has a block");
        let x = x(&first);
        let mut ways = self.first_ways(start, wait, x, (&first, single_row));
        let least_positioning = ways[0].positioning.min(ways[1].positioning);
        let mut late = self.late(now, request, least_positioning);
        hold_back(&mut ways, &first, late.as_mut());
        notes.step(first, Direction::BOTH);
        let (mut last, mut rows, mut switches) = (first, first.rows(), 0);
        let mut rows_before = u64::from(first.op != request.op);
        while let Some(run) = runs.next_noting(notes) {
            if !self.sweeps() {
                ways[1 - quickest(&ways) as usize] = Way::NONE;
            }
            let after;
            (ways, after) = self.onward(&ways, &last, (&run, single_row));
            hold_back(&mut ways, &run, late.as_mut());
            notes.step(run, after);
            last = run;
            rows += run.rows();
            rows_before += u64::from(run.op != request.op);
            switches += 1;
        }
        let ends = quickest(&ways);
        let Way { positioning, switching, hold, first: direction, .. } = ways[ends as usize];
        let end = SledPlace::at(self.motion.cylinder_m(u64::from(last.cylinder)), last.sweep(ends).1);
        let hold_before = late.map_or(hold, |late| late.before_first(direction, positioning).min(hold));
        let begin = first.sweep(direction).0;
        Plan { start, begin, x, positioning, switching, switches, hold, hold_before, rows, rows_before, end }
    }

    /// True if one pass over one row accesses all blocks of the request. `to_row_end` is the number of
    /// blocks from its first block to the end of the row.
    #[inline]
    fn is_single_pass(&self, now: Time, request: &Request, to_row_end: u64) -> bool {
        let blocks = u64::from(request.blocks);
        blocks <= to_row_end
            && !request.merges_in(request.lbn, blocks)
            && self.blocks_at_once(now, request).is_none_or(|cut| blocks <= cut)
    }

    /// Plans a request that lies in one row, the most frequent case. Both directions take the same time in
    /// x, so only the time in y decides.
    fn plan_row(&self, start: SledPlace, wait: Span, x: CostX, row: &Run) -> Plan {
        let (mut y, mut direction) = (Span::MAX, Direction::Up);
        for &candidate in self.allowed(row, true) {
            let total = self.motion.y_total(start.y, row.sweep(candidate).0);
            if total < y {
                (y, direction) = (total, candidate);
            }
        }
        let (begin, end) = row.sweep(direction);
        let end = SledPlace::at(self.motion.cylinder_m(u64::from(row.cylinder)), end);
        Plan::of_row(start, x, wait + x.total.max(y), (begin, end))
    }

    fn first_ways(&self, start: SledPlace, wait: Span, x: CostX, (run, single_row): (&Run, bool)) -> Ways {
        let mut ways = [Way::NONE; 2];
        for first in self.allowed(run, single_row) {
            let y = self.motion.y_total(start.y, run.sweep(*first).0);
            let positioning = wait + x.total.max(y);
            // Without look-ahead only the first row counts, and only its time.
            let y = if self.sweeps() { y } else { Span::ZERO };
            ways[*first as usize] =
                Way { positioning, switching: Span::ZERO, hold: Span::ZERO, y, first: *first };
        }
        ways
    }

    /// Extends the ways `before`, which end after the run `last`, by the next run `run`. Also returns, for
    /// each direction of `run`, the better direction of `last`.
    fn onward(&self, before: &Ways, last: &Run, (run, single_row): (&Run, bool)) -> (Ways, [Direction; 2]) {
        let x = self.switch_x(last, run);
        let (mut ways, mut after) = ([Way::NONE; 2], Direction::BOTH);
        for direction in self.allowed(run, single_row) {
            let best = &mut ways[*direction as usize];
            for (way, ended) in before.iter().zip(Direction::BOTH) {
                let switching = x.max(self.switch_y(last, ended, run, *direction));
                let onward = Way { switching: way.switching + switching, ..*way };
                if onward.cost() < best.cost() {
                    *best = onward;
                    after[*direction as usize] = ended;
                }
            }
        }
        (ways, after)
    }

    /// Time in y from the end of the run `before`, swept in the direction `ended`, to the beginning of
    /// `run`, swept in `direction`.
    #[inline]
    fn switch_y(&self, before: &Run, ended: Direction, run: &Run, direction: Direction) -> Span {
        self.motion.y_total(PlaceY::At(before.sweep(ended).1), run.sweep(direction).0)
    }

    /// Time from the end of one run of rows to the beginning of the next run. Each run is given with its
    /// sweep direction.
    pub(super) fn switch(&self, before: (&Run, Direction), next: (&Run, Direction)) -> Span {
        let x = self.switch_x(before.0, next.0);
        x.max(self.switch_y(before.0, before.1, next.0, next.1))
    }

    /// Time in x from the cylinder of the run of rows `before` to the cylinder of the next run `run`.
    fn switch_x(&self, before: &Run, run: &Run) -> Span {
        let neighbours = before.sled == run.sled && before.cylinder.abs_diff(run.cylinder) == 1;
        if neighbours && self.params.cylinder_switch == CylinderSwitch::TipDeflection {
            return Span::ZERO;
        }
        let x_m = |run: &Run| self.motion.cylinder_m(u64::from(run.cylinder));
        self.motion.x(x_m(before), x_m(run), run.op).total
    }

    /// Directions in which the access mode allows the sled to sweep over a run of rows (000-D10, 001-D15).
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

/// Delays the start of each way so that the data of every row of `run` will have arrived when the row passes.
fn hold_back(ways: &mut Ways, run: &Run, late: Option<&mut Late<'_>>) {
    let Some(late) = late else { return };
    for (way, late) in ways.iter_mut().zip(late.next_run(run)) {
        way.hold = way.hold.max(late.saturating_sub(way.moving()));
    }
}

/// The direction of the last sweep of the quicker of two ways; upwards if both are equally quick.
fn quickest(ways: &Ways) -> Direction {
    if ways[1].cost() < ways[0].cost() {
        Direction::Down
    } else {
        Direction::Up
    }
}
