//! The plan of an exploration: the images that are to be tried.

use std::collections::HashSet;
use std::ops::{ControlFlow, RangeInclusive};

use super::picture::Picture;
use super::{Choice, CrashError, Medium};
use crate::history::History;
use crate::store::Coin;

/// Rules that select the images to be checked, because the number of possible images is too large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Range of the cuts to be tried.
    pub cuts: RangeInclusive<usize>,
    /// Distance between cuts to be tried: 1 for every cut, N for every Nth.
    pub every: usize,
    /// Number of random choices for each cut. They choose, in turn, among whole writes and among parts of
    /// writes.
    pub samples: u64,
    /// Number of sectors that the device writes as a unit: 1, or 8 for units of 4 KiB.
    pub unit: u64,
    /// Seed of the random subsets.
    pub seed: u64,
    /// True to try an additional image with a torn row at each cut.
    pub torn: bool,
}

/// A possible content of the device after a power failure: the moment of the failure (the cut), and the choice of
/// the writes without durable data that survive it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Cut at which the power fails.
    pub cut: usize,
    /// Choice of the open writes whose data are on the medium.
    pub choice: Choice,
}

/// Images that differ from each other, in the order in which they are to be tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The images to be tried.
    pub candidates: Vec<Candidate>,
    /// Number of images that were left out because they equal an image of the plan.
    pub equal: u64,
}

impl Plan {
    /// Make the plan. The callback `observe` receives the current cut and can stop the search, which then
    /// returns None.
    ///
    /// # Errors
    /// I/O errors of the operating system; a cut in `sampling.cuts` does not exist in the history.
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

/// The choices that are to be tried at a cut.
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
