//! The cheapest arborescence, and dual prices that prove that no arborescence is cheaper (Edmonds
//! 1967; the search by paths follows Gabow, Galil, Spencer and Tarjan 1986).

use super::heaps::{Arc, Heaps, NONE};

/// An arborescence: exactly one arc enters each node, and each node is reachable from the root.
///
/// Numbering: first the nodes, then the root, then the sets. A set is a cycle of nodes and smaller
/// sets that the search contracted to one node.
pub(super) struct Arborescence {
    /// Index of the arc that enters each node; entries after those of the nodes are not used.
    pub(super) entered_by: Vec<u32>,
    /// Price of entering each node and each set. Prices of sets are not negative. An arc costs at
    /// least the sum of the prices of all nodes and sets that it enters, and exactly this sum if it
    /// belongs to the arborescence.
    pub(super) price: Vec<i64>,
    /// Number of the set into which each node or set was contracted; the node's or set's own number
    /// if it was not contracted.
    pub(super) inside: Vec<u32>,
}

/// Computes the cheapest arborescence of `count` nodes, each of which must have an arc from the
/// root. The arcs must be sorted by the node that they enter, and then by cost.
pub(super) fn cheapest(count: usize, arcs: &[Arc]) -> Arborescence {
    let mut growth = Growth::new(count, arcs);
    for node in 0..count as u32 {
        growth.reach(node);
    }
    growth.expand();
    Arborescence { entered_by: growth.entered_by, price: growth.price, inside: growth.inside }
}

/// State of the search for the cheapest arborescence; each vector has an entry for each node, for
/// the root and for each set.
struct Growth<'a> {
    root: u32,
    arcs: &'a [Arc],
    heaps: Heaps,
    /// Index that identifies the heap of the arcs that enter each node or set.
    heap: Vec<u32>,
    price: Vec<i64>,
    entered_by: Vec<u32>,
    state: Vec<Reached>,
    inside: Vec<u32>,
    /// A set that encloses each node or set, as a shortcut to the outermost set that encloses it.
    towards: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    No,
    OnPath,
    Hangs,
}

impl<'a> Growth<'a> {
    fn new(count: usize, arcs: &'a [Arc]) -> Self {
        let mut heap = vec![NONE; count + 1];
        for (at, arc) in (0..arcs.len() as u32).zip(arcs).rev() {
            heap[arc.to as usize] = at;
        }
        let mut state = vec![Reached::No; count + 1];
        state[count] = Reached::Hangs;
        let all: Vec<u32> = (0..=count as u32).collect();
        Self {
            root: count as u32,
            arcs,
            heaps: Heaps::new(arcs),
            heap,
            price: vec![0; count + 1],
            entered_by: vec![NONE; count + 1],
            state,
            inside: all.clone(),
            towards: all,
        }
    }

    /// Follows the cheapest entering arcs backwards from `node` to a node that is reachable from
    /// the root, and marks all nodes on this path as reachable. A cycle on the path is contracted
    /// to one node.
    fn reach(&mut self, node: u32) {
        let mut path: Vec<u32> = Vec::new();
        let mut node = self.outermost(node);
        while self.state[node as usize] != Reached::Hangs {
            if self.state[node as usize] == Reached::OnPath {
                node = self.contract(&mut path, node);
            }
            self.enter(node);
            path.push(node);
            node = self.outermost(self.arcs[self.entered_by[node as usize] as usize].from);
        }
        path.iter().for_each(|node| self.state[*node as usize] = Reached::Hangs);
    }

    /// Chooses the cheapest arc that enters a node, and subtracts its cost from all other arcs that
    /// enter the node.
    fn enter(&mut self, node: u32) {
        let at = node as usize;
        while self.outermost(self.arcs[self.heap[at] as usize].from) == node {
            self.heap[at] = self.heaps.pop(self.heap[at]);
        }
        let arc = self.heap[at];
        self.price[at] = self.heaps.cost(arc);
        self.entered_by[at] = arc;
        self.heap[at] = self.heaps.pop(arc);
        self.heaps.reduce(self.heap[at], self.price[at]);
        self.state[at] = Reached::OnPath;
    }

