//! A generator in the user's notation.

use std::ops::ControlFlow;

use super::drawn::{Drawer, Drawn};
use super::GENERATORS;
use super::{draws, GeneratorRow};
use crate::error::Result;
use crate::observer::Observer;
use crate::options::Options;
use crate::trace::Trace;

/// A generator with its options, in the user's notation: `zipf:rate=1000,theta=0.8`.
#[derive(Clone)]
pub struct Generator {
    row: GeneratorRow,
    options: Options,
}

impl Generator {
    /// Parses a generator: a name, and behind a colon options with commas between.
    ///
    /// # Errors An unknown name or option, answered with the nearest known one.
    pub fn parse(text: &str) -> Result<Self> {
        let (row, options) = GENERATORS.parse(text)?;
        Ok(Self { row, options })
    }

    /// Draws the requests for a device of `capacity` sectors.
    ///
    /// # Errors An invalid option, for a device of that capacity or for any.
    pub fn draw(&self, capacity: u64) -> Result<Trace> {
        self.draw_observed(capacity, &mut |_| ControlFlow::Continue(()))
    }

    /// Draws the requests; `observe` is called from time to time with the number drawn, and may stop it.
    ///
    /// # Errors Those of [`draw`](Self::draw), and [`Error::Interrupted`](crate::error::Error::Interrupted)
    /// when the observer breaks.
    pub fn draw_observed<'a>(&self, capacity: u64, observe: &'a mut Observer<'a>) -> Result<Trace> {
        let mut drawn = Drawn::new(observe);
        (self.row.make.draw)(&self.options, capacity, &mut drawn)?;
        Ok(drawn.take())
    }

    /// Draws the requests and hands them on in batches: all batches together equal the requests of
    /// [`draw`](Self::draw).
    ///
    /// # Errors Those of [`draw`](Self::draw), and those of the sink.
    pub fn draw_in_batches<'a>(&self, capacity: u64, sink: &'a mut Drawer<'a>) -> Result<()> {
        let mut observe = |_| ControlFlow::Continue(());
        let mut drawn = Drawn::in_batches(&mut observe, sink);
        (self.row.make.draw)(&self.options, capacity, &mut drawn)?;
        drawn.hand_on()
    }

    /// True if the generator has notes on the requests that it draws.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.row.make.notes.is_some()
    }

    /// Notes on drawn requests: their distance from the published figures.
    ///
    /// # Errors Requests that the generator did not draw.
    pub fn notes(&self, drawn: &Trace) -> Result<Vec<String>> {
        self.row.make.notes.map_or(Ok(Vec::new()), |notes| notes(&self.options, drawn))
    }

    /// The seed.
    ///
    /// # Errors A value that is not a whole number of 64 bits.
    pub fn seed(&self) -> Result<u64> {
        draws::seed(&self.options)
    }

    /// The name with the options that are not at their default, and always rate, count and seed if the generator has
    /// them.
    #[must_use]
    pub fn name(&self) -> String {
        self.options.name_with(|option| option == "count" || option == "seed")
    }
}

/// Draws `count` requests at `rate_per_s`: Poisson arrivals, 67 % reads, sizes exponential with a mean of 4
/// KiB (rounded to sectors, at least one), starts uniform over the `capacity` sectors of a device.
///
/// # Errors A rate that is not positive, no requests, or more than rows can be numbered.
pub fn random(capacity: u64, rate_per_s: f64, count: usize, seed: u64) -> Result<Trace> {
    random_generator(rate_per_s, count, seed)?.draw(capacity)
}

/// The generator that [`random`] draws with.
///
/// # Errors Never: invalid values are reported when it draws.
pub fn random_generator(rate_per_s: f64, count: usize, seed: u64) -> Result<Generator> {
    Generator::parse(&format!("random:rate={rate_per_s:?},count={count},seed={seed}"))
}
