//! The replacement policies LRU and FIFO. Each keeps one list of slots, and evicts the entry of the first one.

use super::{Replacement, ReplacementRow};
use crate::volume::links::{Links, List};

/// Entry of FIFO in the table of replacement policies.
pub(super) const FIFO: ReplacementRow = ReplacementRow::new(
    "fifo",
    "evicts the entry that has been in the cache longest (first in, first out)",
    |slots| Box::new(Order::new(slots, false)),
);

/// Entry of LRU in the table of replacement policies.
pub(super) const LRU: ReplacementRow =
    ReplacementRow::new("lru", "evicts the entry that was used longest ago (least recently used)", |slots| {
        Box::new(Order::new(slots, true))
    });

/// State of LRU and FIFO: the slots in the order of last use (LRU) or of insertion (FIFO).
#[derive(Clone)]
pub(super) struct Order {
    links: Links,
    list: List,
    is_by_use: bool,
}

impl Order {
    pub(super) fn new(slots: u32, is_by_use: bool) -> Self {
        Self { links: Links::new(slots as usize), list: List::default(), is_by_use }
    }
}

impl Replacement for Order {
    fn insert(&mut self, slot: u32, _key: u64) {
        self.links.push(&mut self.list, slot);
    }

    fn touch(&mut self, slot: u32) {
        if self.is_by_use {
            self.links.remove(&mut self.list, slot);
            self.links.push(&mut self.list, slot);
        }
    }

    fn victim(&mut self, max_refusals: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32> {
        self.links.take(&mut self.list, max_refusals, may)
    }
}
