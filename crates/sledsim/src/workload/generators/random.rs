//! Generator of uniformly distributed requests: the Random workload of the papers (001-F11, 002-F13).

use rand_pcg::Pcg64;

use super::draws::anywhere;
use super::requests::{at, Places, FLUSHES, READS, SIZES, TIMING};
use super::GeneratorRow;
use crate::error::Result;
use crate::options::Options;

/// Entry for this generator in the table of generators.
pub(super) const ROW: GeneratorRow =
    GeneratorRow::new("random", "requests at uniformly random positions", at::<Uniform>())
        .source("001-F11, 002-F13")
        .options(&[TIMING, READS, SIZES, FLUSHES]);

/// Draws all positions with equal probability.
pub(super) struct Uniform;

impl Places for Uniform {
    fn new(_options: &Options, _capacity: u64) -> Result<Self> {
        Ok(Self)
    }

    fn place(&mut self, rng: &mut Pcg64, sectors: u64, capacity: u64) -> u64 {
        anywhere(rng, sectors, capacity)
    }
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::super::tests::{assert_mean, assert_share, draw, CAPACITY};
    use crate::trace::Op;

    #[test]
    fn it_has_the_published_statistics() {
        let trace = draw("random:rate=1000");
        assert_share(trace.op.iter().filter(|op| **op == Op::Read).count(), trace.len(), 0.67);
        // Rounded exponential sizes of at least one sector: k sectors, from 2 on, for values from k - 1/2 to
        // k + 1/2.
        let mean_sectors = 1.0 + (1..400).map(|k| (-(f64::from(k) + 0.5) / 8.0).exp()).sum::<f64>();
        let sectors: Vec<f64> = trace.blocks.iter().map(|blocks| f64::from(*blocks)).collect();
        assert_mean(&sectors, mean_sectors);
        let middles = trace.lbn.iter().zip(&sectors).map(|(lbn, blocks)| *lbn as f64 + blocks / 2.0);
        assert_mean(&middles.collect::<Vec<_>>(), CAPACITY as f64 / 2.0);
    }

    #[test]
    fn a_seed_gives_these_requests_for_good() {
        let trace = random(CAPACITY, 1000.0, 3, 1).unwrap();
        assert_eq!(trace.arrival_ns, [1_831_792, 4_024_584, 4_825_781]);
        assert_eq!(trace.lbn, [768_836, 1_268_510, 315_641]);
        assert_eq!(trace.blocks, [1, 5, 6]);
        assert_eq!(trace.op, [Op::Write, Op::Read, Op::Write]);
    }
}