    /// Contracts the cycle that runs from the node `first` to the end of the path into one node,
    /// and returns the number of this node.
    fn contract(&mut self, path: &mut Vec<u32>, first: u32) -> u32 {
        let set = self.inside.len() as u32;
        let mut merged = NONE;
        loop {
            let member = path.pop().expect("the cycle lies on the path");
            merged = self.heaps.merge(merged, self.heap[member as usize]);
            self.inside[member as usize] = set;
            self.towards[member as usize] = set;
            if member == first {
                break;
            }
        }
        self.inside.push(set);
        self.towards.push(set);
        self.heap.push(merged);
        self.price.push(0);
        self.entered_by.push(NONE);
        self.state.push(Reached::No);
        set
    }

    fn outermost(&mut self, mut node: u32) -> u32 {
        while self.towards[node as usize] != node {
            let next = self.towards[node as usize];
            self.towards[node as usize] = self.towards[next as usize];
            node = next;
        }
        node
    }

    /// Expands the sets, from the outermost inwards: the arc that enters a set becomes the arc of
    /// the member at which it ends.
    fn expand(&mut self) {
        for set in (self.root + 1..self.inside.len() as u32).rev() {
            let arc = self.entered_by[set as usize];
            let mut member = self.arcs[arc as usize].to;
            while self.inside[member as usize] != set {
                member = self.inside[member as usize];
            }
            self.entered_by[member as usize] = arc;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// True if each node is reachable from the root over the arcs `chosen`.
    fn hangs(count: usize, arcs: &[Arc], chosen: &[usize]) -> bool {
        (0..count).all(|node| {
            let mut at = node;
            (0..count).any(|_| {
                at = arcs[chosen[at]].from as usize;
                at == count
            }) || at == count
        })
    }

    /// Minimum cost of all arborescences in which the arcs `chosen` enter the first nodes.
    fn least(count: usize, arcs: &[Arc], chosen: &mut Vec<usize>) -> i64 {
        if chosen.len() == count {
            let cost = chosen.iter().map(|arc| arcs[*arc].cost).sum();
            return if hangs(count, arcs, chosen) { cost } else { i64::MAX };
        }
        let mut least_cost = i64::MAX;
        for arc in (0..arcs.len()).filter(|arc| arcs[*arc].to as usize == chosen.len()).collect::<Vec<_>>() {
            chosen.push(arc);
            least_cost = least_cost.min(least(count, arcs, chosen));
            chosen.pop();
        }
        least_cost
    }

    proptest! {
        #[test]
        fn it_is_the_cheapest_of_all(costs in prop::collection::vec(prop::collection::vec(-9..30_i64, 6), 1..6)) {
            let count = costs.len();
            let mut arcs: Vec<Arc> = Vec::new();
            for (to, costs) in costs.iter().enumerate() {
                // A cost that is a multiple of 7 stands for a missing arc, except for arcs from the
                // root.
                let from = (0..=count).filter(|from| *from != to && (*from == count || costs[*from] % 7 != 0));
                arcs.extend(from.map(|from| Arc { from: from as u32, to: to as u32, cost: costs[from] }));
            }
            arcs.sort_by_key(|arc| (arc.to, arc.cost));
            let found = cheapest(count, &arcs);
            let chosen: Vec<usize> = found.entered_by[..count].iter().map(|arc| *arc as usize).collect();
            prop_assert!(hangs(count, &arcs, &chosen));
            let cost: i64 = chosen.iter().map(|arc| arcs[*arc].cost).sum();
            prop_assert_eq!(cost, least(count, &arcs, &mut Vec::new()));
            prop_assert_eq!(cost, found.price.iter().sum::<i64>());
            prop_assert!(found.price[count + 1..].iter().all(|price| *price >= 0));
        }
    }
}
