//! The best order of a small batch, by dynamic programming (Bellman 1962; Held and Karp 1962).

use super::Hops;
use crate::error::{ensure, Result};

/// Largest number of requests; the table of all subsets grows too large beyond it.
pub const EXACT_MAX: usize = 15;

/// The order of least total positioning time; among equal orders, the order whose first requests came first.
///
/// For every set of requests that are done, and every state after the last of them, the least cost of the
/// rest is kept. Larger sets have larger numbers, so the table is filled backwards.
///
/// # Errors
/// More than [`EXACT_MAX`] requests.
pub fn optimum(hops: &Hops) -> Result<Vec<u32>> {
    let count = hops.count();
    ensure!(count <= EXACT_MAX, "exact optimum: expected at most {EXACT_MAX} requests, found {count}");
    let mut rest_ns = vec![0; (1 << count) * 2 * count];
    for done in (1..(1 << count) - 1).rev() {
        for state in (0..2 * count).filter(|state| done >> (state / 2) & 1 == 1) {
            let (_, best_ns) = next(hops, &rest_ns, done, state).expect("a request is left");
            rest_ns[done * 2 * count + state] = best_ns;
        }
    }
    let (mut done, mut state, mut order) = (0, hops.start(), Vec::with_capacity(count));
    while let Some((to, _)) = next(hops, &rest_ns, done, state) {
        order.push(to as u32);
        done |= 1 << to;
        state = hops.state_after(state, to);
    }
    Ok(order)
}

/// The request that is best served next, and the least cost from there to the end.
fn next(hops: &Hops, rest_ns: &[u64], done: usize, state: usize) -> Option<(usize, u64)> {
    let count = hops.count();
    let cost_ns = |to: usize| {
        let after = (done | 1 << to) * 2 * count + hops.state_after(state, to);
        hops.hop(state, to).cost_ns() + rest_ns[after]
    };
    let left = (0..count).filter(|to| done >> to & 1 == 0);
    left.map(|to| (to, cost_ns(to))).min_by_key(|(to, cost_ns)| (*cost_ns, *to))
}
