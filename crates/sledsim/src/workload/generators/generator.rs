//! A generator as a user names it.

use std::ops::ControlFlow;

use super::drawn::{Drawer, Drawn};
use super::GENERATORS;
use super::{draws, GeneratorRow};
use crate::error::Result;
use crate::observer::Observer;
use crate::options::Options;
use crate::trace::Trace;

/// A generator with its options, as a user names it: `zipf:rate=1000,theta=0.8`.
#[derive(Clone)]
pub struct Generator {
    row: GeneratorRow,
    options: Options,
}

impl Generator {
    /// The generator that `text` names: a name, and behind a colon options with commas between.
    ///
    /// # Errors
    /// An unknown name or option, answered with the nearest known one.
    pub fn parse(text: &str) -> Result<Self> {
        let (row, options) = GENERATORS.parse(text)?;
        Ok(Self { row, options })
    }

    /// Its requests for a device of `capacity` sectors.
    ///
    /// # Errors
    /// An option that cannot be, on a device of that capacity or at all.
    pub fn draw(&self, capacity: u64) -> Result<Trace> {
        self.draw_observed(capacity, &mut |_| ControlFlow::Continue(()))
    }

    /// Its requests; somebody is told now and then how many have been drawn, and may stop it.
    ///
    /// # Errors
    /// As [`draw`](Self::draw), and [`Error::Interrupted`](crate::error::Error::Interrupted) when the observer breaks.
    pub fn draw_observed<'a>(&self, capacity: u64, observe: &'a mut Observer<'a>) -> Result<Trace> {
        let mut drawn = Drawn::new(observe);
        (self.row.make.draw)(&self.options, capacity, &mut drawn)?;
        Ok(drawn.take())
    }

    /// Draws its requests, and hands them on in batches: together they are what [`draw`](Self::draw) gives.
    ///
    /// # Errors
    /// As [`draw`](Self::draw), and those of who takes batches.
    pub fn draw_in_batches<'a>(&self, capacity: u64, sink: &'a mut Drawer<'a>) -> Result<()> {
        let mut observe = |_| ControlFlow::Continue(());
        let mut drawn = Drawn::in_batches(&mut observe, sink);
        (self.row.make.draw)(&self.options, capacity, &mut drawn)?;
        drawn.hand_on()
    }

    /// Whether there is something to be known of all requests that it draws.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.row.make.notes.is_some()
    }

    /// What is to be known of requests that it drew: how near they come to what it is to be like.
    ///
    /// # Errors
    /// They are not such requests.
    pub fn notes(&self, drawn: &Trace) -> Result<Vec<String>> {
        self.row.make.notes.map_or(Ok(Vec::new()), |notes| notes(&self.options, drawn))
    }

    /// Its seed.
    ///
    /// # Errors
    /// It is no whole number of 64 bits.
    pub fn seed(&self) -> Result<u64> {
        draws::seed(&self.options)
    }

    /// Its name with the options that are not at their default, and what there is in any case: rate, count, seed.
    #[must_use]
    pub fn name(&self) -> String {
        self.options.name_with(|option| option == "count" || option == "seed")
    }
}

/// `count` requests at `rate_per_s`: Poisson arrivals, 67 % reads, sizes exponential with a mean of 4 KiB
/// (rounded to sectors, at least one), starts uniform over the `capacity` sectors of a device.
///
/// # Errors
/// A rate that is not positive, no requests or more than rows can be numbered.
pub fn random(capacity: u64, rate_per_s: f64, count: usize, seed: u64) -> Result<Trace> {
    random_generator(rate_per_s, count, seed)?.draw(capacity)
}

/// The generator that [`random`] draws with.
///
/// # Errors
/// None: what cannot be is found when it draws.
pub fn random_generator(rate_per_s: f64, count: usize, seed: u64) -> Result<Generator> {
    Generator::parse(&format!("random:rate={rate_per_s:?},count={count},seed={seed}"))
}
