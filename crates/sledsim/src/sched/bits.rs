//! A set of integers below a limit, with a fast search for the nearest element above or below a number.

/// Number of bits in a word.
const WORD: usize = 64;

/// A set of integers as bits in 64-bit words. `words` has a bit for each integer; `summary` has a bit for each word of
/// `words` that is not zero.
#[derive(Clone)]
pub(super) struct Bits {
    words: Vec<u64>,
    summary: Vec<u64>,
}

impl Bits {
    pub(super) fn new(limit: usize) -> Self {
        let words = limit.div_ceil(WORD);
        Self { words: vec![0; words], summary: vec![0; words.div_ceil(WORD)] }
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.words[number / WORD] |= 1 << (number % WORD);
        self.summary[number / WORD / WORD] |= 1 << (number / WORD % WORD);
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.words[number / WORD] &= !(1 << (number % WORD));
        if self.words[number / WORD] == 0 {
            self.summary[number / WORD / WORD] &= !(1 << (number / WORD % WORD));
        }
    }

    /// The least element of the set that is at least `number`.
    #[inline]
    pub(super) fn from(&self, number: usize) -> Option<usize> {
        let word = number / WORD;
        let rest = self.words.get(word)? & (!0 << (number % WORD));
        if rest != 0 {
            return Some(word * WORD + rest.trailing_zeros() as usize);
        }
        let word = next(&self.summary, word + 1)?;
        Some(word * WORD + self.words[word].trailing_zeros() as usize)
    }

    /// The greatest element of the set that is less than `number`.
    #[inline]
    pub(super) fn below(&self, number: usize) -> Option<usize> {
        let word = number / WORD;
        let rest = self.words.get(word).map_or(0, |bits| bits & !(!0 << (number % WORD)));
        if rest != 0 {
            return Some(word * WORD + rest.ilog2() as usize);
        }
        let word = last(&self.summary, word)?;
        Some(word * WORD + self.words[word].ilog2() as usize)
    }
}

/// The index of the first bit that is set in `words`, at the index `number` or above.
fn next(words: &[u64], number: usize) -> Option<usize> {
    let mut at = number / WORD;
    let mut rest = words.get(at)? & (!0 << (number % WORD));
    while rest == 0 {
        at += 1;
        rest = *words.get(at)?;
    }
    Some(at * WORD + rest.trailing_zeros() as usize)
}

/// The index of the last bit that is set in `words`, below the index `number`.
fn last(words: &[u64], number: usize) -> Option<usize> {
    let mut at = (number / WORD).min(words.len());
    let mut rest = words.get(at).map_or(0, |bits| bits & !(!0 << (number % WORD)));
    while rest == 0 {
        at = at.checked_sub(1)?;
        rest = words[at];
    }
    Some(at * WORD + rest.ilog2() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn it_is_a_sorted_set(numbers in prop::collection::vec((0..9000_usize, any::<bool>()), 1..200), limit in 9000..9100_usize) {
            let (mut bits, mut set) = (Bits::new(limit), BTreeSet::new());
            for (number, insert) in numbers {
                if insert {
                    bits.insert(number);
                    set.insert(number);
                } else {
                    bits.remove(number);
                    set.remove(&number);
                }
                // A query may be for a number far above the limit of the set.
                for at in [0, number, number + 1, limit - 1, limit, 3 * limit] {
                    prop_assert_eq!(bits.from(at), set.range(at..).next().copied());
                    prop_assert_eq!(bits.below(at), set.range(..at).next_back().copied());
                }
            }
        }
    }
}
