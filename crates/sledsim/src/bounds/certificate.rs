//! A proof that no order of a batch is better than some total, checkable without trust in the search.

use super::arborescence::Arborescence;
use super::Hops;

/// A set of requests, whose price any schedule pays when it enters the set for the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestSet {
    /// The requests of the set.
    pub members: Vec<u32>,
    /// Price of the set in nanoseconds, above 0.
    pub price_ns: i64,
}

/// Prices in nanoseconds that no hop undercuts.
///
/// For every hop from a state s of request i (or from the start) to request j, ending in state t: the price of j, and
/// of every set that contains j and not i, is together at most cost(s, j) + toll(s) - toll(t). Along any schedule
/// each request and each set is entered at least once, and each state is left only after it was entered, except the
/// start. Because tolls are 0 or more, the costs are at least the sum of all prices minus the toll of the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// Dual price of each state (a request and the direction in which it ends, numbered as in [`Hops`]): the toll.
    pub toll_ns: Vec<i64>,
    /// Dual price of each request.
    pub price_ns: Vec<i64>,
    /// Sets of several requests, with the dual price of each.
    pub sets: Vec<RequestSet>,
}

impl Certificate {
    /// The empty certificate, which proves only that no time is negative.
    #[must_use]
    pub fn none(hops: &Hops) -> Self {
        let count = hops.count();
        Self { toll_ns: vec![0; 2 * count + 1], price_ns: vec![0; count], sets: Vec::new() }
    }

    /// The prices of an arborescence over some of the hops, adjusted until they fit all hops.
    pub(super) fn new(hops: &Hops, toll_ns: &[i64], tree: &Arborescence) -> Self {
        let count = hops.count();
        let mut members = vec![Vec::new(); tree.inside.len()];
        for node in 0..count {
            let mut at = node;
            while tree.inside[at] as usize != at {
                at = tree.inside[at] as usize;
                members[at].push(node as u32);
            }
        }
        let priced = members.into_iter().zip(&tree.price).skip(count + 1);
        let sets = priced.filter(|(_, price_ns)| **price_ns > 0);
        let mut certificate = Self {
            toll_ns: toll_ns.to_vec(),
            price_ns: tree.price[..count].to_vec(),
            sets: sets.map(|(members, price_ns)| RequestSet { members, price_ns: *price_ns }).collect(),
        };
        let mut least = Vec::with_capacity(count);
        certificate.for_each_slack(hops, |_, slacks| {
            least.push(slacks.iter().map(|(_, slack)| *slack).min().unwrap_or(0));
        });
        certificate.price_ns.iter_mut().zip(least).for_each(|(price, slack)| *price += slack);
        certificate
    }

    /// The total that no order undercuts.
    #[must_use]
    pub fn bound_ns(&self) -> i64 {
        let sets_ns: i64 = self.sets.iter().map(|set| set.price_ns).sum();
        let start_ns = self.toll_ns.last().copied().unwrap_or(0);
        self.price_ns.iter().sum::<i64>() + sets_ns - start_ns
    }

    /// Passes for each request the excess of each hop's cost over the prices: (state, slack) in nanoseconds.
    pub(super) fn for_each_slack(&self, hops: &Hops, mut visit: impl FnMut(usize, &[(u32, i64)])) {
        let count = hops.count();
        let mut around = vec![Vec::new(); count];
        for set in &self.sets {
            set.members.iter().for_each(|member| around[*member as usize].push(set));
        }
        let states: Vec<usize> = (0..=2 * count).filter(|state| hops.occurs(*state)).collect();
        let (mut charge, mut slacks) = (vec![0; count + 1], Vec::with_capacity(states.len()));
        for (to, around) in around.iter().enumerate() {
            let all: i64 = around.iter().map(|set| set.price_ns).sum();
            charge.fill(self.price_ns[to] + all);
            for set in around {
                set.members.iter().for_each(|member| charge[*member as usize] -= set.price_ns);
            }
            slacks.clear();
            for from in states.iter().filter(|state| **state / 2 != to) {
                let hop = hops.hop(*from, to);
                let tolls = self.toll_ns[*from] - self.toll_ns[2 * to + hop.end()];
                slacks.push((*from as u32, hop.cost_ns() as i64 + tolls - charge[from / 2]));
            }
            visit(to, &slacks);
        }
    }
}
