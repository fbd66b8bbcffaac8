//! An index over places: the request of least cost without looking at every one.

mod waiting;

use super::bits::Bits;
use super::cost::Cost;
use super::WAITS;
use crate::device::{Approach, Device, HeadPosition};
use crate::request::Request;
use crate::time::{Span, Time};
use waiting::{Age, Entry, Waiting, NONE};

/// A request at its cylinder.
#[derive(Clone, Copy)]
struct Key {
    /// Where its access may begin in y.
    y_starts: [u16; 2],
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
#[derive(Clone)]
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

    pub(super) fn push(&mut self, request: Request, device: &dyn Device) {
        let begin = approach(device).begin(&request);
        let at = (begin.cylinder - self.first) as usize;
        if self.cylinders.is_empty() {
            // Many a zone never has a request.
            self.cylinders.resize(self.count, Vec::new());
        }
        let number = self.waiting.insert(request, begin);
        let key = Key { y_starts: begin.y_starts, number, arrival: request.arrival, row: request.row };
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
    pub(super) fn pop<C: Cost>(&mut self, cost: &C, now: Time, device: &dyn Device) -> Option<Request> {
        let number = self.least(cost, now, device)?;
        let request = self.waiting.entry(number).request;
        self.remove((self.waiting.age(number).cylinder - self.first) as usize, number);
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
    pub(super) fn choose<C: Cost>(&self, cost: &C, now: Time, device: &dyn Device) -> Option<Request> {
        self.least(cost, now, device).map(|number| self.waiting.entry(number).request)
    }

    /// Its number.
    fn least<C: Cost>(&self, cost: &C, now: Time, device: &dyn Device) -> Option<u32> {
        if self.len() <= 1 {
            return self.waiting.oldest();
        }
        let approach = approach(device);
        let here = approach.head_position(now);
        let mut search = Search {
            bound: here.wait + if C::WHOLE { self.waiting.least_transfer } else { Span::ZERO },
            index: self,
            cost,
            now,
            device,
            approach,
            here,
            best: Found { least: u64::MAX, most: u64::MAX, row: u32::MAX, number: NONE },
            unseen: self.waiting.oldest().unwrap_or(NONE),
            limit: Span::MAX,
        };
        search.run();
        Some(search.best.number)
    }
}

fn approach(device: &dyn Device) -> &dyn Approach {
    device.approach().expect("a device keeps its approach")
}

/// A request that may be the best, and between what its cost lies.
#[derive(Clone, Copy)]
struct Found {
    least: u64,
    most: u64,
    row: u32,
    number: u32,
}

/// Requests that are looked at by age for each cylinder.
const OLDEST_AT_ONCE: usize = 4;

/// A search for the request of least cost.
struct Search<'a, C> {
    index: &'a Index,
    cost: &'a C,
    now: Time,
    device: &'a dyn Device,
    approach: &'a dyn Approach,
    here: HeadPosition<'a>,
    /// Least time of any request besides being reached.
    bound: Span,
    best: Found,
    /// The oldest request that the way by age has not come to.
    unseen: u32,
    /// No request that needs longer in x or in y, and has not been looked at, can be as good as the best.
    limit: Span,
}

impl<C: Cost> Search<'_, C> {
    fn run(&mut self) {
        let occupied = &self.index.occupied;
        let middle = self.here.cylinder.saturating_sub(self.index.first) as usize;
        let (mut above, mut below) = (occupied.from(middle), occupied.below(middle));
        loop {
            let upwards = match (above, below) {
                (Some(up), Some(down)) => up - middle <= middle - down,
                (None, None) => return,
                (up, _) => up.is_some(),
            };
            if upwards {
                above = above.filter(|at| self.look_at(*at)).and_then(|at| occupied.from(at + 1));
            } else {
                below = below.filter(|at| self.look_at(*at)).and_then(|at| occupied.below(at));
            }
            if C::AGES && !self.look_at_oldest() {
                return;
            }
        }
    }

    /// Looks at the requests of a cylinder; false if it is too far away, and so are all beyond it.
    fn look_at(&mut self, at: usize) -> bool {
        let cylinder = self.index.first + at as u32;
        let mut x = self.x_bounds(cylinder);
        for key in &self.index.cylinders[at] {
            if x[0] > self.limit {
                return false;
            }
            // What follows is younger still.
            if C::AGES && !self.could_be(x[0], key.arrival) {
                break;
            }
            let y = self.y(key.y_starts);
            if y <= self.limit && (!C::AGES || self.could_be(y.max(x[0]), key.arrival)) {
                self.consider(key.number, &mut x, y);
            }
        }
        true
    }

