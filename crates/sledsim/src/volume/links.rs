//! Linked lists of numbered items, each item in at most one list; moving an item between lists allocates no memory.

/// Link to no item: the end of a list.
const NONE: u32 = u32::MAX;

/// Numbers of the items before and after each item in its list.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    next: Vec<u32>,
    previous: Vec<u32>,
}

/// A list of items: its first and last item, and its length.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    first: u32,
    last: u32,
    len: u32,
}

impl Default for List {
    fn default() -> Self {
        Self { first: NONE, last: NONE, len: 0 }
    }
}

impl List {
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first == NONE
    }

    pub(super) fn first(&self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }
}

impl Links {
    /// Creates links for `count` items, numbered from 0; no item is in a list.
    pub(super) fn new(count: usize) -> Self {
        Self { next: vec![NONE; count], previous: vec![NONE; count] }
    }

    /// Number of items, whether or not they are in a list.
    pub(super) fn count(&self) -> u32 {
        self.next.len() as u32
    }

    /// Adds an item with the next number, and returns this number.
    pub(super) fn grow(&mut self) -> u32 {
        self.next.push(NONE);
        self.previous.push(NONE);
        self.count() - 1
    }

    /// Appends the item `thing`, which must be in no list, to the end of a list.
    pub(super) fn push(&mut self, list: &mut List, thing: u32) {
        let at = thing as usize;
        (self.previous[at], self.next[at]) = (list.last, NONE);
        match list.last {
            NONE => list.first = thing,
            last => self.next[last as usize] = thing,
        }
        list.last = thing;
        list.len += 1;
    }

    /// Puts the item `thing`, which must be in no list, at the front of a list.
    pub(super) fn push_front(&mut self, list: &mut List, thing: u32) {
        let at = thing as usize;
        (self.previous[at], self.next[at]) = (NONE, list.first);
        match list.first {
            NONE => list.last = thing,
            first => self.previous[first as usize] = thing,
        }
        list.first = thing;
        list.len += 1;
    }

    /// Removes the item `thing` from the list that holds it.
    pub(super) fn remove(&mut self, list: &mut List, thing: u32) {
        let (previous, next) = (self.previous[thing as usize], self.next[thing as usize]);
        match previous {
            NONE => list.first = next,
            previous => self.next[previous as usize] = next,
        }
        match next {
            NONE => list.last = previous,
            next => self.previous[next as usize] = previous,
        }
        list.len -= 1;
    }

    /// Removes the first item of a list and returns it; `None` if the list is empty.
    pub(super) fn pop(&mut self, list: &mut List) -> Option<u32> {
        let first = list.first()?;
        self.remove(list, first);
        Some(first)
    }

    /// The items of a list, from the first to the last.
    pub(super) fn iter<'a>(&'a self, list: &List) -> impl Iterator<Item = u32> + 'a {
        std::iter::successors(list.first(), |&thing| {
            Some(self.next[thing as usize]).filter(|&next| next != NONE)
        })
    }

    /// Finds the first item of a list for which `may` returns true, removes it from the list, and returns it. At most
    /// `max_refusals` items are tried.
    pub(super) fn take(
        &mut self,
        list: &mut List,
        max_refusals: usize,
        may: &mut dyn FnMut(u32) -> bool,
    ) -> Option<u32> {
        let found = self.iter(list).take(max_refusals).find(|&thing| may(thing))?;
        self.remove(list, found);
        Some(found)
    }
}
