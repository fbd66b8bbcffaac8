//! The best order of a small batch, computed by dynamic programming (Bellman 1962; Held and Karp
//! 1962).

use super::Hops;
use crate::error::{ensure, Result};

/// Maximum number of requests in a batch; for more requests the table of all subsets would be too
/// large.
pub const EXACT_MAX: usize = 15;

/// Computes the order with the minimum total of positioning times; among orders with equal totals,
/// the request with the lower index comes first.
///
/// For each set of served requests and each state after the last of them, the table holds the
/// minimum total positioning time of the other requests. Larger sets have higher numbers, so the
/// table is filled from its end.
///
/// # Errors
/// The batch has more than [`EXACT_MAX`] requests.
pub fn optimum(hops: &Hops) -> Result<Vec<u32>> {
    let count = hops.count();
    ensure!(count <= EXACT_MAX, "exact optimum: expected at most {EXACT_MAX} requests, found {count}");
    let mut rest_ns = vec![0; (1 << count) * 2 * count];
    for done in (1..(1 << count) - 1).rev() {
        for state in (0..2 * count).filter(|state| done >> (state / 2) & 1 == 1) {
            let (_, best_ns) = next(hops, &rest_ns, done, state).expect("a request remains");
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

/// The best next request after the requests of the bit set `done`, and the minimum positioning time
/// in ns of all requests that remain; `None` if no request remains.
fn next(hops: &Hops, rest_ns: &[u64], done: usize, state: usize) -> Option<(usize, u64)> {
    let count = hops.count();
    let cost_ns = |to: usize| {
        let after = (done | 1 << to) * 2 * count + hops.state_after(state, to);
        hops.hop(state, to).cost_ns() + rest_ns[after]
    };
    let left = (0..count).filter(|to| done >> to & 1 == 0);
    left.map(|to| (to, cost_ns(to))).min_by_key(|(to, cost_ns)| (*cost_ns, *to))
}
