//! Flushes of a fitted workload: each follows a request, with a probability of its kind.

use rand_pcg::Pcg64;

use super::frequencies::Urn;
use super::FittedWorkload;

impl FittedWorkload {
    /// Draws the flushes that follow requests. `groups` holds two lists of indices of requests for each kind. Returns
    /// the index of each request that a flush follows, and the time in ns from the request to the flush.
    pub(super) fn draw_flushes(&self, groups: &[Vec<u32>], rng: &mut Pcg64) -> Vec<(usize, i64)> {
        let mut flushes = Vec::new();
        for (kind, groups) in self.kinds.iter().zip(groups.chunks(2)).filter(|(kind, _)| kind.flushes > 0) {
            let mut requests = groups.concat();
            requests.sort_unstable();
            let mut urn = Urn::new(vec![kind.requests - kind.flushes, kind.flushes]);
            for at in requests {
                if urn.draw(rng) == Some(1) {
                    flushes.push((at as usize, kind.flush_after_ns.draw(rng).unwrap_or(0)));
                }
            }
        }
        flushes.sort_unstable();
        flushes
    }
}
