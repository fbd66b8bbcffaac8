//! Which images are tried.

use std::collections::HashSet;
use std::ops::{ControlFlow, RangeInclusive};

use super::picture::Picture;
use super::{Choice, CrashError, Medium};
use crate::history::History;
use crate::store::Coin;

/// How many of the images there could be are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// The cuts.
    pub cuts: RangeInclusive<usize>,
    /// Of these each so manieth.
    pub every: usize,
    /// Subsets by the seed at each cut, of whole writes and of their parts in turn.
    pub samples: u64,
    /// Sectors of the device that are there together, if they are written together: 1, or 8 of 4 KiB.
    pub unit: u64,
    /// The seed.
    pub seed: u64,
    /// Whether one more at each cut has a torn row.
    pub torn: bool,
}

/// An image that could be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The cut.
    pub cut: usize,
    /// Which open writes are there.
    pub choice: Choice,
}

/// Images that differ, in the order in which they are tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The images.
    pub candidates: Vec<Candidate>,
    /// How many are not among them because they are equal to one that is.
    pub equal: u64,
}

impl Plan {
    /// Finds out which images differ. The observer is told at which cut that is, and may break.
    ///
    /// # Errors
    /// Those of the system; a cut that the history has not. None where the observer breaks.
    pub fn new(
        history: &History,
        sampling: &Sampling,
        observe: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Option<Self>, CrashError> {
        let (mut plan, mut seen) = (Self::default(), HashSet::new());
        let (mut medium, mut picture) = (Medium::new(history)?, Picture::before(history)?);
        for cut in sampling.cuts.clone().step_by(sampling.every.max(1)) {
            if observe(cut).is_break() {
                return Ok(None);
            }
            let mut settle = |write, sectors: &[_]| picture.settle(history, write, sectors);
            medium.advance(history, cut, &mut settle)?;
            let open: HashSet<usize> = medium.open().map(|open| open.write).collect();
            picture.forget(|write| open.contains(&write));
            for choice in choices(cut, sampling, &medium) {
                let number = picture.with(history, &choice.pick(history, &medium)?)?;
                if seen.insert(number) {
                    plan.candidates.push(Candidate { cut, choice });
                } else {
                    plan.equal += 1;
                }
            }
        }
        Ok(Some(plan))
    }
}

/// What is tried at a cut.
fn choices(cut: usize, sampling: &Sampling, medium: &Medium) -> Vec<Choice> {
    let open = medium.open().count();
    let mut choices = vec![Choice::None];
    if open > 0 {
        choices.push(Choice::All);
    }
    // Of two the newest is all but the oldest.
    if open > 1 {
        choices.push(Choice::Newest);
    }
    if open > 2 {
        choices.push(Choice::ButOldest);
    }
    let coin = Coin::new(sampling.seed);
    let seed = |at: u64| coin.below(cut as u64, u64::MAX) ^ at;
    if open > 0 {
        let drawn = (0..sampling.samples).map(|at| match at % 2 {
            0 => Choice::Whole(seed(at)),
            _ => Choice::Sectors { seed: seed(at), unit: sampling.unit },
        });
        // Of two writes each whole subset is there.
        choices.extend(drawn.filter(|choice| open > 2 || matches!(choice, Choice::Sectors { .. })));
    }
    if sampling.torn && !medium.flying().is_empty() {
        choices.push(Choice::Torn(seed(sampling.samples)));
    }
    choices
}
