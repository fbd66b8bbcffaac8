//! An index over places: the request of least cost without looking at every one.

mod waiting;

use super::bits::Bits;
use super::cost::Cost;
use super::WAITS;
use crate::device::{Approach, Device, Here};
use crate::request::Request;
use crate::time::{Span, Time};
use waiting::{Waiting, NONE};

/// A request at its cylinder.
#[derive(Clone, Copy)]
struct Key {
    /// Where its access may begin in y.
    ways: [u16; 2],
    /// Its number among those that wait.
    number: u32,
    arrival: Time,
    row: u32,
}

/// Waiting requests by the cylinder and the place in y where their access begins.
///
/// Positioning takes the larger of a time in x, which grows with the distance on either side of the sled, and a
/// time in y, which takes few values. So the search goes outwards over the cylinders that have requests, nearer
/// ones first, and ends where the time in x alone is longer than the best found. Where waiting counts, it goes
/// through the requests by age at the same time: what it has not come to by either way is both farther away
/// than the last cylinder and younger than the last request (the threshold algorithm of Fagin et al. 2001).
pub(super) struct Index {
    /// The lowest cylinder that it covers.
    first: u32,
    count: usize,
    /// The requests of each, by age.
    cylinders: Vec<Vec<Key>>,
    occupied: Bits,
    waiting: Waiting,
}

impl Index {
    /// An index over so many cylinders from the first on.
    pub(super) fn new(first: u32, count: u32) -> Self {
        Self {
            first,
            count: count as usize,
            cylinders: Vec::new(),
            occupied: Bits::new(count as usize),
            waiting: Waiting::default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn push(&mut self, request: Request, approach: &dyn Approach) {
        let begin = approach.begin(&request);
        let at = (begin.cylinder - self.first) as usize;
        if self.cylinders.is_empty() {
            // Many a zone never has a request.
            self.cylinders.resize(self.count, Vec::new());
        }
        let number = self.waiting.insert(request, begin);
        let key = Key { ways: begin.ways, number, arrival: request.arrival, row: request.row };
        let keys = &mut self.cylinders[at];
        if keys.is_empty() {
            self.occupied.insert(at);
        }
        let younger =
            keys.iter().rev().take_while(|other| (other.arrival, other.row) > (key.arrival, key.row));
        let place = keys.len() - younger.count();
        keys.insert(place, key);
    }

    pub(super) fn take(&mut self, request: &Request, device: &dyn Device) {
        let at = (device.coordinates(request.lbn).cylinder - self.first) as usize;
        let key = self.cylinders[at].iter().find(|key| key.row == request.row);
        self.remove(at, key.expect(WAITS).number);
    }

    /// The request of least cost, taken out.
    pub(super) fn pop<C: Cost>(
        &mut self,
        cost: &C,
        now: Time,
        device: &dyn Device,
        approach: &dyn Approach,
    ) -> Option<Request> {
        let number = self.least(cost, now, device, approach)?;
        let request = *self.waiting.request(number);
        self.remove((self.waiting.begin(number).cylinder - self.first) as usize, number);
        Some(request)
    }

    fn remove(&mut self, at: usize, number: u32) {
        let keys = &mut self.cylinders[at];
        keys.remove(keys.iter().position(|key| key.number == number).expect(WAITS));
        if keys.is_empty() {
            self.occupied.remove(at);
        }
        self.waiting.remove(number);
    }

    /// The request of least cost; of several, the earliest.
    pub(super) fn choose<C: Cost>(
        &self,
        cost: &C,
        now: Time,
        device: &dyn Device,
        approach: &dyn Approach,
    ) -> Option<Request> {
        self.least(cost, now, device, approach).map(|number| *self.waiting.request(number))
    }

    /// Its number.
    fn least<C: Cost>(
        &self,
        cost: &C,
        now: Time,
        device: &dyn Device,
        approach: &dyn Approach,
    ) -> Option<u32> {
        if self.len() <= 1 {
            return self.waiting.oldest();
        }
        let mut search = Search {
            index: self,
            cost,
            now,
            device,
            approach,
            here: approach.here(now),
            best: (u64::MAX, u32::MAX, NONE),
            unseen: self.waiting.oldest().unwrap_or(NONE),
            limit: Span::MAX,
        };
        search.run();
        Some(search.best.2)
    }
}

/// A search for the request of least cost.
struct Search<'a, C> {
    index: &'a Index,
    cost: &'a C,
    now: Time,
    device: &'a dyn Device,
    approach: &'a dyn Approach,
    here: Here<'a>,
    /// Cost, row and number of the best request found.
    best: (u64, u32, u32),
    /// The oldest request that the way by age has not come to.
    unseen: u32,
    /// No request that needs longer in x or in y, and has not been looked at, can be as good as the best.
    limit: Span,
}

/// One of the two ways outwards.
struct Way {
    /// The next occupied cylinder.
    at: Option<usize>,
    /// Cylinders in a row whose requests all take longer in y than the best; and how many of them are passed before
    /// the time in x is asked for, which it would otherwise never be: twice as many each time.
    passed: u32,
    patience: u32,
}

impl Way {
    fn from(at: Option<usize>) -> Self {
        Self { at, passed: 0, patience: 0 }
    }
}

impl<C: Cost> Search<'_, C> {
    fn run(&mut self) {
        let occupied = &self.index.occupied;
        let middle = self.here.cylinder.saturating_sub(self.index.first) as usize;
        let (mut above, mut below) = (Way::from(occupied.from(middle)), Way::from(occupied.below(middle)));
        loop {
            let upwards = match (above.at, below.at) {
                (Some(up), Some(down)) => up - middle <= middle - down,
                (up, down) if up.or(down).is_none() => return,
                (up, _) => up.is_some(),
            };
            if upwards {
                above.at = self.look_at(&mut above).and_then(|at| occupied.from(at + 1));
            } else {
                below.at = self.look_at(&mut below).and_then(|at| occupied.below(at));
            }
            if C::AGES && !self.look_at_oldest() {
                return;
            }
        }
    }

