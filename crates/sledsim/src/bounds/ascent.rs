//! The lower bound on the total positioning time, from the cheapest arborescence over the requests.
//! Tolls make this arborescence as expensive as possible (Held and Karp 1970, 1971; here with two
//! states for each request: the two directions in which the sled can end).
//!
//! An arborescence enters each request once, as a schedule does, but may leave a state more often
//! than it enters it. A state that is left too often gets a toll: a time that is added to the cost
//! of leaving the state, and subtracted from the cost of entering it.

use super::arborescence::{cheapest, Arborescence};
use super::certificate::Certificate;
use super::heaps::Arc;
use super::request_kinds::{KindPrices, Kinds};
use crate::device::Hops;
use crate::error::Result;
use crate::observer::{report, Observer};

/// Number of candidate motions (from the state after another request) to each request at first, and
/// number of motions that are added after each round.
const HOPS_ADDED: usize = 10;
/// Maximum number of earlier candidate motions to each request that are kept when motions are
/// added: those whose costs exceed the prices least.
const HOPS_KEPT: usize = 15;
/// Number of steps of the ascent in each of the first three rounds, and in each later round. After
/// a round all motions between requests are checked, and those that cost less than the prices
/// become candidates.
const STEPS_A_ROUND: [usize; 2] = [10, 50];
/// Number of steps without a better bound after which the steps become shorter by the factor
/// `SHORTER`.
const PATIENCE: usize = 10;
const SHORTER: f64 = 0.8;
/// Weight of the previous step's direction in the direction of a step, which reduces zigzags
/// (Camerini, Fratta, Maffioli 1975).
const MOMENTUM: f64 = 0.3;

/// A candidate motion of the sled from a state to the next request (a hop), with its cost.
#[derive(Clone, Copy)]
struct Look {
    from: u32,
    after: u32,
    cost_ns: i64,
    with_tolls_ns: i64,
}

/// State of the search for the best tolls: candidate motions between requests, and tolls.
struct Ascent<'a> {
    kinds: &'a Kinds,
    /// Candidate motions to each kind of request from requests of other kinds; the motion with the
    /// lowest cost including tolls comes first.
    looks: Vec<Vec<Look>>,
    /// Candidate motions from one request to another of the same kind, for each kind that has
    /// several requests.
    within: Vec<Vec<Look>>,
    toll_ns: Vec<i64>,
    /// Direction in which the tolls moved in the last step.
    direction: Vec<f64>,
    /// Length of the next step, as a fraction of the step at which a linear bound would reach the
    /// upper bound (Polyak 1969).
    stride: f64,
}

/// Computes the best lower bound that `steps` steps of the ascent find; `upper_ns` is the total
/// positioning time of a known schedule in nanoseconds.
///
/// # Errors
/// The observer stopped the work: [`Error::Interrupted`](crate::error::Error::Interrupted).
pub fn ascend(
    hops: &Hops,
    upper_ns: u64,
    steps: usize,
    observe: &mut Observer<'_, f64>,
) -> Result<Certificate> {
    let kinds = &Kinds::new(hops);
    let hops = &kinds.hops;
    let (count, states) = (hops.count(), 2 * hops.count() + 1);
    let mut ascent = Ascent {
        kinds,
        looks: vec![Vec::new(); count],
        within: (0..count).map(|kind| within(kinds, kind)).collect(),
        toll_ns: vec![0; states],
        direction: vec![0.0; states],
        stride: 2.0,
    };
    let mut best = kinds.prove(Certificate::none(hops));
    let mut latest = best.clone();
    let mut done = 0;
    while done < steps {
        let [short, long] = STEPS_A_ROUND;
        let round = if done < 3 * short { short } else { long }.min(steps - done);
        ascent.add_looks(&latest.once);
        let told = &mut |step| report(observe, (done + step) as f64 / steps as f64);
        latest = ascent.round(upper_ns, round, told)?;
        done += round;

        if kinds.bound_ns(&latest) > kinds.bound_ns(&best) {
            best.clone_from(&latest);
        }
        if kinds.bound_ns(&best) >= upper_ns as i64 {
            break;
        }
    }
    Ok(kinds.expand(&best))
}

impl Look {
    fn new(hops: &Hops, from: usize, to: usize) -> Self {
        let after = hops.state_after(from, to) as u32;
        Self { from: from as u32, after, cost_ns: hops.hop(from, to).cost_ns() as i64, with_tolls_ns: 0 }
    }

    fn set_tolls(&mut self, toll_ns: &[i64]) {
        self.with_tolls_ns = self.cost_ns + toll_ns[self.from as usize] - toll_ns[self.after as usize];
    }
}

fn within(kinds: &Kinds, kind: usize) -> Vec<Look> {
    let occurs = |from: &usize| kinds.further(kind) > 0 && kinds.hops.occurs(*from);
    let states = [2 * kind, 2 * kind + 1].into_iter().filter(occurs);
    states.map(|from| Look::new(&kinds.hops, from, kind)).collect()
}