    /// Between what the time in x to a cylinder lies.
    fn x_bounds(&self, cylinder: u32) -> [Span; 2] {
        self.here.x_bounds(cylinder).unwrap_or_else(|| [self.approach.x(&self.here, cylinder); 2])
    }

    /// Looks at the oldest requests that were not looked at; false if there are none that could be as good as the
    /// best.
    fn look_at_oldest(&mut self) -> bool {
        let waiting = &self.index.waiting;
        for _ in 0..OLDEST_AT_ONCE {
            let number = self.unseen;
            if number == NONE {
                return false;
            }
            let age = waiting.age(number);
            self.unseen = age.younger;
            let y = self.y(age.y_starts);
            let mut x = self.x_bounds(age.cylinder);
            let least = y.max(x[0]);
            if least <= self.limit && self.could_be(least, age.arrival) {
                self.consider(number, &mut x, y);
            }
        }
        self.tighten()
    }

    /// Whether a request of that arrival that is reached in `longer` at least could be as good as the best.
    fn could_be(&self, longer: Span, arrival: Time) -> bool {
        self.cost.cost(self.bound + longer, arrival, self.now) <= self.best.most
    }

    fn y(&self, y_starts: [u16; 2]) -> Span {
        let y_ns = y_starts.map(|start| self.here.y_ns[start as usize]);
        Span(u64::from(y_ns[0].min(y_ns[1])))
    }

    /// Takes a request for the best, if it is, that is reached in the longer of a time in x, which lies within bounds,
    /// and one in y. The time in x itself is asked for only where it decides, and put into the bounds.
    fn consider(&mut self, number: u32, x: &mut [Span; 2], y: Span) {
        let [least, most] = x.map(|x| self.cost_of(number, x.max(y)));
        if least > self.best.most || number == self.best.number {
            return;
        }
        let Entry { request, exact_from, .. } = self.index.waiting.entry(number);
        let mut found = Found { least, most, row: request.row, number };
        if self.now < *exact_from {
            found.least = self.cost.cost(C::time(self.now, self.device, request), request.arrival, self.now);
            found.most = found.least;
        }
        if found.most >= self.best.least {
            self.best = self.exactly(self.best);
            if found.least < found.most {
                *x = [self.x_of(number); 2];
                found.least = self.cost_of(number, x[0].max(y));
                found.most = found.least;
            }
        }
        if (found.most, found.row) < (self.best.most, self.best.row) {
            self.best = found;
        }
        self.tighten();
    }

    /// The request that was found, with its exact cost instead of a bound on it.
    fn exactly(&self, found: Found) -> Found {
        if found.least == found.most {
            return found;
        }
        let y = self.y(self.index.waiting.age(found.number).y_starts);
        let cost = self.cost_of(found.number, self.x_of(found.number).max(y));
        Found { least: cost, most: cost, ..found }
    }

    fn x_of(&self, number: u32) -> Span {
        self.approach.x(&self.here, self.index.waiting.age(number).cylinder)
    }

    /// Cost of a request whose x and y times are known: `longer` is the larger one.
    fn cost_of(&self, number: u32, longer: Span) -> u64 {
        let Entry { request, transfer, .. } = self.index.waiting.entry(number);
        let transfer = if C::WHOLE { *transfer } else { Span::ZERO };
        self.cost.cost(self.here.wait + longer + transfer, request.arrival, self.now)
    }

    /// Sets the limit by the best found; false if nothing that was not looked at can be as good.
    fn tighten(&mut self) -> bool {
        if self.unseen == NONE {
            return false;
        }
        let Age { arrival, row, .. } = *self.index.waiting.age(self.unseen);
        // The oldest has the lowest row, too: if it cannot win, where no time at all would be left, none can.
        if (self.cost.cost(self.bound, arrival, self.now), row) > (self.best.most, self.best.row) {
            self.limit = Span::ZERO;
            return false;
        }
        let longest =
            self.cost.longest(self.best.most, arrival, self.now).filter(|longest| *longest >= self.bound);
        self.limit = longest.map_or(Span::ZERO, |longest| longest.saturating_sub(self.bound));
        longest.is_some()
    }
}
