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
    cylinders: Vec<Vec<Key>>,
    occupied: Bits,
    waiting: Waiting,
}

impl Index {
    /// An index over so many cylinders from the first on.
    pub(super) fn new(first: u32, count: u32) -> Self {
        let count = count as usize;
        Self {
            first,
            cylinders: vec![Vec::new(); count],
            occupied: Bits::new(count),
            waiting: Waiting::default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn push(&mut self, request: Request, approach: &dyn Approach) {
        let begin = approach.begin(&request);
        let at = (begin.cylinder - self.first) as usize;
        let number = self.waiting.insert(request, begin);
        if self.cylinders[at].is_empty() {
            self.occupied.insert(at);
        }
        self.cylinders[at].push(Key { ways: begin.ways, number });
    }

    pub(super) fn take(&mut self, request: &Request, device: &dyn Device) {
        let at = (device.coordinates(request.lbn).cylinder - self.first) as usize;
        let keys = &mut self.cylinders[at];
        let place = keys.iter().position(|key| self.waiting.request(key.number).row == request.row);
        let key = keys.swap_remove(place.expect(WAITS));
        if keys.is_empty() {
            self.occupied.remove(at);
        }
        self.waiting.remove(key.number);
    }

    /// The request of least cost; of several, the earliest.
    pub(super) fn least<C: Cost>(
        &self,
        cost: &C,
        now: Time,
        device: &dyn Device,
        approach: &dyn Approach,
    ) -> Option<Request> {
        if self.len() <= 1 {
            return self.waiting.oldest().map(|number| *self.waiting.request(number));
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
        Some(*self.waiting.request(search.best.2))
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
    /// Cylinders in a row of which the time in x was of no interest, and how many of them are still passed
    /// without asking for it.
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
        let mut x = None;
        for key in &self.index.cylinders[at] {
            let y = self.y(key.ways);
            if y > self.limit {
                continue;
            }
            let x = *x.get_or_insert_with(|| self.approach.x(&self.here, cylinder));
            if x > self.limit {
                return None;
            }
            self.consider(key.number, x.max(y));
        }
        way.passed += 1;
        if x.is_some() {
            (way.passed, way.patience) = (0, 0);
        } else if way.passed > way.patience {
            (way.passed, way.patience) = (0, 2 * way.patience + 1);
            if self.approach.x(&self.here, cylinder) > self.limit {
                return None;
            }
        }
        Some(at)
    }

    /// Looks at the oldest request that was not looked at; false if there is none that could be as good as the
    /// best.
    fn look_at_oldest(&mut self) -> bool {
        let number = self.unseen;
        if number == NONE {
            return false;
        }
        self.unseen = self.index.waiting.younger(number);
        let begin = self.index.waiting.begin(number);
        let y = self.y(begin.ways);
        if y <= self.limit {
            let x = self.approach.x(&self.here, begin.cylinder);
            self.consider(number, x.max(y));
        }
        self.tighten()
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
        let arrival = self.index.waiting.request(self.unseen).arrival;
        let bound = self.here.wait + if C::WHOLE { self.index.waiting.least_transfer() } else { Span::ZERO };
        let longest = self.cost.longest(self.best.0, arrival, self.now);
        match longest {
            Some(longest) if longest >= bound => {
                self.limit = longest.saturating_sub(bound);
                true
            }
            _ => {
                self.limit = Span::ZERO;
                false
            }
        }
    }
}
