//! Generator of sequential, local and random requests in several streams.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::draws::{anywhere, exponential};
use super::requests::{at, Places, FLUSHES, READS, SIZES, TIMING};
use super::GeneratorRow;
use crate::error::Result;
use crate::options::{OptionRow, Options};

/// Entry for this generator in the table of generators.
pub(super) const ROW: GeneratorRow = GeneratorRow::new(
    "mixture",
    "several streams of requests: some sequential, some local, the others random",
    at::<Mixture>(),
)
.options(&[TIMING, READS, SIZES, FLUSHES, OPTIONS]);

pub(super) const OPTIONS: &[OptionRow] = &[
    OptionRow::number(
        "sequential",
        "0.3",
        [0.0, 1.0],
        "fraction of requests that start at the end of the previous request of their stream",
    ),
    OptionRow::number(
        "local",
        "0.3",
        [0.0, 1.0],
        "fraction of requests that start near the previous request of their stream; the others start anywhere",
    ),
    OptionRow::number(
        "distance_blocks",
        "2000",
        [0.0, f64::INFINITY],
        "mean distance between the starts of a local request and the previous request of its stream, in either direction; exponentially distributed",
    )
    .unit("blocks")
    .above(),
    OptionRow::whole("streams", "4", [1, 1 << 16], "number of streams"),
];

/// The previous request of a stream.
#[derive(Clone, Copy)]
struct Last {
    start: u64,
    end: u64,
}

/// The streams, each with its previous request, which is `None` before the first request of the
/// stream.
pub(super) struct Mixture {
    sequential: f64,
    local: f64,
    distance: f64,
    streams: Vec<Option<Last>>,
}

impl Places for Mixture {
    fn new(options: &Options, _capacity: u64) -> Result<Self> {
        let (sequential, local) = (options.number("sequential")?, options.number("local")?);
        if sequential + local > 1.0 {
            return Err(options
                .fault("local", &format!("a number whose sum with sequential = {sequential} is at most 1")));
        }
        let distance = options.number("distance_blocks")?;
        let streams = options.whole("streams")? as usize;
        Ok(Self { sequential, local, distance, streams: vec![None; streams] })
    }

    fn place(&mut self, rng: &mut Pcg64, sectors: u64, capacity: u64) -> u64 {
        let stream = rng.random_range(0..self.streams.len() as u64) as usize;
        let kind: f64 = rng.random();
        let lbn = match self.streams[stream] {
            Some(last) if kind < self.sequential && last.end + sectors <= capacity => last.end,
            Some(last) if kind >= self.sequential && kind < self.sequential + self.local => {
                near(rng, last.start, self.distance, capacity - sectors)
            }
            _ => anywhere(rng, sectors, capacity),
        };
        self.streams[stream] = Some(Last { start: lbn, end: lbn + sectors });
        lbn
    }
}

/// Draws a position from 0 to `last`. Its distance from `at` is exponential with the mean `mean`;
/// if there is no such position on the drawn side, it lies on the other side.
fn near(rng: &mut Pcg64, at: u64, mean: f64, last: u64) -> u64 {
    let distance = (mean * exponential(rng)).round() as u64;
    let (down, up) = (at.checked_sub(distance), Some(at.saturating_add(distance)).filter(|up| *up <= last));
    let (wanted, other) = if rng.random::<f64>() < 0.5 { (down, up) } else { (up, down) };
    wanted.or(other).unwrap_or(at).min(last)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_mean, assert_share, draw, fault, going_on};

    #[test]
    fn the_shares_are_those_asked_for() {
        let trace = draw("mixture:rate=100,sequential=0.4,local=0,streams=1");
        assert_share(going_on(&trace, 0), trace.len() - 1, 0.4);
        let trace = draw("mixture:rate=100,sequential=0.4,local=0,streams=5");
        assert_share(going_on(&trace, 0), trace.len() - 1, 0.4 / 5.0);
    }

    #[test]
    fn local_requests_are_at_the_mean_distance_from_the_one_before() {
        let trace = draw("mixture:rate=100,sequential=0,local=1,distance_blocks=500,streams=1");
        let distances = trace.lbn.windows(2).map(|pair| (pair[1] - pair[0]).abs() as f64);
        assert_mean(&distances.collect::<Vec<_>>(), 500.0);
        let up = trace.lbn.windows(2).filter(|pair| pair[1] > pair[0]).count();
        assert_share(up, trace.lbn.windows(2).filter(|pair| pair[1] != pair[0]).count(), 0.5);
    }

    #[test]
    fn shares_are_parts_of_one_whole() {
        let found = fault("mixture:rate=1,sequential=0.7,local=0.4");
        assert_eq!(
            found,
            "mixture: local = 0.4: expected a number whose sum with sequential = 0.7 is at most 1"
        );
    }
}