impl Ascent<'_> {
    /// Adds motions to the candidates: those whose costs exceed the prices least, and those from
    /// the start.
    fn add_looks(&mut self, prices: &Certificate) {
        let hops = &self.kinds.hops;
        let looks = &mut self.looks;
        prices.for_each_slack(hops, |to, slacks| {
            let mut least = slacks.to_vec();
            if least.len() > HOPS_ADDED {
                least.select_nth_unstable_by_key(HOPS_ADDED, |(from, slack)| (*slack, *from));
                least.truncate(HOPS_ADDED);
            }
            if looks[to].len() > HOPS_KEPT {
                let slack = |look: &Look| slacks[slacks.partition_point(|(from, _)| *from < look.from)].1;
                looks[to].select_nth_unstable_by_key(HOPS_KEPT, |look| (slack(look), look.from));
                looks[to].truncate(HOPS_KEPT);
            }
            for from in least.iter().map(|(from, _)| *from).chain([hops.start() as u32]) {
                if looks[to].iter().all(|look| look.from != from) {
                    looks[to].push(Look::new(hops, from as usize, to));
                }
            }
        });
    }

    /// Performs `steps` steps, sets the tolls to those with the best bound after the first step,
    /// and adjusts the prices until they prove a bound over all motions between requests.
    fn round(
        &mut self,
        upper_ns: u64,
        steps: usize,
        report: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<KindPrices> {
        let mut best: Option<(i64, Vec<i64>, Arborescence)> = None;
        let mut without_gain = 0;
        for step in 0..steps {
            report(step)?;
            let tree = cheapest(self.looks.len(), &self.arcs());
            let (excess, further_ns) = self.excess(&tree);
            let start_ns = self.toll_ns[self.kinds.hops.start()];
            let bound_ns = tree.price.iter().sum::<i64>() + further_ns - start_ns;
            without_gain += 1;
            // The result of the first step is ignored if other steps follow: at a kink the ascent
            // loses before it gains.
            if step == 1 || best.as_ref().is_none_or(|(best_ns, ..)| bound_ns > *best_ns) {
                best = Some((bound_ns, self.toll_ns.clone(), tree));
                without_gain = 0;
            }
            // The bound holds for the candidates only, and may exceed the bound for all hops.
            let left_ns = upper_ns as i64 - bound_ns;
            if left_ns <= 0 {
                break;
            }
            if without_gain > PATIENCE {
                self.stride *= SHORTER;
                without_gain = 0;
            }
            if !self.step(&excess, left_ns as f64) {
                break;
            }
        }
        let (_, toll_ns, tree) = best.expect("at least one step was performed");
        self.toll_ns = toll_ns;
        Ok(self.kinds.prove(Certificate::new(&self.kinds.hops, &self.toll_ns, &tree)))
    }

    /// Returns the candidate motions as arcs that include the tolls, in the order that [`cheapest`]
    /// expects.
    fn arcs(&mut self) -> Vec<Arc> {
        let toll_ns = &self.toll_ns;
        let mut arcs = Vec::with_capacity(self.looks.iter().map(Vec::len).sum());
        for (to, looks) in (0..).zip(&mut self.looks) {
            looks.iter_mut().for_each(|look| look.set_tolls(toll_ns));
            // The sort is stable, and fast if the order has changed little since the last step.
            looks.sort_by_key(|look| look.with_tolls_ns);
            arcs.extend(looks.iter().map(|look| Arc { from: look.from / 2, to, cost: look.with_tolls_ns }));
        }
        self.within.iter_mut().flatten().for_each(|look| look.set_tolls(toll_ns));
        arcs
    }

    /// Returns, for each state, how many times more it is left than entered, divided by the number
    /// of requests of its kind. Also returns the total cost in ns of all requests of each kind
    /// after the first.
    fn excess(&self, tree: &Arborescence) -> (Vec<f64>, i64) {
        let (mut excess, mut further_ns) = (vec![0.0; self.toll_ns.len()], 0);
        // The start counts as entered once.
        excess[self.kinds.hops.start()] = -1.0;
        let mut first = 0;
        for (kind, looks) in self.looks.iter().enumerate() {
            let mut enter = |look: &Look, times: f64| {
                excess[look.from as usize] += times;
                excess[look.after as usize] -= times;
            };
            enter(&looks[tree.entered_by[kind] as usize - first], 1.0);
            let further = self.kinds.further(kind);
            let least = self.within[kind].iter().chain(looks.first()).min_by_key(|look| look.with_tolls_ns);
            if let Some(look) = least.filter(|_| further > 0) {
                enter(look, further as f64);
                further_ns += further as i64 * look.with_tolls_ns;
            }
            first += looks.len();
        }
        excess.iter_mut().enumerate().for_each(|(state, excess)| *excess /= self.weight(state));
        (excess, further_ns)
    }

    /// Number of requests of the kind to which a state belongs; these requests share the toll of
    /// the state.
    fn weight(&self, state: usize) -> f64 {
        self.kinds.members.get(state / 2).map_or(1.0, |members| members.len() as f64)
    }

    /// Moves the tolls in proportion to `excess`, but none below 0; returns true if a toll could
    /// move. `left_ns` is the distance to the upper bound in nanoseconds.
    fn step(&mut self, excess: &[f64], left_ns: f64) -> bool {
        let stuck = |(toll_ns, excess): (&i64, &f64)| *toll_ns == 0 && *excess < 0.0;
        let slope = self.toll_ns.iter().zip(excess).map(|both| if stuck(both) { 0.0 } else { *both.1 });
        let slope: Vec<f64> = slope.collect();
        let square: f64 =
            slope.iter().enumerate().map(|(state, part)| self.weight(state) * part * part).sum();
        if square == 0.0 {
            return false;
        }
        let length = self.stride * left_ns / square;
        for ((toll_ns, part), slope) in self.toll_ns.iter_mut().zip(&mut self.direction).zip(slope) {
            *part = MOMENTUM * *part + (1.0 - MOMENTUM) * slope;
            *toll_ns = (*toll_ns + libm::round(length * *part) as i64).max(0);
        }
        true
    }
}
