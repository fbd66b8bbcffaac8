//! The replacement policy ARC (Megiddo and Modha 2003).

use super::ghosts::Ghosts;
use super::{Replacement, ReplacementRow};
use crate::volume::links::{Links, List};

/// Entry of ARC in the table of replacement policies.
pub(super) const ROW: ReplacementRow =
    ReplacementRow::new("arc", "balances entries used recently against entries used often", |slots| {
        Box::new(Adaptive::new(slots))
    })
    .source("Megiddo and Modha 2003");

/// State of ARC: the slots whose entries were used once, and those whose entries were used several times, each in the
/// order of last use.
#[derive(Clone, Default)]
pub(super) struct Adaptive {
    keys: Vec<u64>,
    is_again: Vec<bool>,
    links: Links,
    /// Slots whose entries were used once (T1 of the paper).
    once: List,
    /// Slots whose entries were used several times (T2 of the paper).
    again: List,
    /// Keys of entries that were evicted after one use (B1 of the paper).
    left_once: Ghosts,
    /// Keys of entries that were evicted after several uses (B2 of the paper).
    left_again: Ghosts,
    /// Target for the length of the list `once` (p of the paper).
    target: usize,
    /// True if the key that was missed last belongs to an entry evicted after several uses.
    wants_again: bool,
}

impl Adaptive {
    pub(super) fn new(slots: u32) -> Self {
        let slots = slots as usize;
        let (keys, is_again) = (vec![0; slots], vec![false; slots]);
        Self { keys, is_again, links: Links::new(slots), ..Self::default() }
    }

    /// Removes and returns a slot: from the list `again` if `is_again` is true, otherwise from the list `once`. The
    /// slot is the first for which `may` returns true; at most `max_refusals` slots are tried.
    fn take(&mut self, is_again: bool, max_refusals: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32> {
        let (list, left) = match is_again {
            true => (&mut self.again, &mut self.left_again),
            false => (&mut self.once, &mut self.left_once),
        };
        let slot = self.links.take(list, max_refusals, may)?;
        left.push(self.keys[slot as usize]);
        Some(slot)
    }

    /// Drops the oldest keys of evicted entries. Keys used once may be at most as many as there are slots, and all keys
    /// together at most twice as many; keys with a slot count, too.
    fn forget(&mut self) {
        let slots = self.keys.len();
        self.left_once.keep(slots.saturating_sub(self.once.len()));
        let others = self.once.len() + self.again.len() + self.left_once.len();
        self.left_again.keep((2 * slots).saturating_sub(others));
    }
}

impl Replacement for Adaptive {
    fn missed(&mut self, key: u64) {
        let (once, again) = (self.left_once.len(), self.left_again.len());
        self.wants_again = self.left_again.contains(key);
        if self.left_once.contains(key) {
            self.target = (self.target + (again / once).max(1)).min(self.keys.len());
        } else if self.wants_again {
            self.target = self.target.saturating_sub((once / again).max(1));
        }
    }

    fn insert(&mut self, slot: u32, key: u64) {
        self.keys[slot as usize] = key;
        let is_again = self.left_once.remove(key) || self.left_again.remove(key);
        self.is_again[slot as usize] = is_again;
        self.links.push(if is_again { &mut self.again } else { &mut self.once }, slot);
        self.forget();
    }

    fn touch(&mut self, slot: u32) {
        let is_again = std::mem::replace(&mut self.is_again[slot as usize], true);
        self.links.remove(if is_again { &mut self.again } else { &mut self.once }, slot);
        self.links.push(&mut self.again, slot);
    }

    fn victim(&mut self, max_refusals: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32> {
        let (once, target) = (self.once.len(), self.target);
        let is_again = once < target || (once == target && !self.wants_again);
        self.take(is_again, max_refusals, may).or_else(|| self.take(!is_again, max_refusals, may))
    }
}
