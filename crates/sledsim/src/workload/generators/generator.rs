//! A generator of requests with its options, as the user writes it.

use std::ops::ControlFlow;

use super::drawn::{Drawer, Drawn};
use super::requests::FLUSH_EVERY;
use super::GENERATORS;
use super::{draws, GeneratorRow};
use crate::error::Result;
use crate::observer::Observer;
use crate::options::Options;
use crate::trace::Trace;

/// A generator of requests with its options, as the user writes it: `zipf:rate=1000,theta=0.8`.
#[derive(Clone)]
pub struct Generator {
    row: GeneratorRow,
    options: Options,
}

impl Generator {
    /// Parses a generator: a name, then a colon and options separated by commas.
    ///
    /// # Errors The name or an option is unknown; the message gives the nearest known one.
    pub fn parse(text: &str) -> Result<Self> {
        let (row, options) = GENERATORS.parse(text)?;
        Ok(Self { row, options })
    }

    /// Draws the requests for a device of `capacity` sectors.
    ///
    /// # Errors An option is invalid for every device, or for a device of `capacity` sectors.
    pub fn draw(&self, capacity: u64) -> Result<Trace> {
        self.draw_observed(capacity, &mut |_| ControlFlow::Continue(()))
    }

    /// Draws the requests for a device of `capacity` sectors. `observe` regularly receives the
    /// number of requests drawn so far, and can stop the work.
    ///
    /// # Errors Those of [`draw`](Self::draw), and [`Error::Interrupted`](crate::error::Error::Interrupted)
    /// if the observer asks to stop.
    pub fn draw_observed<'a>(&self, capacity: u64, observe: &'a mut Observer<'a>) -> Result<Trace> {
        let mut drawn = Drawn::new(observe).flush_every(self.flush_every()?);
        (self.row.make.draw)(&self.options, capacity, &mut drawn)?;
        Ok(drawn.take())
    }

    /// Draws the requests and passes them to `sink` in batches, which together equal the result of
    /// [`draw`](Self::draw).
    ///
    /// # Errors Those of [`draw`](Self::draw), and those of `sink`.
    pub fn draw_in_batches<'a>(&self, capacity: u64, sink: &'a mut Drawer<'a>) -> Result<()> {
        let mut observe = |_| ControlFlow::Continue(());
        let mut drawn = Drawn::in_batches(&mut observe, sink).flush_every(self.flush_every()?);
        (self.row.make.draw)(&self.options, capacity, &mut drawn)?;
        drawn.hand_on()
    }

    /// Number of writes after which the host sends a flush; 0 for a generator without flushes.
    fn flush_every(&self) -> Result<u64> {
        let is_there = self.options.pairs().any(|(name, _)| name == FLUSH_EVERY);
        if is_there {
            self.options.whole(FLUSH_EVERY)
        } else {
            Ok(0)
        }
    }

    /// True if the generator compares the requests that it draws with published figures.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.row.make.notes.is_some()
    }

    /// Notes that compare the requests `drawn` by this generator with published figures.
    ///
    /// # Errors The requests do not come from this generator.
    pub fn notes(&self, drawn: &Trace) -> Result<Vec<String>> {
        self.row.make.notes.map_or(Ok(Vec::new()), |notes| notes(&self.options, drawn))
    }

    /// The seed of the random numbers.
    ///
    /// # Errors The seed is not a whole number of 64 bits.
    pub fn seed(&self) -> Result<u64> {
        draws::seed(&self.options)
    }

    /// The generator's name with the options `rate`, `count` and `seed`, if it has them, and with
    /// all other options that differ from their defaults.
    #[must_use]
    pub fn name(&self) -> String {
        self.options.name_with(|option| option == "count" || option == "seed")
    }
}

/// Draws `count` random requests for a device of `capacity` sectors: Poisson arrivals at
/// `rate_per_s`, 67 % reads, uniformly distributed first sectors. Sizes are exponential with a mean
/// of 4 KiB, in whole sectors.
///
/// # Errors The rate is not positive, or `count` is 0 or larger than 2^32 - 1.
pub fn random(capacity: u64, rate_per_s: f64, count: usize, seed: u64) -> Result<Trace> {
    random_generator(rate_per_s, count, seed)?.draw(capacity)
}

/// Returns the generator that [`random`] uses.
///
/// # Errors Never: the generator reports invalid values when it draws.
pub fn random_generator(rate_per_s: f64, count: usize, seed: u64) -> Result<Generator> {
    Generator::parse(&format!("random:rate={rate_per_s:?},count={count},seed={seed}"))
}
