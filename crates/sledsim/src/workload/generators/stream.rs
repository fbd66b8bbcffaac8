//! Generator of a single stream of requests with a given sequentiality.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::draws::anywhere;
use super::requests::{at, Places, FLUSHES, READS, SIZES, TIMING};
use super::GeneratorRow;
use crate::error::Result;
use crate::options::{OptionRow, Options};

/// Entry for this generator in the table of generators.
pub(super) const ROW: GeneratorRow = GeneratorRow::new(
    "stream",
    "one stream with a given fraction of sequential requests; the others are random",
    at::<Stream>(),
)
.source("000-F24")
.options(&[TIMING, READS, SIZES, FLUSHES, OPTIONS]);

pub(super) const OPTIONS: &[OptionRow] = &[
    OptionRow::number(
        "sequentiality",
        "0.829",
        [0.0, 1.0],
        "fraction of requests that start at the end of the previous request, or interleave_blocks behind it", // user trace of 000; server: 0.005
    ),
    OptionRow::whole(
        "interleave_blocks",
        "0",
        [0, 1 << 32],
        "number of blocks between a request and its sequential successor, as on an interleaved file system", // 000-F24
    )
    .unit("blocks"),
];

/// Draws positions: at the end of the previous request and the skipped blocks behind it, or
/// anywhere.
pub(super) struct Stream {
    sequentiality: f64,
    interleave: u64,
    /// First sector of the next request if it is sequential; `None` before the first request.
    next: Option<u64>,
}

impl Places for Stream {
    fn new(options: &Options, _capacity: u64) -> Result<Self> {
        let interleave = options.whole("interleave_blocks")?;
        Ok(Self { sequentiality: options.number("sequentiality")?, interleave, next: None })
    }

    fn place(&mut self, rng: &mut Pcg64, sectors: u64, capacity: u64) -> u64 {
        let elsewhere = anywhere(rng, sectors, capacity);
        let goes_on = rng.random::<f64>() < self.sequentiality;
        let next = self.next.filter(|next| goes_on && next + sectors <= capacity);
        let lbn = next.unwrap_or(elsewhere);
        self.next = Some(lbn + sectors + self.interleave);
        lbn
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_share, draw, going_on};

    #[test]
    fn it_is_as_sequential_as_was_asked_for() {
        for sequentiality in [0.005, 0.829] {
            let trace = draw(&format!("stream:rate=100,sequentiality={sequentiality}"));
            assert_share(going_on(&trace, 0), trace.len() - 1, sequentiality);
        }
    }

    #[test]
    fn the_interleave_lies_between() {
        let trace = draw("stream:rate=100,interleave_blocks=16");
        assert_share(going_on(&trace, 16), trace.len() - 1, 0.829);
        assert!(going_on(&trace, 0) < 10);
    }
}
