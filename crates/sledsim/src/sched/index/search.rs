//! The search for the request of least cost.

use super::ages::{Age, NONE};
use super::places::{Entry, Places};
use crate::device::{Approach, Begin, Device, HeadPosition};
use crate::sched::cost::Cost;
use crate::time::{Span, Time};

/// Number of requests examined by age for each cylinder.
const OLDEST_AT_ONCE: usize = 4;

/// A candidate for the best request, with bounds on its cost.
#[derive(Clone, Copy)]
pub(super) struct Found {
    least: u64,
    most: u64,
    pub(super) row: u32,
    pub(super) cylinder: u32,
    /// Time in y, and time from the beginning of the access on.
    y: Span,
    transfer: Span,
    arrival: Time,
}

impl Found {
    /// Candidate of the highest cost, before any is found.
    const NOTHING: Self = Self {
        least: u64::MAX,
        most: u64::MAX,
        row: u32::MAX,
        cylinder: 0,
        y: Span::ZERO,
        transfer: Span::ZERO,
        arrival: Time::ZERO,
    };

    /// The candidate that is the only request.
    pub(super) fn only(entry: &Entry) -> Self {
        Self { row: entry.request.row, cylinder: entry.begin.cylinder, ..Self::NOTHING }
    }

    fn at(begin: &Begin, y: Span, row: u32, arrival: Time) -> Self {
        let Begin { cylinder, transfer, .. } = *begin;
        Self { row, cylinder, y, transfer, arrival, ..Self::NOTHING }
    }
}

/// A search; by place, and, if waiting counts, by age at the same time.
pub(super) struct Search<'a, C> {
    places: &'a Places,
    cost: &'a C,
    now: Time,
    device: &'a dyn Device,
    approach: &'a dyn Approach,
    here: HeadPosition<'a>,
    /// Least time of any request after it is reached.
    bound: Span,
    best: Found,
    /// The oldest request that the search by age has not reached.
    unseen: u32,
    /// Longest time in x or in y with which an unexamined request can be as good as the best.
    limit: Span,
}

