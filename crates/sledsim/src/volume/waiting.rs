//! Things that are waited for, and who waits.

use super::links::NONE;
use crate::slab::Slab;

/// Numbered things that come and go; each may stand in one queue.
#[derive(Debug)]
pub(super) struct Waiting<T> {
    things: Slab<T>,
    next: Vec<u32>,
}

/// Who waits, first come first served.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    first: u32,
    last: u32,
}

impl Default for Queue {
    fn default() -> Self {
        Self { first: NONE, last: NONE }
    }
}

impl Queue {
    pub(super) fn is_empty(&self) -> bool {
        self.first == NONE
    }
}

impl<T> Default for Waiting<T> {
    fn default() -> Self {
        Self { things: Slab::default(), next: Vec::new() }
    }
}

impl<T: Copy> Waiting<T> {
    pub(super) fn add(&mut self, thing: T) -> u32 {
        let number = self.things.insert(thing);
        if number as usize == self.next.len() {
            self.next.push(NONE);
        }
        number
    }

    pub(super) fn get(&self, number: u32) -> T {
        *self.things.get(number)
    }

    pub(super) fn get_mut(&mut self, number: u32) -> &mut T {
        self.things.get_mut(number)
    }

    /// A thing that stands in no queue goes.
    pub(super) fn remove(&mut self, number: u32) -> T {
        self.things.remove(number)
    }

    pub(super) fn push(&mut self, queue: &mut Queue, number: u32) {
        self.next[number as usize] = NONE;
        match queue.last {
            NONE => queue.first = number,
            last => self.next[last as usize] = number,
        }
        queue.last = number;
    }

    /// Before all others.
    pub(super) fn push_front(&mut self, queue: &mut Queue, number: u32) {
        self.next[number as usize] = queue.first;
        if queue.is_empty() {
            queue.last = number;
        }
        queue.first = number;
    }

    /// Everything in a queue, in its order.
    pub(super) fn iter(&self, queue: &Queue) -> impl Iterator<Item = T> + '_ {
        let mut number = queue.first;
        std::iter::from_fn(move || {
            let thing = (number != NONE).then(|| self.get(number))?;
            number = self.next[number as usize];
            Some(thing)
        })
    }

    pub(super) fn pop(&mut self, queue: &mut Queue) -> Option<u32> {
        let first = queue.first;
        if first == NONE {
            return None;
        }
        queue.first = self.next[first as usize];
        if queue.first == NONE {
            queue.last = NONE;
        }
        Some(first)
    }

    /// The numbers of all that are there.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.things.iter().map(|(number, _)| number)
    }
}
