//! Waiting requests in the order of their arrival.

use crate::device::Begin;
use crate::request::Request;
use crate::time::Time;

/// Index that stands for no request.
pub(super) const NONE: u32 = u32::MAX;

/// Data of a request that a search by age needs. They are kept small, so that they stay in the processor's first-level
/// cache.
#[derive(Clone, Copy)]
pub(super) struct Age {
    pub(super) arrival: Time,
    pub(super) row: u32,
    pub(super) begin: Begin,
    older: u32,
    pub(super) younger: u32,
}

/// A list of the waiting requests in the order of arrival, linked by indices into a vector. The index of a removed
/// request is given to a later request.
#[derive(Clone)]
pub(super) struct Ages {
    ages: Vec<Age>,
    free: Vec<u32>,
    oldest: u32,
    youngest: u32,
}

impl Default for Ages {
    fn default() -> Self {
        Self { ages: Vec::new(), free: Vec::new(), oldest: NONE, youngest: NONE }
    }
}

impl Ages {
    #[inline]
    pub(super) fn of(&self, number: u32) -> &Age {
        &self.ages[number as usize]
    }

    /// The index of the request that has waited longest; [`NONE`] if no request waits.
    pub(super) fn oldest(&self) -> u32 {
        self.oldest
    }

    /// Adds a request, and returns its index. The index stays the same while the request waits.
    pub(super) fn insert(&mut self, request: &Request, begin: Begin) -> u32 {
        // Requests mostly arrive in the order of their age.
        let mut older = self.youngest;
        while older != NONE && self.comes_before(request, older) {
            older = self.of(older).older;
        }
        let younger = if older == NONE { self.oldest } else { self.of(older).younger };
        let age = Age { arrival: request.arrival, row: request.row, begin, older, younger };
        let number = self.free.pop().unwrap_or(self.ages.len() as u32);
        if number as usize == self.ages.len() {
            self.ages.push(age);
        } else {
            self.ages[number as usize] = age;
        }
        self.join(older, number);
        self.join(number, younger);
        number
    }

    pub(super) fn remove(&mut self, number: u32) {
        let Age { older, younger, .. } = self.ages[number as usize];
        self.join(older, younger);
        self.free.push(number);
    }

    fn comes_before(&self, request: &Request, other: u32) -> bool {
        let other = self.of(other);
        (request.arrival, request.row) < (other.arrival, other.row)
    }

    /// Links two requests as neighbours in the list. [`NONE`] in place of a request stands for the start or the end of
    /// the list.
    fn join(&mut self, older: u32, younger: u32) {
        match self.ages.get_mut(older as usize) {
            Some(age) => age.younger = younger,
            None => self.oldest = younger,
        }
        match self.ages.get_mut(younger as usize) {
            Some(age) => age.older = older,
            None => self.youngest = older,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Op;
    use crate::time::Span;

    fn insert(ages: &mut Ages, row: u32) -> u32 {
        let begin = Begin { cylinder: 0, y_starts: [0, 0], transfer: Span::ZERO, exact_from: Time::ZERO };
        ages.insert(&Request::new(row, 0, 1, Op::Read), begin)
    }

    /// Checks that the list uses the index of a removed request again, whether the oldest request, the youngest
    /// or one between them is removed.
    #[test]
    fn what_comes_takes_the_number_of_what_has_gone() {
        let mut ages = Ages::default();
        let mut waiting: Vec<u32> = (0..3).map(|row| insert(&mut ages, row)).collect();
        for row in 3..30 {
            let gone = waiting.remove([0, 2, 1][row as usize % 3]);
            ages.remove(gone);
            assert_eq!(insert(&mut ages, row), gone, "row {row}");
            waiting.push(gone);
            let by_age =
                std::iter::successors(Some(ages.oldest()), |at| (*at != NONE).then(|| ages.of(*at).younger));
            assert!(by_age.take_while(|at| *at != NONE).eq(waiting.iter().copied()), "row {row}");
        }
        assert_eq!(ages.ages.len(), 3);
    }
}
