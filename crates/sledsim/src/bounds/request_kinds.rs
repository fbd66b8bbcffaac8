//! Kinds of requests with equal positioning times: the motions to all requests of a kind cost the
//! same, and the motions from all requests of a kind cost the same.
//!
//! Clustered and sequential batches contain many equal requests, in the same row or one after the
//! other. The best tolls are equal for all requests of a kind, because the bound is a concave and
//! symmetric function of the tolls. The lower bound is therefore computed from kinds instead of
//! requests: the arborescence enters one request of each kind. Each further request of a kind is
//! entered by the cheapest motion, which may come from another request of the kind.

use std::collections::HashMap;

use super::certificate::{Certificate, RequestSet};
use super::Hops;

/// The requests of a batch, grouped by kind.
pub(super) struct Kinds {
    /// Indices of the requests of each kind.
    pub(super) members: Vec<Vec<u32>>,
    /// Costs of the motions from kind to kind; the motion from a kind to itself is the one between
    /// two of its requests.
    pub(super) hops: Hops,
}

/// Prices that prove a lower bound: a certificate for kinds, each with a single request, and the
/// minimum costs of all further requests of the kinds.
#[derive(Clone)]
pub(super) struct KindPrices {
    pub(super) once: Certificate,
    /// Minimum cost in ns of each request of a kind after the first; at most the price of the first
    /// request.
    further_ns: Vec<i64>,
}

impl Kinds {
    pub(super) fn new(hops: &Hops) -> Self {
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut kinds = HashMap::new();
        for (request, print) in hops.fingerprints().into_iter().enumerate() {
            let kind = *kinds.entry(print).or_insert(members.len());
            if kind == members.len() {
                members.push(Vec::new());
            }
            members[kind].push(request as u32);
        }
        // If different requests have the same fingerprint by chance, each of them becomes a kind.
        let other = |kind: &Vec<u32>| kind.iter().any(|request| !hops.alike(kind[0], *request));
        let (mixed, mut members): (Vec<_>, Vec<_>) = members.into_iter().partition(other);
        members.extend(mixed.concat().into_iter().map(|request| vec![request]));
        let first: Vec<u32> = members.iter().map(|kind| kind[0]).collect();
        Self { hops: hops.between(&first), members }
    }

    /// Number of requests of a kind after the first.
    pub(super) fn further(&self, kind: usize) -> usize {
        self.members[kind].len() - 1
    }

    /// Adds to the certificate `once` the minimum cost of the further requests of each kind, over
    /// all motions from another kind and within the kind.
    pub(super) fn prove(&self, once: Certificate) -> KindPrices {
        let Self { hops, .. } = self;
        let least = |to: usize| {
            let with_tolls = |from: usize| {
                let after = hops.state_after(from, to);
                hops.hop(from, to).cost_ns() as i64 + once.toll_ns[from] - once.toll_ns[after]
            };
            let states = (0..=hops.start()).filter(|from| hops.occurs(*from));
            states.map(with_tolls).min().unwrap_or(0).min(once.price_ns[to])
        };
        let further_ns = (0..hops.count()).map(|to| if self.further(to) > 0 { least(to) } else { 0 });
        KindPrices { further_ns: further_ns.collect(), once }
    }

    pub(super) fn bound_ns(&self, prices: &KindPrices) -> i64 {
        let further = prices.further_ns.iter().enumerate();
        let further_ns: i64 = further.map(|(kind, ns)| self.further(kind) as i64 * ns).sum();
        prices.once.bound_ns() + further_ns
    }

    /// Converts prices of kinds to a certificate for requests. The first entry into a kind costs
    /// more than further requests of the kind; this difference becomes the price of a set.
    pub(super) fn expand(&self, prices: &KindPrices) -> Certificate {
        let KindPrices { once, further_ns } = prices;
        let count = self.members.iter().map(Vec::len).sum();
        let mut all = Certificate {
            toll_ns: vec![once.toll_ns[self.hops.start()]; 2 * count + 1],
            price_ns: vec![0; count],
            sets: Vec::new(),
        };
        for (kind, members) in self.members.iter().enumerate() {
            let first_ns = once.price_ns[kind];
            let further_ns = if members.len() > 1 { further_ns[kind] } else { first_ns };
            for request in members {
                let request = *request as usize;
                all.toll_ns[2 * request..2 * request + 2]
                    .copy_from_slice(&once.toll_ns[2 * kind..2 * kind + 2]);
                all.price_ns[request] = further_ns;
            }
            if first_ns > further_ns {
                all.sets.push(RequestSet { members: members.clone(), price_ns: first_ns - further_ns });
            }
        }
        all.sets.extend(once.sets.iter().map(|set| {
            let members = set.members.iter().flat_map(|kind| self.members[*kind as usize].iter().copied());
            RequestSet { members: members.collect(), price_ns: set.price_ns }
        }));
        all
    }
}
