//! Reed-Solomon codes over bytes: check symbols after the data, and correction of errors and
//! erasures.
//!
//! The roots of the generator polynomial are 2^0, 2^1 and so on, as in most libraries. The code is
//! written here because available crates correct only erasures, or do not allow all lengths of
//! codewords.

use super::field::{inverse, power, product, times, value_at, ORDER};

/// A Reed-Solomon code with a given number of check symbols.
#[derive(Clone, Debug)]
pub struct ReedSolomon {
    checks: usize,
    /// Coefficients of the generator polynomial without its leading 1, from the second highest
    /// power downwards.
    generator: Vec<u8>,
}

impl ReedSolomon {
    /// Creates a code with `checks` check symbols; the number must be less than 255.
    #[must_use]
    pub fn new(checks: usize) -> Self {
        let mut generator = vec![1];
        for root in 0..checks {
            generator = product(&generator, &[power(root), 1]);
        }
        generator.pop();
        generator.reverse();
        Self { checks, generator }
    }

    /// Computes the check symbols of `data`; data and check symbols together must have at most 255
    /// symbols.
    #[must_use]
    pub fn checks_of(&self, data: impl Iterator<Item = u8>) -> Vec<u8> {
        let mut rest = vec![0; self.checks];
        if rest.is_empty() {
            return rest;
        }
        for symbol in data {
            let lead = symbol ^ rest[0];
            rest.rotate_left(1);
            *rest.last_mut().expect("the code has a check symbol") = 0;
            for (rest, factor) in rest.iter_mut().zip(&self.generator) {
                *rest ^= times(lead, *factor);
            }
        }
        rest
    }

    /// Corrects a word (data and check symbols) in which the symbols at the places `erased` are
    /// unknown. Returns the places of other wrong symbols; returns `None` and leaves the word
    /// unchanged if it has too many errors.
    ///
    /// Errors are corrected if `e + 2 t` is at most the number of check symbols, for `e` erasures
    /// and `t` errors at unknown places. A word with more errors may be turned into a wrong
    /// codeword, which a decoder cannot detect.
    #[must_use]
    pub fn correct(&self, word: &mut [u8], erased: &[usize]) -> Option<Vec<usize>> {
        let syndromes = self.syndromes(word);
        if syndromes.iter().all(|syndrome| *syndrome == 0) {
            return Some(Vec::new());
        }
        if erased.len() > self.checks {
            return None;
        }
        let exponent = |place: usize| word.len() - 1 - place;
        let erasures =
            erased.iter().fold(vec![1], |locator, place| product(&locator, &[1, power(exponent(*place))]));
        let errors = self.error_locator(&syndromes, &erasures, erased.len())?;
        let locator = product(&erasures, &errors);
        let places: Vec<usize> = (0..word.len())
            .filter(|place| value_at(&locator, power(ORDER - exponent(*place) % ORDER)) == 0)
            .collect();
        if places.len() != degree(&locator) {
            return None;
        }
        let corrections = self.magnitudes(&syndromes, &locator, word.len(), &places);
        for (place, correction) in places.iter().zip(&corrections) {
            word[*place] ^= correction;
        }
        if self.syndromes(word).iter().any(|syndrome| *syndrome != 0) {
            places.iter().zip(&corrections).for_each(|(place, correction)| word[*place] ^= correction);
            return None;
        }
        Some(places.into_iter().filter(|place| !erased.contains(place)).collect())
    }

    /// Values of the word, as a polynomial, at the roots of the generator.
    fn syndromes(&self, word: &[u8]) -> Vec<u8> {
        let at = |root: usize| {
            let x = power(root);
            word.iter().fold(0, |sum, symbol| times(sum, x) ^ symbol)
        };
        (0..self.checks).map(at).collect()
    }

