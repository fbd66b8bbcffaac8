//! The replacement policy 2Q in its full version (Johnson and Shasha 1994).

use super::ghosts::Ghosts;
use super::{Replacement, ReplacementRow};
use crate::volume::links::{Links, List};

/// Entry of 2Q in the table of replacement policies.
pub(super) const ROW: ReplacementRow = ReplacementRow::new(
    "2q",
    "evicts entries early that were used only once; keeps entries that are requested again later",
    |slots| Box::new(TwoQueues::new(slots)),
)
.source("Johnson and Shasha 1994");

/// State of 2Q. A new entry goes through a first-in, first-out queue. If it is requested again after it has left this
/// queue, it is kept, in a list in the order of last use.
#[derive(Clone, Default)]
pub(super) struct TwoQueues {
    keys: Vec<u64>,
    is_kept: Vec<bool>,
    links: Links,
    /// Slots of new entries in the order of insertion (A1in of the paper).
    new: List,
    /// Slots of entries that were requested again after leaving the queue, in the order of last use (Am of the paper).
    kept: List,
    /// Keys of entries that were evicted from the queue of new entries (A1out of the paper).
    left: Ghosts,
    /// The key that was missed last, if it is in `left`. The eviction for this key may drop it from `left` before its
    /// entry is inserted.
    returns: Option<u64>,
    most_new: usize,
    most_left: usize,
}

impl TwoQueues {
    /// Creates the state for `slots` slots with the lengths that the authors recommend: new entries may take a quarter
    /// of the slots, and `left` has half as many keys as there are slots.
    pub(super) fn new(slots: u32) -> Self {
        let slots = slots as usize;
        Self {
            keys: vec![0; slots],
            is_kept: vec![false; slots],
            links: Links::new(slots),
            most_new: (slots / 4).max(1),
            most_left: (slots / 2).max(1),
            ..Self::default()
        }
    }

    fn take_new(&mut self, max_refusals: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32> {
        let slot = self.links.take(&mut self.new, max_refusals, may)?;
        self.left.push(self.keys[slot as usize]);
        self.left.keep(self.most_left);
        Some(slot)
    }
}

impl Replacement for TwoQueues {
    fn missed(&mut self, key: u64) {
        self.returns = self.left.contains(key).then_some(key);
    }

    fn insert(&mut self, slot: u32, key: u64) {
        self.keys[slot as usize] = key;
        self.is_kept[slot as usize] = self.left.remove(key) | (self.returns.take() == Some(key));
        let list = if self.is_kept[slot as usize] { &mut self.kept } else { &mut self.new };
        self.links.push(list, slot);
    }

    fn touch(&mut self, slot: u32) {
        if self.is_kept[slot as usize] {
            self.links.remove(&mut self.kept, slot);
            self.links.push(&mut self.kept, slot);
        }
    }

    fn victim(&mut self, max_refusals: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32> {
        if self.new.len() > self.most_new {
            return self
                .take_new(max_refusals, may)
                .or_else(|| self.links.take(&mut self.kept, max_refusals, may));
        }
        self.links.take(&mut self.kept, max_refusals, may).or_else(|| self.take_new(max_refusals, may))
    }
}