    /// Looks at the requests of the next cylinder on a way, and gives it back; nothing if it is too far away, and
    /// so are all beyond it.
    #[inline]
    fn look_at(&mut self, way: &mut Way) -> Option<usize> {
        let at = way.at?;
        let cylinder = self.index.first + at as u32;
        let near =
            if C::AGES { self.look_by_bounds(at, cylinder) } else { self.look_by_time(at, cylinder, way) };
        near.then_some(at)
    }

    /// Where waiting counts most requests can be told to be worse by the least time in x, which is quick.
    fn look_by_bounds(&mut self, at: usize, cylinder: u32) -> bool {
        let least_x = self.least_x(cylinder);
        if least_x > self.limit {
            return false;
        }
        let mut x = None;
        for key in &self.index.cylinders[at] {
            // What follows is younger still.
            if !self.could_be(least_x, key.arrival) {
                break;
            }
            let y = self.y(key.ways);
            if y <= self.limit && self.could_be(y.max(least_x), key.arrival) {
                let x = *x.get_or_insert_with(|| self.approach.x(&self.here, cylinder));
                self.consider(key.number, x.max(y));
            }
        }
        true
    }

    /// Where only time counts few cylinders are looked at, and the time in x itself is worth its price.
    fn look_by_time(&mut self, at: usize, cylinder: u32, way: &mut Way) -> bool {
        let mut x = None;
        for key in &self.index.cylinders[at] {
            let y = self.y(key.ways);
            if y > self.limit {
                continue;
            }
            let x = *x.get_or_insert_with(|| self.approach.x(&self.here, cylinder));
            if x > self.limit {
                return false;
            }
            self.consider(key.number, x.max(y));
        }
        way.passed += 1;
        if x.is_some() {
            (way.passed, way.patience) = (0, 0);
        } else if way.passed > way.patience {
            (way.passed, way.patience) = (0, 2 * way.patience + 1);
            return self.approach.x(&self.here, cylinder) <= self.limit;
        }
        true
    }

    /// Looks at the oldest request that was not looked at; false if there is none that could be as good as the
    /// best.
    fn look_at_oldest(&mut self) -> bool {
        let number = self.unseen;
        if number == NONE {
            return false;
        }
        let waiting = &self.index.waiting;
        self.unseen = waiting.younger(number);
        let begin = waiting.begin(number);
        let y = self.y(begin.ways);
        let least = y.max(self.least_x(begin.cylinder));
        if least <= self.limit && self.could_be(least, waiting.request(number).arrival) {
            let x = self.approach.x(&self.here, begin.cylinder);
            self.consider(number, x.max(y));
        }
        self.tighten()
    }

    /// The least time in x to a cylinder, wherever the sled is at the same distance from it.
    fn least_x(&self, cylinder: u32) -> Span {
        self.approach.least_x(cylinder.abs_diff(self.here.cylinder))
    }

    /// Whether a request of that arrival that is reached in `longer` at least could be as good as the best.
    fn could_be(&self, longer: Span, arrival: Time) -> bool {
        self.cost.cost(self.bound() + longer, arrival, self.now) <= self.best.0
    }

    /// What every request takes besides being reached, at least.
    fn bound(&self) -> Span {
        self.here.wait + if C::WHOLE { self.index.waiting.least_transfer() } else { Span::ZERO }
    }

    fn y(&self, ways: [u16; 2]) -> Span {
        let y_ns = ways.map(|way| self.here.y_ns[way as usize]);
        Span(u64::from(y_ns[0].min(y_ns[1])))
    }

    /// Takes a request that is reached in `longer` at least for the best, if it is.
    #[inline]
    fn consider(&mut self, number: u32, longer: Span) {
        let request = self.index.waiting.request(number);
        let begin = self.index.waiting.begin(number);
        let transfer = if C::WHOLE { begin.transfer } else { Span::ZERO };
        let least = self.cost.cost(self.here.wait + longer + transfer, request.arrival, self.now);
        let (best, best_row, _) = self.best;
        if (least, request.row) >= (best, best_row) {
            return;
        }
        let cost = if self.now >= begin.exact_from {
            least
        } else {
            self.cost.cost(C::time(self.now, self.device, request), request.arrival, self.now)
        };
        if (cost, request.row) < (best, best_row) {
            self.best = (cost, request.row, number);
            self.tighten();
        }
    }

    /// Sets the limit by the best found; false if nothing that was not looked at can be as good.
    fn tighten(&mut self) -> bool {
        if self.unseen == NONE {
            return false;
        }
        let Request { arrival, row, .. } = *self.index.waiting.request(self.unseen);
        // The oldest has the lowest row, too: if it cannot win, where no time at all would be left, none can.
        if (self.cost.cost(self.bound(), arrival, self.now), row) > (self.best.0, self.best.1) {
            self.limit = Span::ZERO;
            return false;
        }
        let bound = self.bound();
        let longest = self.cost.longest(self.best.0, arrival, self.now).filter(|longest| *longest >= bound);
        self.limit = longest.map_or(Span::ZERO, |longest| longest.saturating_sub(bound));
        longest.is_some()
    }
}
