//! Generators: workloads drawn at random for a device of a given capacity. Same seed, same bytes.

mod arrivals;
mod drawn;
mod files;
mod fitted;
mod metadata;
mod mixture;
mod onoff;
mod organpipe;
mod raid5;
mod random;
mod requests;
mod rmw;
mod sessions;
mod stream;
mod table;
#[cfg(test)]
mod testing;
mod zipf;

use std::ops::ControlFlow;

use crate::error::{unknown_name, Result};
use crate::observer::Observer;
use crate::options::Options;
use crate::trace::Trace;
use drawn::Drawn;
pub use fitted::{FittedWorkload, WorkloadFit};
pub use random::{random, random_generator};
pub use table::{GeneratorRow, GENERATORS};

/// A generator with its options, as a user names it: `zipf:rate=1000,theta=0.8`.
#[derive(Clone)]
pub struct Generator {
    row: &'static GeneratorRow,
    options: Options,
}

impl Generator {
    /// The generator that `text` names: a name, and behind a colon options with commas between.
    ///
    /// # Errors
    /// An unknown name or option, answered with the nearest known one.
    pub fn parse(text: &str) -> Result<Self> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let row = find_generator(name)?;
        Ok(Self { options: Options::parse(row.name, &row.options(), options)?, row })
    }

    /// Its requests for a device of `capacity` sectors.
    ///
    /// # Errors
    /// An option that cannot be, on a device of that capacity or at all.
    pub fn draw(&self, capacity: u64) -> Result<Trace> {
        self.draw_observed(capacity, &mut |_| ControlFlow::Continue(()))
    }

    /// The same, where somebody is told now and then how many have been drawn, and may stop it.
    ///
    /// # Errors
    /// As [`draw`](Self::draw), and [`Error::Interrupted`](crate::error::Error::Interrupted) when the observer breaks.
    pub fn draw_observed<'a>(&self, capacity: u64, observe: &'a mut Observer<'a>) -> Result<Trace> {
        let mut drawn = Drawn::new(observe);
        (self.row.draw)(&self.options, capacity, &mut drawn)?;
        Ok(drawn.trace)
    }

    /// What is to be known of requests that it drew: how near they come to what it is to be like.
    ///
    /// # Errors
    /// They are not such requests.
    pub fn notes(&self, drawn: &Trace) -> Result<Vec<String>> {
        self.row.notes.map_or(Ok(Vec::new()), |notes| notes(&self.options, drawn))
    }

    /// Its seed.
    ///
    /// # Errors
    /// It is no whole number of 64 bits.
    pub fn seed(&self) -> Result<u64> {
        requests::seed(&self.options)
    }

    /// Its name with the options that are not at their default, and what there is in any case: rate, count, seed.
    #[must_use]
    pub fn name(&self) -> String {
        self.options.name_with(|option| option == "count" || option == "seed")
    }
}

/// The generator of that name, without regard to case and punctuation.
///
/// # Errors
/// An unknown name, answered with the nearest known one.
pub fn find_generator(name: &str) -> Result<&'static GeneratorRow> {
    let found = GENERATORS.iter().find(|row| row.answers_to(name));
    found.ok_or_else(|| unknown_name("workload", name, GENERATORS.iter().map(|row| row.name)))
}
