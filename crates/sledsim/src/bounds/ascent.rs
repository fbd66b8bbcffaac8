//! The lower bound: tolls that make the cheapest arborescence as dear as they can (Held and Karp 1970, 1971;
//! with two states a request here).
//!
//! An arborescence enters every request once, as a schedule does, but may leave a state more often than it
//! enters it. States that are left too often get a toll, which is paid on leaving and paid back on entering.

use super::arborescence::{cheapest, Arborescence, Arc};
use super::certificate::Certificate;
use super::{report, Hops, Observer};
use crate::error::Result;

/// Hops to each request that are looked at to begin with, and that are added each time.
const HOPS_ADDED: usize = 10;
/// Hops to each request that are kept for their small slack when some are added.
const HOPS_KEPT: usize = 30;
/// After so many steps all hops are looked at, and those that undercut the prices are added.
const STEPS_A_ROUND: usize = 50;
/// After so many steps without gain they become shorter.
const PATIENCE: usize = 10;
const SHORTER: f64 = 0.8;
/// The share of a step that is the one before it again, against zigzags (Camerini, Fratta, Maffioli 1975).
const MOMENTUM: f64 = 0.3;

/// A hop that is looked at.
#[derive(Clone, Copy)]
struct Look {
    from: u32,
    after: u32,
    cost_ns: i64,
    with_tolls_ns: i64,
}

/// Tolls on their way to the best.
struct Ascent<'a> {
    hops: &'a Hops,
    /// By request, by cost with tolls.
    looks: Vec<Vec<Look>>,
    toll_ns: Vec<i64>,
    /// Where the tolls went last.
    direction: Vec<f64>,
    /// How far the next step goes, as a share of the way to the upper bound if all were straight (Polyak 1969).
    stride: f64,
}

/// The best lower bound that is found in so many steps, where some schedule takes `upper_ns`.
///
/// # Errors
/// [`Error::Interrupted`](crate::error::Error::Interrupted) when the observer breaks.
pub fn ascend(hops: &Hops, upper_ns: u64, steps: usize, observe: &mut Observer<'_>) -> Result<Certificate> {
    let (count, states) = (hops.count(), 2 * hops.count() + 1);
    let mut ascent = Ascent {
        hops,
        looks: vec![Vec::new(); count],
        toll_ns: vec![0; states],
        direction: vec![0.0; states],
        stride: 2.0,
    };
    let mut best = Certificate::none(hops);
    let mut latest = best.clone();
    for round in (0..steps).step_by(STEPS_A_ROUND) {
        ascent.add_looks(&latest);
        latest = ascent.round(upper_ns, &mut |step| report(observe, (round + step) as f64 / steps as f64))?;
        if latest.bound_ns() > best.bound_ns() {
            best.clone_from(&latest);
        }
        if best.bound_ns() >= upper_ns as i64 {
            break;
        }
    }
    Ok(best)
}

impl Ascent<'_> {
    /// Looks at the hops of least slack, too, and at those from the start.
    fn add_looks(&mut self, prices: &Certificate) {
        let hops = self.hops;
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
                    let after = hops.state_after(from as usize, to) as u32;
                    let cost_ns = i64::from(hops.hop(from as usize, to).cost_ns());
                    looks[to].push(Look { from, after, cost_ns, with_tolls_ns: 0 });
                }
            }
        });
    }

    /// A round of steps; the tolls are left where they were best, and proved.
    fn round(&mut self, upper_ns: u64, report: &mut dyn FnMut(usize) -> Result<()>) -> Result<Certificate> {
        let mut best: Option<(i64, Vec<i64>, Arborescence)> = None;
        let mut without_gain = 0;
        for step in 0..STEPS_A_ROUND {
            report(step)?;
            let tree = cheapest(self.hops.count(), &self.arcs());
            let excess = self.excess(&tree);
            let bound_ns = tree.price.iter().sum::<i64>() - self.toll_ns[self.hops.start()];
            without_gain += 1;
            if best.as_ref().is_none_or(|(best_ns, ..)| bound_ns > *best_ns) {
                best = Some((bound_ns, self.toll_ns.clone(), tree));
                without_gain = 0;
            }
            // The bound is that of the hops that are looked at, and may be above what all allow.
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
        let (_, toll_ns, tree) = best.expect("there was a step");
        self.toll_ns = toll_ns;
        Ok(Certificate::new(self.hops, &self.toll_ns, &tree))
    }

    /// The hops that are looked at, with tolls, in the order that [`cheapest`] wants.
    fn arcs(&mut self) -> Vec<Arc> {
        let toll_ns = &self.toll_ns;
        let mut arcs = Vec::with_capacity(self.looks.iter().map(Vec::len).sum());
        for (to, looks) in (0..).zip(&mut self.looks) {
            for look in looks.iter_mut() {
                look.with_tolls_ns =
                    look.cost_ns + toll_ns[look.from as usize] - toll_ns[look.after as usize];
            }
            // Stable, and quick where little has moved since the last step.
            looks.sort_by_key(|look| look.with_tolls_ns);
            arcs.extend(looks.iter().map(|look| Arc { from: look.from / 2, to, cost: look.with_tolls_ns }));
        }
        arcs
    }

    /// How much more often each state is left than entered.
    fn excess(&self, tree: &Arborescence) -> Vec<f64> {
        let mut excess = vec![0.0; self.toll_ns.len()];
        // The start is entered once, so to say.
        excess[self.hops.start()] = -1.0;
        let mut first = 0;
        for (looks, arc) in self.looks.iter().zip(&tree.entered_by) {
            let Look { from, after, .. } = looks[*arc as usize - first];
            excess[from as usize] += 1.0;
            excess[after as usize] -= 1.0;
            first += looks.len();
        }
        excess
    }

    /// Moves the tolls, none below 0; whether there was any way to go.
    fn step(&mut self, excess: &[f64], left_ns: f64) -> bool {
        let stuck = |(toll_ns, excess): (&i64, &f64)| *toll_ns == 0 && *excess < 0.0;
        let slope = self.toll_ns.iter().zip(excess).map(|both| if stuck(both) { 0.0 } else { *both.1 });
        let slope: Vec<f64> = slope.collect();
        let square: f64 = slope.iter().map(|part| part * part).sum();
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