impl<'a, C: Cost> Search<'a, C> {
    pub(super) fn new(
        places: &'a Places,
        cost: &'a C,
        (now, device): (Time, &'a dyn Device),
        approach: &'a dyn Approach,
    ) -> Self {
        let here = approach.head_position(now);
        Self {
            bound: here.wait + if C::WHOLE { places.least_transfer } else { Span::ZERO },
            places,
            cost,
            now,
            device,
            approach,
            here,
            best: Found::NOTHING,
            unseen: places.ages.oldest(),
            limit: Span::MAX,
        }
    }

    pub(super) fn run(mut self) -> Found {
        let occupied = &self.places.occupied;
        let middle = self.here.cylinder.saturating_sub(self.places.first) as usize;
        let (mut above, mut below) = (occupied.from(middle), occupied.below(middle));
        loop {
            let upwards = match (above, below) {
                (Some(up), Some(down)) => up - middle <= middle - down,
                (None, None) => return self.best,
                (up, _) => up.is_some(),
            };
            if upwards {
                above = above.filter(|at| self.look_at(*at)).and_then(|at| occupied.from(at + 1));
            } else {
                below = below.filter(|at| self.look_at(*at)).and_then(|at| occupied.below(at));
            }
            if C::AGES && !self.look_at_oldest() {
                return self.best;
            }
        }
    }

    /// Examines the requests of a cylinder; false if it is too far away, together with all beyond it.
    fn look_at(&mut self, at: usize) -> bool {
        let places = self.places;
        let cylinder = places.first + at as u32;
        let mut x = self.x_bounds(cylinder);
        if x[0] > self.limit {
            return false;
        }
        for Entry { begin, request, .. } in &places.cylinders[at] {
            // The following requests are younger still.
            if C::AGES && !self.could_be(x[0], request.arrival) {
                break;
            }
            let y = self.y(begin.y_starts);
            if y <= self.limit && (!C::AGES || self.could_be(y.max(x[0]), request.arrival)) {
                self.consider(Found::at(begin, y, request.row, request.arrival), begin, &mut x);
            }
        }
        true
    }

    /// Bounds on the time in x to a cylinder.
    fn x_bounds(&self, cylinder: u32) -> [Span; 2] {
        self.here.x_bounds(cylinder).unwrap_or_else(|| [self.approach.x(&self.here, cylinder); 2])
    }

    /// Examines the oldest unexamined requests; false if none could be as good as the best.
    fn look_at_oldest(&mut self) -> bool {
        for _ in 0..OLDEST_AT_ONCE {
            let number = self.unseen;
            if number == NONE {
                return false;
            }
            let Age { arrival, row, ref begin, younger, .. } = *self.places.ages.of(number);
            self.unseen = younger;
            let y = self.y(begin.y_starts);
            let mut x = self.x_bounds(begin.cylinder);
            let least = y.max(x[0]);
            if least <= self.limit && self.could_be(least, arrival) {
                self.consider(Found::at(begin, y, row, arrival), begin, &mut x);
            }
        }
        self.tighten()
    }

    /// True if a request of that arrival that is reached in at least `longer` could be as good as the best.
    fn could_be(&self, longer: Span, arrival: Time) -> bool {
        self.cost.cost(self.bound + longer, arrival, self.now) <= self.best.most
    }

    #[inline]
    fn y(&self, y_starts: [u16; 2]) -> Span {
        let y_ns = y_starts.map(|start| self.here.y_ns[start as usize]);
        Span(u64::from(y_ns[0].min(y_ns[1])))
    }

    /// Makes a request the best if it costs least; the request is reached in the longer of a time in x, which lies
    /// within bounds, and a time in y. The exact time in x is computed only where it decides, and stored in the bounds.
    fn consider(&mut self, mut found: Found, begin: &Begin, x: &mut [Span; 2]) {
        [found.least, found.most] = x.map(|x| self.cost_of(&found, x));
        if found.least > self.best.most || C::AGES && found.row == self.best.row {
            return;
        }
        if self.now < begin.exact_from {
            let request = self.places.request(found.cylinder, found.row);
            found.least = self.cost.cost(C::time(self.now, self.device, request), request.arrival, self.now);
            found.most = found.least;
        }
        if found.most >= self.best.least {
            self.best = self.exactly(self.best);
            if found.least < found.most {
                *x = [self.approach.x(&self.here, found.cylinder); 2];
                found.least = self.cost_of(&found, x[0]);
                found.most = found.least;
            }
        }
        if (found.most, found.row) < (self.best.most, self.best.row) {
            self.best = found;
        }
        self.tighten();
    }

    /// The found request, with its exact cost instead of a bound.
    fn exactly(&self, found: Found) -> Found {
        if found.least == found.most {
            return found;
        }
        let cost = self.cost_of(&found, self.approach.x(&self.here, found.cylinder));
        Found { least: cost, most: cost, ..found }
    }

    /// Cost of a request with that time in x, if its other times are exactly known.
    #[inline]
    fn cost_of(&self, found: &Found, x: Span) -> u64 {
        let transfer = if C::WHOLE { found.transfer } else { Span::ZERO };
        self.cost.cost(self.here.wait + x.max(found.y) + transfer, found.arrival, self.now)
    }

    /// Sets the limit by the best request found; false if no unexamined request can be as good.
    fn tighten(&mut self) -> bool {
        let mut oldest = self.now;
        if C::AGES {
            if self.unseen == NONE {
                return false;
            }
            let Age { arrival, row, .. } = *self.places.ages.of(self.unseen);
            // The oldest request also has the lowest row: if it cannot win with a time of zero, none can.
            if (self.cost.cost(self.bound, arrival, self.now), row) > (self.best.most, self.best.row) {
                self.limit = Span::ZERO;
                return false;
            }
            oldest = arrival;
        }
        let longest =
            self.cost.longest(self.best.most, oldest, self.now).filter(|longest| *longest >= self.bound);
        self.limit = longest.map_or(Span::ZERO, |longest| longest.saturating_sub(self.bound));
        longest.is_some()
    }
}
