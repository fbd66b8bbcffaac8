//! Numbered items, and queues in which these items wait.

use super::links::{Links, List};
use crate::slab::Slab;

/// A set of numbered items. Each item may wait in one queue, which is first in, first out.
#[derive(Clone, Debug)]
pub(super) struct Waiting<T> {
    things: Slab<T>,
    links: Links,
}

impl<T> Default for Waiting<T> {
    fn default() -> Self {
        Self { things: Slab::default(), links: Links::default() }
    }
}

impl<T: Copy> Waiting<T> {
    pub(super) fn add(&mut self, thing: T) -> u32 {
        let number = self.things.insert(thing);
        if number == self.links.count() {
            self.links.grow();
        }
        number
    }

    pub(super) fn get(&self, number: u32) -> T {
        *self.things.get(number)
    }

    pub(super) fn get_mut(&mut self, number: u32) -> &mut T {
        self.things.get_mut(number)
    }

    /// Removes the item with the number `number` from the set and returns it. It must not be in any queue.
    pub(super) fn remove(&mut self, number: u32) -> T {
        self.things.remove(number)
    }

    pub(super) fn push(&mut self, queue: &mut List, number: u32) {
        self.links.push(queue, number);
    }

    /// Puts the item with the number `number` at the front of a queue.
    pub(super) fn push_front(&mut self, queue: &mut List, number: u32) {
        self.links.push_front(queue, number);
    }

    /// All items of a queue, from the front to the end.
    pub(super) fn iter(&self, queue: &List) -> impl Iterator<Item = T> + '_ {
        self.links.iter(queue).map(|number| self.get(number))
    }

    pub(super) fn pop(&mut self, queue: &mut List) -> Option<u32> {
        self.links.pop(queue)
    }

    /// The numbers of all items.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.things.iter().map(|(number, _)| number)
    }
}
