//! Leftist heaps of arcs: two heaps can be merged, and all costs in a heap can be reduced in one
//! step (Crane 1972).

/// An arc that leads to a node, from another node or from the root; the root's number is one higher
/// than that of the last node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) cost: i64,
}

/// Value that stands for no arc or for no heap.
pub(super) const NONE: u32 = u32::MAX;

/// Heaps over one list of arcs. A heap is identified by the index of the arc on its top, which is
/// the first of its cheapest arcs.
pub(super) struct Heaps {
    arcs: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    cost: i64,
    /// Amount that is still to be subtracted from the costs in the two branches of this entry.
    less: i64,
    left: u32,
    right: u32,
    rank: u32,
}

impl Heaps {
    /// Creates a heap for each node that an arc enters, with all arcs that enter the node; the
    /// index of the first of them identifies the heap.
    ///
    /// Arcs in ascending order of cost are a valid heap in which no arc has a right branch.
    pub(super) fn new(arcs: &[Arc]) -> Self {
        let entry = |at: usize| {
            let next = arcs.get(at + 1).filter(|next| next.to == arcs[at].to);
            debug_assert!(next.is_none_or(|next| next.cost >= arcs[at].cost), "arcs to a node are in order");
            let left = next.map_or(NONE, |_| at as u32 + 1);
            Entry { cost: arcs[at].cost, less: 0, left, right: NONE, rank: 1 }
        };
        Self { arcs: (0..arcs.len()).map(entry).collect() }
    }

    /// Cost, after all reductions, of the arc on top of a heap.
    pub(super) fn cost(&self, heap: u32) -> i64 {
        self.arcs[heap as usize].cost
    }

    /// Subtracts `less` from the costs of all arcs in a heap.
    pub(super) fn reduce(&mut self, heap: u32, less: i64) {
        if heap != NONE {
            self.arcs[heap as usize].cost -= less;
            self.arcs[heap as usize].less += less;
        }
    }

    /// Merges two heaps, and returns the index that identifies the result.
    pub(super) fn merge(&mut self, a: u32, b: u32) -> u32 {
        if a == NONE || b == NONE {
            return if a == NONE { b } else { a };
        }
        let (top, other) = if (self.cost(b), b) < (self.cost(a), a) { (b, a) } else { (a, b) };
        self.hand_down(top);
        let Entry { left, right, .. } = self.arcs[top as usize];
        let right = self.merge(right, other);
        let (left, right) = if self.rank(right) > self.rank(left) { (right, left) } else { (left, right) };
        let rank = self.rank(right) + 1;
        let entry = &mut self.arcs[top as usize];
        (entry.left, entry.right, entry.rank) = (left, right, rank);
        top
    }

    /// Removes the arc on top of a heap, and returns the index that identifies the rest of the
    /// heap.
    pub(super) fn pop(&mut self, heap: u32) -> u32 {
        self.hand_down(heap);
        let Entry { left, right, .. } = self.arcs[heap as usize];
        self.merge(left, right)
    }

    fn rank(&self, heap: u32) -> u32 {
        if heap == NONE {
            0
        } else {
            self.arcs[heap as usize].rank
        }
    }

    fn hand_down(&mut self, heap: u32) {
        let Entry { left, right, less, .. } = self.arcs[heap as usize];
        if less != 0 {
            self.arcs[heap as usize].less = 0;
            self.reduce(left, less);
            self.reduce(right, less);
        }
    }
}