    /// The polynomial whose roots give the places of the errors outside the erasures, by the
    /// algorithm of Berlekamp and Massey; the effect of the erasures is first removed from the
    /// syndromes. `None` if the word has too many errors.
    fn error_locator(&self, syndromes: &[u8], erasures: &[u8], erased: usize) -> Option<Vec<u8>> {
        let left = product(syndromes, erasures);
        let left = &left[erased..self.checks];
        let (mut locator, mut before) = (vec![1_u8], vec![1_u8]);
        let (mut errors, mut gap, mut discrepancy_before) = (0, 1, 1_u8);
        for at in 0..left.len() {
            let terms = (0..=errors.min(at)).filter(|i| *i < locator.len());
            let discrepancy = terms.fold(0, |sum, i| sum ^ times(locator[i], left[at - i]));
            if discrepancy == 0 {
                gap += 1;
                continue;
            }
            let factor = times(discrepancy, inverse(discrepancy_before));
            let kept = locator.clone();
            locator.resize(locator.len().max(before.len() + gap), 0);
            for (i, coefficient) in before.iter().enumerate() {
                locator[i + gap] ^= times(factor, *coefficient);
            }
            if 2 * errors <= at {
                errors = at + 1 - errors;
                (before, discrepancy_before, gap) = (kept, discrepancy, 1);
            } else {
                gap += 1;
            }
        }
        (2 * errors <= left.len() && degree(&locator) == errors).then_some(locator)
    }

    /// Values to add to the symbols at `places`, which are the places that the roots of `locator`
    /// give, by Forney's formula.
    fn magnitudes(&self, syndromes: &[u8], locator: &[u8], length: usize, places: &[usize]) -> Vec<u8> {
        let mut evaluator = product(syndromes, locator);
        evaluator.truncate(self.checks);
        // The derivative over a field of characteristic 2 keeps only terms of odd powers.
        let derivative: Vec<u8> =
            locator.iter().skip(1).enumerate().map(|(i, c)| if i % 2 == 0 { *c } else { 0 }).collect();
        let at = |place: &usize| {
            let x = power(length - 1 - place);
            let root = inverse(x);
            let below = value_at(&derivative, root);
            times(x, times(value_at(&evaluator, root), if below == 0 { 0 } else { inverse(below) }))
        };
        places.iter().map(at).collect()
    }
}

fn degree(polynomial: &[u8]) -> usize {
    polynomial.iter().rposition(|coefficient| *coefficient != 0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The expected check symbols are from `reedsolo` 1.7.0: `RSCodec(10).encode(b"hello world")`.
    #[test]
    fn check_symbols_are_those_of_other_libraries() {
        let checks = ReedSolomon::new(10).checks_of(b"hello world".iter().copied());
        assert_eq!(checks, [0xed, 0x25, 0x54, 0xc4, 0xfd, 0xfd, 0x89, 0xf3, 0xa8, 0xaa]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn errors_and_erasures_within_reach_are_corrected(
            data in prop::collection::vec(any::<u8>(), 1..200),
            checks in 0..20_usize,
            picks in prop::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 20),
            errors in 0..10_usize,
        ) {
            let code = ReedSolomon::new(checks);
            let mut word = data.clone();
            word.extend(code.checks_of(data.iter().copied()));
            let whole = word.clone();
            let mut places: Vec<(usize, u8)> = picks.iter().map(|(at, by)| (at.index(word.len()), *by)).collect();
            places.sort_unstable();
            places.dedup_by_key(|(place, _)| *place);
            let errors = errors.min(checks / 2).min(places.len());
            places.truncate(errors + (checks - 2 * errors));
            for (place, by) in &places {
                word[*place] ^= by;
            }
            let erased: Vec<usize> = places[errors..].iter().map(|(place, _)| *place).collect();
            let found = code.correct(&mut word, &erased);
            prop_assert_eq!(&word, &whole);
            prop_assert_eq!(found, Some(places[..errors].iter().map(|(place, _)| *place).collect::<Vec<_>>()));
        }
    }
}
