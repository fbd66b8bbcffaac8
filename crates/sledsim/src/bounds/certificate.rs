//! A proof that no order of a batch has a smaller total positioning time than a lower bound. The
//! proof can be checked without repeating the search.

use super::arborescence::Arborescence;
use super::Hops;

/// A set of requests, with a price that every schedule pays when it first enters the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestSet {
    /// Indices of the requests in the set.
    pub members: Vec<u32>,
    /// Price of the set in nanoseconds; greater than 0.
    pub price_ns: i64,
}

/// Proof of a lower bound: prices in nanoseconds such that no motion to a request costs less than
/// the prices of this request and of the sets that it enters.
///
/// Each motion (hop) leads from a state s of request i (or from the start) to request j, and ends
/// in state t. The price of j and the prices of all sets that contain j but not i are together at
/// most cost(s, j) + toll(s) - toll(t). A schedule enters each request and each set at least once,
/// and leaves each state except the start only after entering it. Tolls are not negative. The total
/// cost is therefore at least the sum of all prices minus the toll of the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// Toll of each state in nanoseconds, a dual price. A state is a request with the direction in
    /// which its access ends, numbered as in [`Hops`].
    pub toll_ns: Vec<i64>,
    /// Price of each request in nanoseconds, a dual price.
    pub price_ns: Vec<i64>,
    /// Sets of several requests, each with its dual price.
    pub sets: Vec<RequestSet>,
}

impl Certificate {
    /// Creates a certificate without prices, which proves only that no total is negative.
    #[must_use]
    pub fn none(hops: &Hops) -> Self {
        let count = hops.count();
        Self { toll_ns: vec![0; 2 * count + 1], price_ns: vec![0; count], sets: Vec::new() }
    }

    /// Creates a certificate from the prices of `tree`, an arborescence over some of the motions
    /// between requests. Raises or lowers the prices of requests until no motion costs less than
    /// the prices.
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

    /// The lower bound in nanoseconds that the certificate proves for the total positioning time of
    /// every order.
    #[must_use]
    pub fn bound_ns(&self) -> i64 {
        let sets_ns: i64 = self.sets.iter().map(|set| set.price_ns).sum();
        let start_ns = self.toll_ns.last().copied().unwrap_or(0);
        self.price_ns.iter().sum::<i64>() + sets_ns - start_ns
    }

    /// Calls `visit` with each request and a list of the motions to it: the state from which each
    /// motion starts, and the time in nanoseconds by which its cost with tolls exceeds the prices
    /// (its slack).
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
