//! The search for the request of least cost, by place and by age.

use super::ages::{Age, NONE};
use super::places::{Entry, Places};
use crate::device::{Approach, Begin, Device, HeadPosition};
use crate::sched::cost::Cost;
use crate::time::{Span, Time};

/// Number of requests that the search by age examines after each cylinder that the search by place has examined.
const OLDEST_AT_ONCE: usize = 4;

/// A request that may be the best. Its cost lies between `least` and `most`.
#[derive(Clone, Copy)]
pub(super) struct Found {
    least: u64,
    most: u64,
    pub(super) row: u32,
    pub(super) cylinder: u32,
    /// Time in y until the access can begin; `transfer` is the time of the transfer that follows.
    y: Span,
    transfer: Span,
    arrival: Time,
}

impl Found {
    /// Place-holder before any request is examined; its cost is the highest.
    const NOTHING: Self = Self {
        least: u64::MAX,
        most: u64::MAX,
        row: u32::MAX,
        cylinder: 0,
        y: Span::ZERO,
        transfer: Span::ZERO,
        arrival: Time::ZERO,
    };

    /// The result of a search if only one request waits.
    pub(super) fn only(entry: &Entry) -> Self {
        Self { row: entry.request.row, cylinder: entry.begin.cylinder, ..Self::NOTHING }
    }

    fn at(begin: &Begin, y: Span, row: u32, arrival: Time) -> Self {
        let Begin { cylinder, transfer, .. } = *begin;
        Self { row, cylinder, y, transfer, arrival, ..Self::NOTHING }
    }
}

/// A search for the request with the least cost: by place and, if the cost depends on waiting, also by age.
pub(super) struct Search<'a, C> {
    places: &'a Places,
    cost: &'a C,
    now: Time,
    device: &'a dyn Device,
    approach: &'a dyn Approach,
    here: HeadPosition<'a>,
    /// Lower bound of the time that every request takes in addition to the longer of its times in x and y.
    bound: Span,
    best: Found,
    /// Index in the list by age of the oldest request that the search by age has not examined.
    unseen: u32,
    /// Longest time in x or in y with which an unexamined request could still be as good as the best request found.
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

    /// Examines the requests of the cylinder with the index `at`. Returns false if this cylinder is too far away; the
    /// cylinders behind it are then too far away, too.
    fn look_at(&mut self, at: usize) -> bool {
        let places = self.places;
        let cylinder = places.first + at as u32;
        let mut x = self.x_bounds(cylinder);
        if x[0] > self.limit {
            return false;
        }
        for Entry { begin, request, .. } in &places.cylinders[at] {
            // The requests that follow are still younger.
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

    /// Lower and upper bound of the time in x until the sled is at `cylinder`.
    fn x_bounds(&self, cylinder: u32) -> [Span; 2] {
        self.here.x_bounds(cylinder).unwrap_or_else(|| [self.approach.x(&self.here, cylinder); 2])
    }

    /// Examines the next requests in the order of age. Returns false if no unexamined request could be as good as the
    /// best request found.
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

    /// True if a request that arrived at `arrival` could be as good as the best request found. `longer` is a lower
    /// bound of the longer of its times in x and y.
    fn could_be(&self, longer: Span, arrival: Time) -> bool {
        self.cost.cost(self.bound + longer, arrival, self.now) <= self.best.most
    }

    #[inline]
    fn y(&self, y_starts: [u16; 2]) -> Span {
        let y_ns = y_starts.map(|start| self.here.y_ns[start as usize]);
        Span(u64::from(y_ns[0].min(y_ns[1])))
    }

    /// Makes the request `found` the best one if its cost is less. `x` has the lower and the upper bound of its time in
    /// x. The exact time is computed only if the bounds do not decide, and then replaces both of them.
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

    /// Returns the request `found` with its exact cost in place of the two bounds.
    fn exactly(&self, found: Found) -> Found {
        if found.least == found.most {
            return found;
        }
        let cost = self.cost_of(&found, self.approach.x(&self.here, found.cylinder));
        Found { least: cost, most: cost, ..found }
    }

    /// Cost of the request `found` if its time in x is `x`.
    #[inline]
    fn cost_of(&self, found: &Found, x: Span) -> u64 {
        let transfer = if C::WHOLE { found.transfer } else { Span::ZERO };
        self.cost.cost(self.here.wait + x.max(found.y) + transfer, found.arrival, self.now)
    }

    /// Sets `limit` from the cost of the best request found. Returns false if no unexamined request can be as good.
    fn tighten(&mut self) -> bool {
        let mut oldest = self.now;
        if C::AGES {
            if self.unseen == NONE {
                return false;
            }
            let Age { arrival, row, .. } = *self.places.ages.of(self.unseen);
            // The oldest request also has the lowest number: if it cannot be the best with a time of zero, no
            // request can.
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
