//! Plan which images to try.

use std::collections::HashSet;
use std::ops::{ControlFlow, RangeInclusive};

use super::picture::Picture;
use super::{Choice, CrashError, Medium};
use crate::history::History;
use crate::store::Coin;

/// Selection of the possible images to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Range of cuts.
    pub cuts: RangeInclusive<usize>,
    /// Try only every Nth cut of the range.
    pub every: usize,
    /// Number of random subsets per cut, alternating between whole writes and parts of writes.
    pub samples: u64,
    /// Number of sectors per unit, which the device writes as a whole: 1, or 8 for 4 KiB.
    pub unit: u64,
    /// Seed of the random subsets.
    pub seed: u64,
    /// True to add an image with a torn row at each cut.
    pub torn: bool,
}

/// A possible image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Cut at which power is lost.
    pub cut: usize,
    /// The choice of open writes that are on the medium.
    pub choice: Choice,
}

/// Distinct images, in the order in which they are tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The distinct images.
    pub candidates: Vec<Candidate>,
    /// Number of images left out because an equal image is in the plan.
    pub equal: u64,
}

impl Plan {
    /// Find the distinct images. The observer gets the current cut and may stop the search.
    ///
    /// # Errors
    /// I/O errors of the operating system; the history does not have a cut. Returns None if the observer stops.
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

/// The choices to try at a cut.
fn choices(cut: usize, sampling: &Sampling, medium: &Medium) -> Vec<Choice> {
    let open = medium.open().count();
    let mut choices = vec![Choice::None];
    if open > 0 {
        choices.push(Choice::All);
    }
    // With two open writes, the newest alone equals all but the oldest.
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
        // With two open writes, the fixed choices already cover each whole subset.
        choices.extend(drawn.filter(|choice| open > 2 || matches!(choice, Choice::Sectors { .. })));
    }
    if sampling.torn && !medium.flying().is_empty() {
        choices.push(Choice::Torn(seed(sampling.samples)));
    }
    choices
}
