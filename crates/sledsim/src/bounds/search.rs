//! Search for good orders: local search from a given order, repeated after random changes of the
//! best order (iterated local search; moves by Or 1976, and by Kanellakis and Papadimitriou 1980
//! for asymmetric costs).

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::certificate::Certificate;
use super::tour::{Part, Tour};
use crate::device::Hops;
use crate::error::Result;
use crate::observer::{report, Observer};

/// Inverse of the relative distance to the lower bound at which the search for a better order
/// stops.
const NEAR_ENOUGH: i64 = 5000;
/// Number of other requests that are tried as the predecessor of each request.
const NEIGHBOURS: usize = 16;
/// Maximum number of predecessors of a request that are equal to each other.
const ALIKE_MAX: usize = 3;
/// Number of motions to a request, those whose costs exceed the prices least, among which its
/// predecessors are chosen.
const LOOKED_AT: usize = 200;
/// Maximum number of requests in a piece of the order that is moved whatever request follows it at
/// its new place.
const PIECE_MAX: usize = 3;
/// Number of examined motions that count as one change; a change of the order that examines more
/// motions counts as several changes.
const HOPS_A_CHANGE: usize = 16;
/// Number of adjacent pieces of the order that a random change moves.
const KICKED: usize = 3;
/// Maximum number of requests in a piece that a random change moves.
const KICK_MAX: usize = 8;

/// Effort of the search for the bounds, as numbers of steps and of changes that are tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Number of steps towards a better lower bound.
    pub steps: usize,
    /// Maximum number of changes of the order that are tried to find a better one.
    pub changes: u64,
    /// Seed of the random changes of the order.
    pub seed: u64,
}

/// State of a search for a better order.
struct Search<'a> {
    tour: Tour<'a>,
    /// Requests that are tried as the predecessor of each request.
    neighbours: Vec<Vec<u32>>,
    /// Requests around which the order has changed since they were last examined.
    waiting: Vec<u32>,
    waits: Vec<bool>,
    tried: u64,
    /// Maximum number of changes of the order that may be tried.
    changes: u64,
}

/// Searches for a better order, starting from `order`; the result is never worse than `order`.
///
/// # Errors
/// The observer stopped the work: [`Error::Interrupted`](crate::error::Error::Interrupted).
pub fn improve(
    hops: &Hops,
    prices: &Certificate,
    order: &[u32],
    effort: Effort,
    observe: &mut Observer<'_, f64>,
) -> Result<Vec<u32>> {
    let mut search = Search {
        tour: Tour::new(hops, order),
        neighbours: neighbours(hops, prices),
        waiting: order.to_vec(),
        waits: vec![true; order.len()],
        tried: 0,
        changes: effort.changes,
    };
    search.descend();
    let mut best = search.tour.clone();
    let mut rng = Pcg64::seed_from_u64(effort.seed);
    let lower_ns = prices.bound_ns() + prices.bound_ns() / NEAR_ENOUGH;
    while search.tried < effort.changes && order.len() >= KICKED && best.total_ns() as i64 > lower_ns {
        report(observe, search.tried as f64 / effort.changes as f64)?;
        let before = search.tried;
        search.kick(&mut rng);
        search.descend();
        // If all requests are equal, no change is tried; counting one here makes the random changes
        // end.
        search.tried += u64::from(search.tried == before);
        if search.tour.total_ns() <= best.total_ns() {
            best.copy_from(&search.tour);
        } else {
            search.tour.copy_from(&best);
        }
    }
    Ok(best.order)
}

/// Chooses predecessors for each request: those from which the cost of the motion exceeds the
/// prices least, because good orders rarely contain other motions.
///
/// If several predecessors have equal costs, the request that comes shortly before in the batch is
/// preferred; only a few equal requests are chosen.
fn neighbours(hops: &Hops, prices: &Certificate) -> Vec<Vec<u32>> {
    let (count, prints) = (hops.count(), hops.fingerprints());
    let mut all = Vec::with_capacity(count);
    prices.for_each_slack(hops, |to, slacks| {
        let before = slacks.iter().filter(|(from, _)| (*from as usize) < hops.start());
        let ahead = |request: usize| (to + count - request) % count;
        let mut near: Vec<_> =
            before.map(|(from, slack)| (*slack, ahead(*from as usize / 2), from / 2)).collect();
        if near.len() > LOOKED_AT {
            near.select_nth_unstable(LOOKED_AT);
            near.truncate(LOOKED_AT);
        }
        near.sort_unstable();
        let mut chosen: Vec<u32> = Vec::with_capacity(NEIGHBOURS);
        for (_, _, request) in near {
            let alike = |other: &&u32| prints[**other as usize] == prints[request as usize];
            let room = chosen.len() < NEIGHBOURS && chosen.iter().filter(alike).count() < ALIKE_MAX;
            if room && !chosen.contains(&request) {
                chosen.push(request);
            }
        }
        all.push(chosen);
    });
    all
}

