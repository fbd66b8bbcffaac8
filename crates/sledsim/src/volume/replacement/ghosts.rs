//! Keys of entries that were evicted, in the order of eviction.

use crate::hashing::ByNumber;
use crate::volume::links::{Links, List};

/// Keys of evicted entries; the policy remembers them although the cache no longer holds the entries.
#[derive(Clone, Default)]
pub(super) struct Ghosts {
    keys: Vec<u64>,
    links: Links,
    list: List,
    free: List,
    places: ByNumber<u32>,
}

impl Ghosts {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn contains(&self, key: u64) -> bool {
        self.places.contains_key(&key)
    }

    /// Adds a key as the newest.
    pub(super) fn push(&mut self, key: u64) {
        let place = self.links.pop(&mut self.free).unwrap_or_else(|| {
            self.keys.push(key);
            self.links.grow()
        });
        self.keys[place as usize] = key;
        self.links.push(&mut self.list, place);
        self.places.insert(key, place);
    }

    /// Removes a key; returns true if the key was in the list.
    pub(super) fn remove(&mut self, key: u64) -> bool {
        let Some(place) = self.places.remove(&key) else {
            return false;
        };
        self.links.remove(&mut self.list, place);
        self.links.push(&mut self.free, place);
        true
    }

    /// Drops the oldest keys until at most `most` keys are left.
    pub(super) fn keep(&mut self, most: usize) {
        while self.len() > most {
            let oldest = self.list.first().expect("the list is longer than the limit");
            self.remove(self.keys[oldest as usize]);
        }
    }
}
