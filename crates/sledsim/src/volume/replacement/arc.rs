//! ARC (Megiddo and Modha 2003).

use super::ghosts::Ghosts;
use super::{Replacement, ReplacementRow};
use crate::volume::links::{Links, List};

/// Row of the policy in the table of replacement policies.
pub(super) const ROW: ReplacementRow =
    ReplacementRow::new("arc", "adapts between recency and frequency of use", |slots| {
        Box::new(Adaptive::new(slots))
    })
    .source("Megiddo and Modha 2003");

/// Slots used once and slots used again, each by last use, with an adaptive target for the number of slots used once.
#[derive(Clone, Default)]
pub(super) struct Adaptive {
    keys: Vec<u64>,
    is_again: Vec<bool>,
    links: Links,
    /// Slots used once (T1 of the paper); the next list has the slots used again (T2).
    once: List,
    again: List,
    /// Keys evicted from slots used once (B1 of the paper); the next list has keys of slots used again (B2).
    left_once: Ghosts,
    left_again: Ghosts,
    /// Target for the number of slots used once: p of the paper.
    target: usize,
    /// True if the wanted key was evicted from the slots used again.
    wants_again: bool,
}

impl Adaptive {
    pub(super) fn new(slots: u32) -> Self {
        let slots = slots as usize;
        let (keys, is_again) = (vec![0; slots], vec![false; slots]);
        Self { keys, is_again, links: Links::new(slots), ..Self::default() }
    }

    /// Takes a slot that was used again, or a slot that was used once.
    fn take(&mut self, is_again: bool, max_refusals: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32> {
        let (list, left) = match is_again {
            true => (&mut self.again, &mut self.left_again),
            false => (&mut self.once, &mut self.left_once),
        };
        let slot = self.links.take(list, max_refusals, may)?;
        left.push(self.keys[slot as usize]);
        Some(slot)
    }

    /// Limits the known keys to twice the number of slots, and keys used once to the number of slots.
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
