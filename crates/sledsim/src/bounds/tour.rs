//! An order of a batch, with the state and the total positioning time after each request, and the
//! total after pieces of the order are moved.

use super::Hops;

/// A piece of an order: the places from `from` up to, but without, `to`; in reverse order if
/// `reversed` is true.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) reversed: bool,
}

impl Part {
    pub(super) fn new(from: usize, to: usize) -> Self {
        Self { from, to, reversed: false }
    }

    pub(super) fn reversed(self) -> Self {
        Self { reversed: true, ..self }
    }

    fn places(self) -> impl Iterator<Item = usize> {
        let Self { from, to, reversed } = self;
        (from..to).map(move |at| if reversed { to - 1 - (at - from) } else { at })
    }
}

/// An order of a batch, with the state and the total positioning time at each place.
#[derive(Clone)]
pub(super) struct Tour<'a> {
    hops: &'a Hops,
    pub(super) order: Vec<u32>,
    /// Place of each request in the order, counted from 0.
    pub(super) place: Vec<u32>,
    /// State of the sled after the request at each place, numbered as in [`Hops`].
    state: Vec<u32>,
    /// Total positioning time in ns of the requests up to and including each place.
    cost_ns: Vec<u64>,
    moved: Vec<u32>,
}

impl<'a> Tour<'a> {
    pub(super) fn new(hops: &'a Hops, order: &[u32]) -> Self {
        let count = order.len();
        let mut tour = Self {
            hops,
            order: order.to_vec(),
            place: vec![0; count],
            state: vec![0; count],
            cost_ns: vec![0; count],
            moved: Vec::with_capacity(count),
        };
        tour.follow(0, count);
        tour
    }

    pub(super) fn total_ns(&self) -> u64 {
        self.cost_ns.last().copied().unwrap_or(0)
    }

    /// Positioning time in ns to the request `to` from the state after the place `from`.
    pub(super) fn hop_ns(&self, from: usize, to: usize) -> u64 {
        self.hops.hop(self.state[from] as usize, to).cost_ns()
    }

    /// Positioning time in ns of the request at a place.
    pub(super) fn entry_ns(&self, place: usize) -> u64 {
        self.cost_ns[place] - self.before(place).1
    }

    fn before(&self, place: usize) -> (usize, u64) {
        match place.checked_sub(1) {
            Some(last) => (self.state[last] as usize, self.cost_ns[last]),
            None => (self.hops.start(), 0),
        }
    }

    /// Recomputes states and positioning times from place `from` to place `end`, and after `end`
    /// until a state is unchanged.
    fn follow(&mut self, from: usize, end: usize) {
        let (mut state, mut cost_ns) = self.before(from);
        for at in from..self.order.len() {
            let to = self.order[at] as usize;
            cost_ns += self.hops.hop(state, to).cost_ns();
            state = self.hops.state_after(state, to);
            let as_before = at >= end && state == self.state[at] as usize;
            let change_ns = cost_ns.wrapping_sub(self.cost_ns[at]);
            self.place[to] = at as u32;
            self.state[at] = state as u32;
            self.cost_ns[at] = cost_ns;
            if as_before {
                let rest = self.cost_ns[at + 1..].iter_mut();
                return rest.for_each(|cost_ns| *cost_ns = cost_ns.wrapping_add(change_ns));
            }
        }
    }

    /// Total positioning time in ns if the adjacent pieces `parts` were served in this order;
    /// `u64::MAX` as soon as it exceeds the current time up to the end of these pieces. Also
    /// returns the number of motions that were examined.
    ///
    /// Once a state is the same as in the current order, the times of the rest of the piece are
    /// unchanged and are not examined again.
    pub(super) fn total_with_ns(&self, parts: &[Part]) -> (u64, usize) {
        let start = parts.iter().map(|part| part.from).min().unwrap_or(0);
        let end = parts.iter().map(|part| part.to).max().unwrap_or(0);
        let (mut state, mut cost_ns) = self.before(start);
        let mut looked_at = 0;
        let enough_ns = self.cost_ns[end.min(self.order.len() - 1)];
        for part in parts.iter().copied().chain([Part::new(end, self.order.len())]) {
            for at in part.places() {
                if cost_ns > enough_ns && part.from < end {
                    return (u64::MAX, looked_at);
                }
                looked_at += 1;
                let to = self.order[at] as usize;
                cost_ns += self.hops.hop(state, to).cost_ns();
                state = self.hops.state_after(state, to);
                if !part.reversed && state == self.state[at] as usize {
                    cost_ns += self.cost_ns[part.to - 1] - self.cost_ns[at];
                    state = self.state[part.to - 1] as usize;
                    break;
                }
            }
        }
        (cost_ns, looked_at)
    }

    /// Changes the order: serves the adjacent pieces `parts` in this sequence.
    pub(super) fn rearrange(&mut self, parts: &[Part]) {
        let start = parts.iter().map(|part| part.from).min().unwrap_or(0);
        let mut moved = std::mem::take(&mut self.moved);
        moved.clear();
        for part in parts {
            moved.extend(part.places().map(|at| self.order[at]));
        }
        self.order[start..start + moved.len()].copy_from_slice(&moved);
        let end = start + moved.len();
        self.moved = moved;
        self.follow(start, end);
    }

    /// Copies another order of the same batch into this one.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.order.copy_from_slice(&other.order);
        self.place.copy_from_slice(&other.place);
        self.state.copy_from_slice(&other.state);
        self.cost_ns.copy_from_slice(&other.cost_ns);
    }
}