impl Search<'_> {
    /// Makes changes that improve the order near the requests in `waiting`, until no request is
    /// left there.
    fn descend(&mut self) {
        while let Some(request) = self.waiting.pop() {
            self.waits[request as usize] = false;
            while self.tried < self.changes && self.gain(request as usize) {}
        }
    }

    /// Tries to serve a request directly after each of its preferred predecessors; returns true if
    /// a change improved the order.
    fn gain(&mut self, request: usize) -> bool {
        for near in 0..self.neighbours[request].len() {
            let before = self.neighbours[request][near] as usize;
            let (at, behind) = (self.tour.place[request] as usize, self.tour.place[before] as usize);
            if behind + 1 == at || self.tour.hop_ns(behind, request) >= self.tour.entry_ns(at) {
                continue;
            }
            let gained = if behind < at { self.pull(behind + 1, at) } else { self.push(at, behind + 1) };
            if gained {
                return true;
            }
        }
        false
    }

    /// Reverses the order from place `to` to place `at`, or moves a piece that begins at place `at`
    /// to the earlier place `to`; returns true if this improves the order.
    fn pull(&mut self, to: usize, at: usize) -> bool {
        let ends = self.ends(at, self.tour.order.len(), to);
        self.try_out(&[Part::new(to, at + 1).reversed()])
            || ends.iter().any(|end| self.try_out(&[Part::new(at, *end), Part::new(to, at)]))
    }

    /// Moves a piece that begins at place `at` to a later place, before the request that is now at
    /// place `to`; returns true if this improves the order.
    fn push(&mut self, at: usize, to: usize) -> bool {
        let ends = self.ends(at, to - 1, to);
        ends.iter().any(|end| self.try_out(&[Part::new(*end, to), Part::new(at, *end)]))
    }

    /// Possible ends, at most `last`, of a piece that begins at place `at` and moves before the
    /// request at place `onward`: ends after a few requests, and ends after a preferred predecessor
    /// of that request.
    fn ends(&self, at: usize, last: usize, onward: usize) -> Vec<usize> {
        let short = at + 1..=last.min(at + PIECE_MAX);
        let neighbours = self.tour.order.get(onward).map_or(&[][..], |to| &self.neighbours[*to as usize]);
        let after = neighbours.iter().map(|near| self.tour.place[*near as usize] as usize + 1);
        short.chain(after.filter(|end| *end > at + PIECE_MAX && *end <= last)).collect()
    }

    fn try_out(&mut self, parts: &[Part]) -> bool {
        let (total_ns, looked_at) = self.tour.total_with_ns(parts);
        self.tried += 1 + (looked_at / HOPS_A_CHANGE) as u64;
        let gains = total_ns < self.tour.total_ns();
        if gains {
            self.rearrange(parts);
        }
        gains
    }

    fn rearrange(&mut self, parts: &[Part]) {
        for part in parts {
            for at in [part.from.wrapping_sub(1), part.from, part.to - 1, part.to] {
                if let Some(request) = self.tour.order.get(at) {
                    if !std::mem::replace(&mut self.waits[*request as usize], true) {
                        self.waiting.push(*request);
                    }
                }
            }
        }
        self.tour.rearrange(parts);
    }

    /// Reverses the sequence of three short adjacent pieces; the local search cannot undo this
    /// change in one step.
    fn kick(&mut self, rng: &mut Pcg64) {
        let count = self.tour.order.len();
        let longest = KICK_MAX.min(count / KICKED);
        let lengths = [(); KICKED].map(|()| rng.random_range(1..=longest));
        let a = rng.random_range(0..=count - lengths.iter().sum::<usize>());
        let (b, c) = (a + lengths[0], a + lengths[0] + lengths[1]);
        let end = c + lengths[2];
        self.rearrange(&[Part::new(c, end), Part::new(b, c), Part::new(a, b)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Hop;
    use crate::time::Span;

    /// Checks the sorting of predecessors with equal costs: requests before a request in the batch
    /// come first, the nearest at the front, so that sequential requests keep their order.
    #[test]
    fn of_equal_neighbours_those_shortly_before_are_taken() {
        for count in [5, 20, LOOKED_AT + 50] {
            let between = std::iter::repeat_n(Hop::new(Span(1000), 0), 2 * count * count);
            // The hops from the start have different costs.
            let first = (0..count).map(|to| Hop::new(Span(2000 + to as u64), 0));
            let hops = Hops::new(count, between.chain(first).collect());
            let found = neighbours(&hops, &Certificate::none(&hops));
            for (to, found) in found.iter().enumerate() {
                let before = (1..count).map(|ahead| ((to + count - ahead) % count) as u32);
                assert!(found.iter().copied().eq(before.take(NEIGHBOURS)), "{to} of {count}: {found:?}");
            }
        }
    }
}
